%% Formatting text with io_lib, as logging and printing do.
-module(bench_format).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Term = {state, [{key, N, "text"}, {other, 1.5, <<"binary">>}], #{a => 1, b => [x, y]}},
    _ = lists:flatten(io_lib:format("~p ~w ~s ~5.2f ~8.16.0b~n", [Term, Term, "string", 3.14159, 48879])),
    _ = iolist_to_binary(io_lib:format("~ts: ~p (~b of ~b)", ["name", ok, N, 100])),
    run(N - 1).
