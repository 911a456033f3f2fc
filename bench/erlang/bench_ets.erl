%% Tables: inserts, look-ups, counters, deletions and a selection, on a set and an ordered_set of a thousand rows.
-module(bench_ets).
-export([run/1]).

run(N) -> [run(Type, N) || Type <- [set, ordered_set]], ok.

run(Type, N) ->
    Table = ets:new(bench, [Type, public]),
    loop(Table, N),
    ets:delete(Table).

loop(_, 0) -> ok;
loop(Table, N) ->
    fill(Table, 1000),
    1000 = find(Table, 1000, 0),
    count(Table, 1000),
    500 = ets:select_count(Table, [{{'$1', '_', '_'}, [{'>', '$1', 500}], [true]}]),
    empty(Table, 1000),
    loop(Table, N - 1).

fill(_, 0) -> ok;
fill(Table, K) -> ets:insert(Table, {K, row, 0}), fill(Table, K - 1).

find(_, 0, Found) -> Found;
find(Table, K, Found) -> [{K, row, 0}] = ets:lookup(Table, K), find(Table, K - 1, Found + 1).

count(_, 0) -> ok;
count(Table, K) -> 1 = ets:update_counter(Table, K, {3, 1}), count(Table, K - 1).

empty(_, 0) -> ok;
empty(Table, K) -> ets:delete(Table, K), empty(Table, K - 1).
