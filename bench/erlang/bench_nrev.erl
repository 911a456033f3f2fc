%% Naive reverse of 30 elements: calls and list cells, nothing else.
-module(bench_nrev).
-export([run/1]).

run(0) -> ok;
run(N) ->
    [30 | _] = reverse(numbers()),
    run(N - 1).

numbers() -> [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30].

reverse([]) -> [];
reverse([H | T]) -> append(reverse(T), [H]).

append([], L) -> L;
append([H | T], L) -> [H | append(T, L)].
