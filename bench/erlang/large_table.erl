%% Search over a state with a table of ten thousand rows: what saving and restoring it costs, beside small/0, the same
%% program on a table of three rows. Both have 12,870 / 2 = 6,435 orders of... (see below).
-module(large_table).
-export([large/0, small/0]).

large() -> race(10000).
small() -> race(3).

race(Rows) ->
    Table = ets:new(table, [public]),
    ets:insert(Table, [{N, 0} || N <- lists:seq(1, Rows)]),
    Pids = [spawn_monitor(fun() -> [ets:update_counter(Table, N, 1) || N <- [1, 2, 3, 1]] end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Pids],
    [{1, 4}] = ets:lookup(Table, 1).
