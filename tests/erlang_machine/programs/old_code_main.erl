%% Calls the functions of old_code.S and prints what they return.
-module(old_code_main).
-export([main/0]).

main() ->
    Values = [1, 1.0, a, true, self(), make_ref(), [], [1], <<1>>, <<1:1>>, {}, {1, 2}, {a, b}, #{}, 1 bsl 70,
              fun(X) -> X end, fun() -> x end, fun lists:reverse/1],
    show(floats, [old_code:floats(A, B) || {A, B} <- [{1, 2}, {1.5, -3}, {1 bsl 70, 0.5}]]),
    show(bad_floats, [reason(fun() -> old_code:floats(A, B) end) || {A, B} <- [{0, 2}, {a, 1}, {1, 1.0e308}]]),
    show(zeroed, old_code:zeroed(x)),
    show(killed, old_code:killed(<<"k">>)),
    Server = spawn(fun Loop() -> receive {R, From, X} -> From ! {R, X * 2}, Loop() end end),
    self() ! noise,
    show(marked, [old_code:marked(Server, N) || N <- [1, 2, 3]]),
    exit(Server, normal),
    show(tests, [old_code:tests(V) || V <- Values]),
    show(arities, [old_code:arities(V) || V <- Values]),
    show(dropped, [old_code:dropped(V) || V <- [a, 1]]),
    show(two_moves, old_code:two_moves(1, 2)),
    show(fun2, old_code:fun2({1}, [2])),
    show(bytes, [old_code:bytes(A, B, C) || {A, B, C} <- [{1, 1.5, <<>>}, {-2, 3, <<"abc">>}, {1 bsl 80, 0, <<1:24>>}]]),
    show(bad_bytes, [reason(fun() -> old_code:bytes(A, B, C) end) || {A, B, C} <- [{a, 1.5, <<>>}, {1, a, <<>>}, {1, 1, a}]]),
    show(appended, [old_code:appended(A, B, C) || {A, B, C} <- [{<<>>, 1, 8}, {<<"abc">>, 258, 16}, {<<"a">>, -1, 3},
                                                               {<<"a">>, 1, -8}, {<<1:3>>, 1, 8}, {a, 1, 8}, {<<>>, a, 8}]]),
    show(chained, lists:foldl(fun(N, Acc) -> old_code:appended(Acc, N, 16) end, <<>>, lists:seq(1, 30))),
    show(private, [old_code:private(L) || L <- [[], [1], [1, 2, 3], lists:seq(4000, 4100)]]),
    show(sizes, [old_code:sizes(A, B) || {A, B} <- [{$a, $a}, {16#e9, 16#20ac}, {16#20ac, 16#1f600}, {16#1f600, 1}]]),
    show(utf, [old_code:utf(C) || C <- [$a, 16#e9, 16#20ac, 16#1f600, 16#d800, 16#110000, -1, a]]),
    show(skipped, [old_code:skipped(K, B) || {K, B} <- [{utf16, <<"😀a€"/utf16-little>>}, {utf32, <<"😀a€"/utf32>>},
                                                        {utf8, <<"😀a€"/utf8>>}, {utf8, <<255>>}, {utf16, <<1>>},
                                                        {utf32, <<16#110000:32>>}, {x, <<>>}, {utf8, x}]]),
    show(exact, [reason(fun() -> old_code:exact(M) end) || M <- [#{a => 0, "key" => 0}, #{a => 0}, x]]),
    show(init_bits, [old_code:init_bits(5, N) || N <- [0, 1, 3, 9, 70, -1, a]]),
    show(swapped, old_code:swapped(1, 2)),
    show(puts, old_code:puts(-1, x)),
    show(fails, [old_code:fails(W, V, S) || {W, V, S} <- [{integer, 1, 2}, {integer, a, 2}, {float, 1, 4}, {float, a, 8},
                                                          {float, 1, 3}, {binary, <<1, 2>>, 2}, {binary, <<1>>, 2},
                                                          {binary, a, 1}, {utf32, 65, 4}, {utf32, 16#d800, 4},
                                                          {integer, 1, -1}, {integer, 1, 1 bsl 60}]]).

show(Name, Value) -> io:format("~p: ~w~n", [Name, Value]).
reason(F) -> try F() catch C:R -> {C, R} end.
