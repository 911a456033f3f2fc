%% What the behaviours cost a search: clients of a gen_server, a supervisor whose children start, crash and stop, and
%% processes that log.
-module(behaviours).
-export([calls/0, supervisor/0, logger/0]).
-export([init/1, handle_call/3, handle_cast/2, log/2, start_child/0]).

%% Three clients, each with calls of its own.
calls() ->
    {ok, Server} = gen_server:start(?MODULE, counter, []),
    join([fun() -> [ok = gen_server:call(Server, {add, N}, infinity) || N <- [1, 2, 3]] end || _ <- [1, 2, 3]]),
    18 = gen_server:call(Server, read, infinity),
    gen_server:stop(Server).

supervisor() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, supervisor),
    join([fun() ->
              {ok, Child} = supervisor:start_child(Supervisor, child(Id)),
              Child ! stop,
              supervisor:terminate_child(Supervisor, Id)
          end || Id <- [1, 2, 3]]),
    unlink(Supervisor),
    exit(Supervisor, shutdown).

logger() ->
    ok = logger:remove_handler(default),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    join([fun() -> [logger:notice("event ~p", [N]) || N <- [1, 2]] end || _ <- [1, 2, 3]]),
    Events = [receive {event, Event} -> Event end || _ <- lists:seq(1, 6)],
    ["event 1", "event 2"] = lists:usort(Events),
    ok = logger:remove_handler(?MODULE).

join(Funs) -> [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- [spawn_monitor(F) || F <- Funs]].

child(Id) -> #{id => Id, start => {?MODULE, start_child, []}, restart => temporary}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

init(counter) -> {ok, 0};
init(supervisor) -> {ok, {#{intensity => 100, period => 1}, []}}.
handle_call({add, N}, _From, Count) -> {reply, ok, Count + N};
handle_call(read, _From, Count) -> {reply, Count, Count}.
handle_cast(_, Count) -> {noreply, Count}.
log(#{msg := {Format, Arguments}}, #{config := Receiver}) ->
    Receiver ! {event, lists:flatten(io_lib:format(Format, Arguments))}.
