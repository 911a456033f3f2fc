%% Sorting 1,000 numbers: by the library, by a fun, by key.
-module(bench_sort).
-export([run/1]).

run(N) -> run(N, numbers(1000, 42)).

run(0, _) -> ok;
run(N, Numbers) ->
    [Least | _] = lists:sort(Numbers),
    Least = lists:last(lists:sort(fun(A, B) -> A >= B end, Numbers)),
    [{Least, _} | _] = lists:keysort(1, [{X, a} || X <- Numbers]),
    run(N - 1, Numbers).

numbers(0, _) -> [];
numbers(N, Seed) -> [Seed | numbers(N - 1, Seed * 16807 rem 2147483647)].
