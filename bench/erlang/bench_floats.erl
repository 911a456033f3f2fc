%% Floating point: an integral by the trapezoid rule in 1,000 steps.
-module(bench_floats).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Integral = integrate(0.0, 1.0, 1000),
    true = abs(Integral - 0.7853981) < 1.0e-6,
    run(N - 1).

integrate(From, To, Steps) -> integrate(From, (To - From) / Steps, Steps, 0.0).

integrate(_, _, 0, Sum) -> Sum;
integrate(X, Width, Steps, Sum) ->
    Next = X + Width,
    integrate(Next, Width, Steps - 1, Sum + (f(X) + f(Next)) * Width / 2).

f(X) -> 1.0 / (1.0 + X * X).
