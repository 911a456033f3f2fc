%% What a test leaves behind, and what is a deadlock although the test's own process has ended.
%% rules: default
-module(leftovers).
-export([plain_server/0, idle_worker/0, textbook_server/0, told_its_parent/0, subscriber/0, sleeper/0, hibernates/0, gen_server/0,
         gen_statem/0, gen_event/0, supervisor/0, watcher/0, helper_receives/0, loop_in_fun/0, tells_result/0, drives/0, polls_inbox/0]).
-export([question/0, second_question/0, philosophers/0, servers_in_call/0, not_taken/0, server_gone/0, test_waits/0, start_never_acknowledged/0,
         named_client/0, callback_asks/0, remote_evaluation/0, answer_by_reference/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, callback_mode/0, idle/3, handle_event/2, never_ready/0, loop/1]).

%% ---- Left behind

%% expect: leftovers:plain_server dpor pass
plain_server() ->
    Server = spawn(fun() -> loop(0) end),
    Self = self(),
    [spawn(fun() -> Server ! {bump, Self} end) || _ <- [1, 2]],
    [receive {count, _} -> ok end || _ <- [1, 2]].

loop(N) ->
    receive
        {bump, From} -> From ! {count, N + 1}, ?MODULE:loop(N + 1);
        stop -> ok
    end.

%% expect: leftovers:idle_worker dpor pass
idle_worker() ->
    spawn(fun() -> receive never -> ok end end).

%% Its answers hold its own pid, and its clients are others than the test.
%% expect: leftovers:textbook_server dpor pass
textbook_server() ->
    Server = spawn(fun() -> answers() end),
    Self = self(),
    [spawn(fun() -> Server ! {self(), N}, receive {Server, A} -> Self ! A end end) || N <- [1, 2]],
    [receive N -> ok end || N <- [1, 2]].

answers() ->
    receive {From, Question} -> From ! {self(), Question} end,
    answers().

%% expect: leftovers:told_its_parent dpor pass
told_its_parent() ->
    spawn(fun() ->
        Parent = self(),
        Child = spawn(fun() -> Parent ! {ready, self()}, loop(0) end),
        receive {ready, Child} -> ok end
    end).

%% It tells somebody who it is when it is asked to, and goes on.
%% expect: leftovers:subscriber dpor pass
subscriber() ->
    Publisher = spawn(fun() -> publishes([]) end),
    Subscriber = spawn(fun() -> subscribes() end),
    Subscriber ! {subscribe_to, Publisher}.

publishes(Subscribers) ->
    receive
        {subscribe, Who} -> publishes([Who | Subscribers]);
        {publish, What} -> [Who ! {event, What} || Who <- Subscribers], publishes(Subscribers)
    end.

subscribes() ->
    receive
        {subscribe_to, Publisher} -> Publisher ! {subscribe, self()}, subscribes();
        {event, _} -> subscribes()
    end.

%% expect: leftovers:sleeper dpor pass
sleeper() ->
    spawn(fun() -> timer:sleep(infinity) end) ! hello.

%% expect: leftovers:hibernates dpor pass
hibernates() ->
    spawn(fun() -> proc_lib:hibernate(?MODULE, loop, [0]) end).

%% expect: leftovers:gen_server dpor pass
gen_server() ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    Self = self(),
    spawn(fun() -> Self ! gen_server:call(Server, hello, infinity) end),
    receive {said, hello} -> ok end.

