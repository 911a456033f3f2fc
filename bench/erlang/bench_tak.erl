%% Takeuchi's and Ackermann's functions: deep recursion on small integers.
-module(bench_tak).
-export([run/1]).

run(0) -> ok;
run(N) ->
    7 = tak(12, 8, 6),
    125 = ackermann(3, 4),
    run(N - 1).

tak(X, Y, Z) when Y < X -> tak(tak(X - 1, Y, Z), tak(Y - 1, Z, X), tak(Z - 1, X, Y));
tak(_, _, Z) -> Z.

ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).
