%% Maps of up to ten keys: building, updating, matching, folding.
-module(bench_small_maps).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Map = lists:foldl(fun(K, M) -> M#{K => K * K} end, #{}, [a1(K) || K <- [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]),
    #{3 := 9, 10 := 100} = Map,
    Updated = Map#{3 := 0, 4 := 1},
    #{3 := 0} = Updated,
    370 + 7 = maps:fold(fun(_, V, Sum) -> Sum + V end, 0, Updated) + 16,
    9 = map_size(maps:remove(5, Updated)),
    run(N - 1).

a1(K) -> K.
