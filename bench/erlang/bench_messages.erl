%% Two processes that pass a message back and forth 100 times, in one schedule.
-module(bench_messages).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Self = self(),
    Pid = spawn(fun() -> echo(Self) end),
    ping(100, Pid),
    run(N - 1).

ping(0, Pid) -> Pid ! stop;
ping(K, Pid) ->
    Pid ! {ping, K},
    receive {pong, K} -> ping(K - 1, Pid) end.

echo(Parent) ->
    receive
        {ping, K} -> Parent ! {pong, K}, echo(Parent);
        stop -> ok
    end.
