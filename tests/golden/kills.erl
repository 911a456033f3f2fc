%% Processes that are killed by nobody, at any point, at most one in each execution.
%% rules: default
%% options: --time idle --kill 1
-module(kills).
-export([is_told/0, waits_for_answer/0, linked/0, restarts/0, asks_again/0, ends_before/0, at_rest/0,
         between_sleeps/0, two_workers/0, of_two_one_lives/0, nobody_kills_the_test/0]).

answer() -> receive {From, ping} -> From ! {self(), pong} end.

%% The end of a process that was killed is no bug.
%% expect: kills:is_told dfs pass
is_told() ->
    {Pid, Ref} = spawn_monitor(fun answer/0),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok; {'DOWN', Ref, process, Pid, killed} -> ok end.

%% What follows from it may be.
%% expect: kills:waits_for_answer dfs bug deadlock
waits_for_answer() ->
    Pid = spawn(fun answer/0),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok end.

%% expect: kills:linked dfs bug abnormal_exit
linked() ->
    Pid = spawn_link(fun answer/0),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok end.

%% expect: kills:restarts dfs pass
restarts() ->
    process_flag(trap_exit, true),
    pong = restart_until_answered().

restart_until_answered() ->
    Pid = spawn_link(fun answer/0),
    Pid ! {self(), ping},
    receive
        {Pid, pong} -> pong;
        {'EXIT', Pid, killed} -> restart_until_answered()
    end.

%% The message may be taken, and no answer come.
%% expect: kills:asks_again dfs pass
asks_again() ->
    Pid = spawn(fun answer/0),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok
    after 1000 -> false = is_process_alive(Pid)
    end.

%% A process that has come to its end is not killed any more.
%% expect: kills:ends_before dpor pass schedules=1
ends_before() -> spawn(fun() -> ok end).

%% When nobody else moves any more.
%% expect: kills:at_rest dfs bug abnormal_exit
at_rest() ->
    Watched = spawn(fun() -> receive never -> ok end end),
    spawn(fun() ->
              Ref = monitor(process, Watched),
              receive {'DOWN', Ref, process, Watched, _} -> error(alone) end
          end).

%% Before time passes, between, or after that.
%% expect: kills:between_sleeps dfs bug assertion
between_sleeps() ->
    Pid = spawn(fun() -> receive never -> ok end end),
    timer:sleep(10),
    Was = is_process_alive(Pid),
    timer:sleep(10),
    case {Was, is_process_alive(Pid)} of
        {true, false} -> error({assertEqual, [{module, ?MODULE}, {line, ?LINE}, {expression, "between"},
                                              {expected, true}, {value, false}]});
        _ -> ok
    end.

workers() -> [spawn_monitor(fun() -> ok = receive stop -> ok end end) || _ <- [1, 2]].

how_they_end() ->
    Workers = workers(),
    [Pid ! stop || {Pid, _} <- Workers],
    [receive {'DOWN', Ref, process, _, Reason} -> Reason end || {_, Ref} <- Workers].

%% expect: kills:two_workers dfs bug abnormal_exit
two_workers() -> [normal, normal] = how_they_end().

%% expect: kills:of_two_one_lives dfs pass
of_two_one_lives() -> true = lists:member(normal, how_they_end()).

%% expect: kills:nobody_kills_the_test dfs pass
nobody_kills_the_test() -> self() ! hello, receive hello -> ok end.
