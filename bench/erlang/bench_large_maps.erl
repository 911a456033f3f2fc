%% Maps of 1,000 keys: insertion, lookup, update, removal.
-module(bench_large_maps).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Map = fill(1000, #{}),
    500500 = sum(1000, Map, 0),
    Doubled = maps:map(fun(_, V) -> V * 2 end, Map),
    1001000 = sum(1000, Doubled, 0),
    0 = map_size(clear(1000, Doubled)),
    run(N - 1).

fill(0, Map) -> Map;
fill(K, Map) -> fill(K - 1, Map#{K => K}).

sum(0, _, Sum) -> Sum;
sum(K, Map, Sum) -> #{K := V} = Map, sum(K - 1, Map, Sum + V).

clear(0, Map) -> Map;
clear(K, Map) -> clear(K - 1, maps:remove(K, Map)).
