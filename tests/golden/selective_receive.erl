%% A receive takes the oldest message that matches, and leaves the others where they are.
-module(selective_receive).
-export([out_of_order/0, oldest_match/0, guard/0, nothing_matches/0, rest_keeps_order/0]).

%% expect: selective_receive:out_of_order dfs pass schedules=1
out_of_order() ->
    self() ! a,
    self() ! b,
    receive b -> ok end,
    receive a -> ok end.

%% expect: selective_receive:oldest_match dfs pass schedules=1
oldest_match() ->
    [self() ! M || M <- [{x, 1}, {y, 1}, {x, 2}]],
    {x, 1} = receive {x, _} = M -> M end.

%% expect: selective_receive:guard dfs pass schedules=1
guard() ->
    [self() ! M || M <- [1, 2, 3, 4]],
    3 = receive N when N > 2 -> N end.

%% expect: selective_receive:nothing_matches dfs bug deadlock schedules=1
nothing_matches() ->
    self() ! wrong,
    receive right -> ok end.

%% expect: selective_receive:rest_keeps_order dfs pass schedules=1
rest_keeps_order() ->
    [self() ! M || M <- [1, 2, 3, 4, 5]],
    receive 3 -> ok end,
    receive 5 -> ok end,
    [1, 2, 4] = [receive M -> M end || _ <- [a, b, c]].