init(server) -> {ok, none};
init({asks, Other}) -> {ok, Other};
init(statem) -> {ok, idle, none};
init(event) -> {ok, none};
init(children) -> {ok, {#{}, [#{id => one, start => {gen_server, start_link, [?MODULE, server, []]}}]}}.

handle_call(ask, _From, Other) -> {reply, gen_server:call(Other, ask, infinity), Other};
handle_call(What, _From, State) -> {reply, {said, What}, State}.
handle_cast({ask, Other}, State) -> gen_server:call(Other, ask, infinity), {noreply, State};
handle_cast({tell, Other}, State) -> Other ! {here_is, self()}, {noreply, State}.
handle_info(_What, State) -> {noreply, State}.

%% expect: leftovers:gen_statem dpor pass
gen_statem() ->
    {ok, Machine} = gen_statem:start(?MODULE, statem, []),
    ok = gen_statem:call(Machine, hello, infinity).

callback_mode() -> state_functions.
idle({call, From}, hello, Data) -> {keep_state, Data, [{reply, From, ok}]}.

%% expect: leftovers:gen_event dpor pass
gen_event() ->
    {ok, Manager} = gen_event:start(),
    ok = gen_event:add_handler(Manager, ?MODULE, event),
    gen_event:notify(Manager, hello).
handle_event(_Event, State) -> {ok, State}.

%% expect: leftovers:supervisor dpor pass
supervisor() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, children),
    [_] = supervisor:which_children(Supervisor).

%% Both servers are told of each other, and wait in their loops.
%% expect: leftovers:watcher dpor pass
watcher() ->
    {ok, One} = gen_server:start(?MODULE, server, []),
    {ok, Two} = gen_server:start(?MODULE, server, []),
    gen_server:cast(One, {tell, Two}),
    spawn(fun() -> Ref = monitor(process, One), receive {'DOWN', Ref, _, _, _} -> cleaned_up end end).

%% The receive is in a function of its own.
%% expect: leftovers:helper_receives dpor pass
helper_receives() ->
    Parent = spawn(fun() -> receive _ -> ok end end),
    spawn(fun() -> Parent ! {here, self()}, goes_round([]) end).
goes_round(Messages) ->
    Message = next_message(),
    goes_round([Message | Messages]).
next_message() ->
    receive {message, What} -> What end.

%% expect: leftovers:loop_in_fun dpor pass
loop_in_fun() ->
    Parent = spawn(fun() -> receive _ -> ok end end),
    spawn(fun() ->
        Loop = fun Again() -> receive {message, _} -> Again() end end,
        Parent ! {here, self()},
        Loop()
    end).

%% expect: leftovers:tells_result dpor pass
tells_result() ->
    Collector = spawn(fun() -> receive {result, 42} -> ok end end),
    spawn(fun() -> Collector ! {result, 42}, receive stop -> ok end end).

%% What it tells the test needs no answer when the test is over.
%% expect: leftovers:drives dpor pass
drives() ->
    Self = self(),
    spawn(fun() -> Self ! {ready, self()}, receive go -> ok end end),
    receive {ready, _} -> ok end.

%% Looks into its mailbox without waiting before it waits.
%% expect: leftovers:polls_inbox dpor pass
polls_inbox() ->
    Other = spawn(fun() -> receive {hello, _} -> ok end end),
    spawn(fun() -> looks(Other) end) ! {meet, Other}.
looks(Other) ->
    receive urgent -> ok after 0 -> ok end,
    receive {meet, Who} -> Who ! {hello, self()}, looks(Other) end.

%% ---- Deadlocks

%% expect: leftovers:question dpor bug deadlock
question() ->
    Server = spawn(fun() -> forgets() end),
    spawn(fun() -> Server ! {get, self()}, receive {value, _} -> ok end end).
forgets() ->
    receive {get, _From} -> forgets() end.

%% expect: leftovers:second_question dpor bug deadlock
second_question() ->
    Server = spawn(fun() -> receive {get, From} -> From ! {value, 1} end, forgets() end),
    spawn(fun() -> asks_again(Server) end).
asks_again(Server) ->
    Server ! {get, self()},
    receive {value, _} -> asks_again(Server) end.

%% The forks remember who waits for them.
%% expect: leftovers:philosophers dpor bug deadlock
philosophers() ->
    [One, Two] = [spawn(fun() -> fork() end) || _ <- [1, 2]],
    [spawn(fun() -> dines(Left, Right, 1) end) || {Left, Right} <- [{One, Two}, {Two, One}]].
dines(_, _, 0) -> ok;
dines(Left, Right, Times) ->
    take(Left),
    take(Right),
    [Fork ! free || Fork <- [Left, Right]],
    dines(Left, Right, Times - 1).
take(Fork) ->
    Fork ! {take, self()},
    receive taken -> ok end.
fork() -> fork([]).
fork([]) -> receive {take, Who} -> Who ! taken, fork([Who]) end;
fork([Holder | Waiting]) ->
    receive
        {take, Who} -> fork([Holder | Waiting ++ [Who]]);
        free when Waiting =:= [] -> fork([]);
        free -> hd(Waiting) ! taken, fork(Waiting)
    end.

%% expect: leftovers:servers_in_call dpor bug deadlock
servers_in_call() ->
    {ok, One} = gen_server:start(?MODULE, server, []),
    {ok, Two} = gen_server:start(?MODULE, {asks, One}, []),
    gen_server:cast(One, {ask, Two}).

%% expect: leftovers:callback_asks dpor bug deadlock
callback_asks() ->
    Deaf = spawn(fun() -> receive {'$gen_call', _, _} -> forgets() end end),
    {ok, Server} = gen_server:start(?MODULE, {asks, Deaf}, []),
    spawn(fun() -> gen_server:call(Server, ask, infinity) end).

%% expect: leftovers:not_taken dpor bug deadlock
not_taken() ->
    spawn(fun() -> loop(0) end) ! {bumb, self()}.

%% The server may be gone before it is asked.
%% expect: leftovers:server_gone dpor bug deadlock
server_gone() ->
    Server = spawn(fun() -> receive {get, From} -> From ! {value, 1}; stop -> ok end end),
    spawn(fun() -> Server ! stop end),
    spawn(fun() -> Server ! {get, self()}, receive {value, _} -> ok end end).

%% expect: leftovers:test_waits dpor bug deadlock
test_waits() ->
    Server = spawn(fun() -> forgets() end),
    Server ! {get, self()},
    receive {value, _} -> ok end.

%% expect: leftovers:start_never_acknowledged dpor bug deadlock
start_never_acknowledged() ->
    spawn(fun() -> proc_lib:start_link(?MODULE, never_ready, []) end).
never_ready() -> receive never -> ok end.

%% Its name is where the answer goes.
%% expect: leftovers:named_client dpor bug deadlock
named_client() ->
    Server = spawn(fun() -> receive {get, _} -> ok end end),
    spawn(fun() -> register(client, self()), Server ! {get, client}, receive {value, _} -> ok end end).

%% expect: leftovers:answer_by_reference dpor bug deadlock
answer_by_reference() ->
    Server = spawn(fun() -> receive {get, _, _} -> ok end end),
    spawn(fun() -> Ref = make_ref(), Server ! {get, Ref, self()}, receive {Ref, _} -> ok end end).

%% expect: leftovers:remote_evaluation dpor bug deadlock
remote_evaluation() ->
    spawn(fun() -> erpc:receive_response(erpc:send_request(node(), ?MODULE, never_ready, [])) end).
