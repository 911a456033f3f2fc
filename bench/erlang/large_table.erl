%% What a table costs a search that saves and restores: the same races on a table of three rows and of ten thousand.
-module(large_table).
-export([large/0, small/0]).

large() -> race(10000).
small() -> race(3).

race(Rows) ->
    Table = ets:new(table, [public]),
    ets:insert(Table, [{N, 0} || N <- lists:seq(1, Rows)]),
    Pids = [spawn_monitor(fun() -> [ets:update_counter(Table, N, 1) || N <- Keys] end) || Keys <- [[1, 2], [2, 3], [3, 1]]],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Pids],
    [{1, 2}] = ets:lookup(Table, 1).
