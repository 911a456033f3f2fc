%% Joining children, which is free of races, and what looks like it.
-module(barrier).
-export([join/0, join_by_monitor/0, counted_results/0]).

%% expect: barrier:join dfs pass
join() ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), N * N} end) || N <- [1, 2, 3]],
    [1, 4, 9] = [receive {Pid, R} -> R end || Pid <- Pids].

%% expect: barrier:join_by_monitor dfs pass
join_by_monitor() ->
    Children = [spawn_monitor(fun() -> exit(normal) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Children],
    ok.

%% The results without the pids come in any order.
%% expect: barrier:counted_results dfs bug abnormal_exit
counted_results() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    [1, 2] = [receive N -> N end || _ <- [1, 2]],
    ok.
