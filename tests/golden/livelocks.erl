%% Executions without an end: those that go round are a livelock, unless only the order is unfair; others are not seen to their end.
%% rules: default
-module(livelocks).
-export([ping_pong/0, to_itself/0, counts_up/0, polls/0, polls_alone/0, calls_for_ever/0, behind_the_test/0, long_but_ends/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% expect: livelocks:ping_pong dpor bug livelock
ping_pong() ->
    Pid = spawn(fun() -> bounce() end),
    Pid ! {ball, self()},
    bounce().
bounce() ->
    receive {ball, From} -> From ! {ball, self()} end,
    bounce().

%% The test has ended; a process of its goes on for ever.
%% expect: livelocks:behind_the_test dpor bug livelock
behind_the_test() ->
    Pid = spawn(fun() -> bounce() end),
    spawn(fun() -> Pid ! {ball, self()}, bounce() end).

%% expect: livelocks:to_itself dpor bug livelock
to_itself() ->
    self() ! again,
    receive again -> to_itself() end.

%% No state comes again: for reduction it is remembered who has watched the server.
%% expect: livelocks:calls_for_ever dpor incomplete
calls_for_ever() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    asks(Server).
asks(Server) ->
    nothing = gen_server:call(Server, anything, infinity),
    asks(Server).
init([]) -> {ok, none}.
handle_call(anything, _From, none) -> {reply, nothing, none}.
handle_cast(_, none) -> {noreply, none}.

%% No state comes again. (A small bound, so that it does not take long.)
%% options: --events 20000 --budget 3x
%% expect: livelocks:counts_up dpor incomplete
counts_up() -> counts_up(0).
counts_up(N) ->
    self() ! N,
    receive N -> counts_up(N + 1) end.

%% Nobody ever registers the name: there is nobody else who could move.
%% expect: livelocks:polls_alone dpor bug livelock
polls_alone() ->
    case whereis(somebody) of
        undefined -> polls_alone();
        Pid -> Pid
    end.

%% Where only the one who looks moves, that is no bug of the program; nor is all seen.
%% expect: livelocks:polls dpor incomplete
polls() ->
    spawn(fun() -> register(livelocks_somebody, self()), receive stop -> ok end end),
    wait_for_name().
wait_for_name() ->
    case whereis(livelocks_somebody) of
        undefined -> wait_for_name();
        Pid -> Pid ! stop
    end.

%% expect: livelocks:long_but_ends dpor pass
long_but_ends() -> counts_down(9000).
counts_down(0) -> ok;
counts_down(N) ->
    self() ! N,
    receive N -> counts_down(N - 1) end.
