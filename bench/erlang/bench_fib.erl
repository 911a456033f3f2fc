%% Fibonacci of 20: calls, comparisons and small integers.
-module(bench_fib).
-export([run/1]).

run(0) -> ok;
run(N) ->
    6765 = fib(20),
    run(N - 1).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
