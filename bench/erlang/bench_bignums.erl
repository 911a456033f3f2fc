%% Big integers: the factorial of 200 and its digits.
-module(bench_bignums).
-export([run/1]).

run(0) -> ok;
run(N) ->
    F = factorial(200, 1),
    375 = length(integer_to_list(F)),
    1 = unwind(200, F),
    run(N - 1).

factorial(0, Acc) -> Acc;
factorial(K, Acc) -> factorial(K - 1, K * Acc).

unwind(0, F) -> F;
unwind(K, F) when F rem K =:= 0 -> unwind(K - 1, F div K).
