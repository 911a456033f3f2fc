%% Logging: ten events per iteration, formatted by logger_formatter in a handler of its own, and ten below the level.
-module(bench_logger).
-export([run/1]).
-export([log/2]).

run(N) ->
    logger:remove_handler(default),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self(),
                                                formatter => {logger_formatter, #{template => [level, " ", pid, " ", msg, "\n"]}}}),
    loop(N),
    ok = logger:remove_handler(?MODULE).

loop(0) -> ok;
loop(N) ->
    [begin
         logger:notice("event ~p of ~ts", [I, "ten"], #{iteration => N}),
         logger:debug("nobody sees ~p", [I])
     end || I <- lists:seq(1, 10)],
    10 = received(0),
    loop(N - 1).

received(Count) -> receive {event, _} -> received(Count + 1) after 0 -> Count end.

log(Event, #{formatter := {Module, Options}, config := Receiver}) ->
    Receiver ! {event, unicode:characters_to_binary(Module:format(Event, Options))}.
