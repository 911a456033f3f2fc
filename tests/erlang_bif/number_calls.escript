#!/usr/bin/env escript
%% Calls the number built-ins of this Erlang on random arguments and prints what came out, one call a line,
%% for numbers_test.cc to compare. Usage: number_calls.escript SEED COUNT
%%
%% A line is: module function arity arguments ok|error result. Terms are written in prefix form, so that both
%% sides can write them without the code under test: i<hex>, f<hex of the 64 bits>, a<atom>,
%% b<hex of the bytes>, {<size> elements, [<length> elements tail.
-mode(compile).

main([Seed, Count]) ->
    ok = io:setopts([{encoding, latin1}]),
    rand:seed(exsss, list_to_integer(Seed)),
    [print_call(odd_call(I)) || I <- lists:seq(1, length(odd_calls()))],
    [print_call(random_call()) || _ <- lists:seq(1, list_to_integer(Count))].

print_call({M, F, A}) ->
    Outcome = try call(M, F, A) of R -> ["ok ", encode(R)] catch error:E -> ["error ", encode(E)] end,
    io:put_chars([atom_to_list(M), $\s, atom_to_list(F), $\s, integer_to_list(length(A)), $\s,
                  [[encode(X), $\s] || X <- A], Outcome, $\n]).

call(order, compare, [A, B]) when A < B -> -1;
call(order, compare, [A, B]) when A == B -> 0;
call(order, compare, [_, _]) -> 1;
call(M, F, A) -> apply(M, F, A).

encode([]) -> "a[]";
encode(I) when is_integer(I) -> [$i, integer_to_list(I, 16)];
encode(F) when is_float(F) -> <<Bits:64>> = <<F/float>>, [$f, integer_to_list(Bits, 16)];
encode(A) when is_atom(A) -> [$a, atom_to_list(A)];
encode(B) when is_binary(B) -> [$b, [hex(X) || <<X>> <= B]];
encode(T) when is_tuple(T) -> [${, integer_to_list(tuple_size(T)), [[$\s, encode(X)] || X <- tuple_to_list(T)]];
encode(L) when is_list(L) -> {Elements, Tail} = split(L, []),
    [$[, integer_to_list(length(Elements)), [[$\s, encode(X)] || X <- Elements], $\s,
     encode(Tail)].

hex(X) -> [lists:nth(X div 16 + 1, "0123456789ABCDEF"), lists:nth(X rem 16 + 1, "0123456789ABCDEF")].
split([H | T], Acc) -> split(T, [H | Acc]);
split(Tail, Acc) -> {lists:reverse(Acc), Tail}.

random_call() ->
    case pick([arithmetic, arithmetic, arithmetic, bits, bits, compare, rounding, integer_text, integer_text,
               integer_of_text, integer_of_text, float_text, float_text, float_of_text, math]) of
        arithmetic -> {erlang, pick(['+', '-', '*', '/', 'div', 'rem']), [operand(), operand()]};
        bits ->
            case pick([1, 2, 3, 4]) of
                1 -> {erlang, pick(['bsl', 'bsr']), [operand(), distance()]};
                2 -> {erlang, pick(['bnot', '+', '-']), [operand()]};
                _ -> {erlang, pick(['band', 'bor', 'bxor']), [operand(), operand()]}
            end;
        compare -> {order, compare, close_numbers()};
        rounding -> {erlang, pick([abs, float, trunc, round, ceil, floor]), [operand()]};
        integer_text ->
            F = pick([integer_to_list, integer_to_binary]),
            {erlang, F, pick([[operand()], [operand(), base()]])};
        integer_of_text ->
            Base = pick([10, base()]),
            Text = mutate(integer_text(if is_integer(Base), Base > 1, Base < 37 -> Base; true -> 10 end)),
            case pick([1, 2, 3]) of
                1 -> {erlang, binary_to_integer, with_base(iolist_to_binary(Text), Base)};
                2 -> {erlang, list_to_integer, with_base(tail(Text), Base)};
                3 -> {string, list_to_integer, [tail(Text)]}
            end;
        float_text ->
            F = pick([float_to_list, float_to_binary]),
            {erlang, F, pick([[float_or_other()], [float_or_other(), float_options()], [float_number(), [short]],
                              [float_number(), [{decimals, rand:uniform(22) - 1}]]])};
        float_of_text ->
            Text = mutate(float_text()),
            case pick([1, 2, 3]) of
                1 -> {erlang, binary_to_float, [iolist_to_binary(Text)]};
                2 -> {erlang, list_to_float, [tail(Text)]};
                3 -> {string, list_to_float, [tail(Text)]}
            end;
        math ->
            case pick([1, 2, 3]) of
                1 -> {math, pick([atan2, fmod, pow]), [math_operand(), math_operand()]};
                _ -> {math, pick([acos, acosh, asin, asinh, atan, atanh, ceil, cos, cosh, erf, erfc, exp, floor,
                                  log, log10, log2, sin, sinh, sqrt, tan, tanh]), [math_operand()]}
            end
    end.

with_base(Text, 10) -> [Text];
with_base(Text, Base) -> [Text, Base].

pick(List) -> lists:nth(rand:uniform(length(List)), List).
uniform(Low, High) -> Low + rand:uniform(High - Low + 1) - 1.

operand() -> pick([integer(), integer(), integer(), integer(), float_number(), float_number(), other(), 0]).
other() -> pick([foo, [], "1", {1}, <<"1">>, integer(), integer(), integer()]).
base() -> pick([uniform(2, 36), uniform(2, 36), uniform(2, 36), uniform(2, 36), uniform(-2, 40), foo, 1 bsl 65]).
distance() -> pick([uniform(-70, 70), uniform(-700, 700), 64 * uniform(-9, 9), -(1 bsl pick([uniform(8, 12), uniform(26, 200)])), other_distance()]).
other_distance() -> pick([foo, 1.0, 0, -(1 bsl 64)]).

integer() ->
    case pick([1, 2, 3, 4, 5]) of
        1 -> uniform(-100, 100);
        2 -> sign() * (1 bsl uniform(0, 70)) + uniform(-2, 2);
        3 -> sign() * (1 bsl uniform(0, 300)) + uniform(-2, 2);
        4 -> sign() * bits(uniform(1, 200));
        5 -> sign() * bits(pick([64, 128, 192, 1000, 1023, 1024, 1025, 2500]))
    end.
sign() -> pick([1, -1]).
bits(N) -> rand:uniform(1 bsl N) - 1.

float_or_other() -> pick([float_number(), float_number(), float_number(), other()]).
float_number() ->
    case pick([1, 2, 3, 4, 5, 6]) of
        1 -> random_bits_float();
        2 -> float(uniform(-1000, 1000));
        3 -> sign() * uniform(0, 1000000) / pick([1, 10, 100, 1000, 10000, 1000000, 1.0e15]);
        4 -> neighbour(float(sign() * ((1 bsl uniform(0, 1023)) + uniform(-2, 2))));
        5 -> neighbour(sign() * uniform(1, 9999) * math:pow(10, uniform(-30, 30)));
        6 -> pick([0.0, -0.0, 5.0e-324, -5.0e-324, 1.7976931348623157e308, 0.1, 0.5, 1.5, 2.5, -0.5, 9007199254740991.0,
                   9007199254740992.0, 9007199254740994.0, 1.0e22, 1.0e23, 2.2250738585072014e-308])
    end.
random_bits_float() ->
    case <<(bits(64)):64>> of <<F/float>> -> F; _ -> random_bits_float() end.
neighbour(F) ->
    <<I:64>> = <<F/float>>,
    case <<(I + uniform(-2, 2)):64>> of <<G/float>> -> G; _ -> F end.
math_operand() ->
    pick([float_number(), uniform(-20, 20), uniform(-100, 100) / 10, uniform(-100, 100) / 50, rand:uniform(), operand()]).

%% Two numbers that are equal or nearly so, or any two.
close_numbers() ->
    A = integer(),
    F = float_number(),
    case pick([1, 2, 3, 4, 5]) of
        1 -> shuffle(A + uniform(-1, 1), try neighbour(float(A)) catch error:_ -> F end);
        2 -> shuffle(F, trunc(F) + uniform(-1, 1));
        3 -> [A, A + uniform(-1, 1)];
        4 -> [A, integer()];
        5 -> [F, pick([F, neighbour(F), float_number(), A])]
    end.
shuffle(A, B) -> pick([[A, B], [B, A]]).

integer_text(Base) ->
    Text = integer_to_list(integer(), Base),
    pick([Text, string:lowercase(Text), "+" ++ Text, "000" ++ Text, "-00" ++ Text]).
float_text() ->
    F = float_number(),
    pick([float_to_list(F), float_to_list(F, [short]), float_to_list(F, [{scientific, uniform(0, 40)}]),
          "+" ++ float_to_list(F),
          integer_to_list(integer()) ++ "." ++ integer_to_list(bits(uniform(1, 100))),
          integer_to_list(bits(30)) ++ "." ++ integer_to_list(bits(100)) ++ pick(["e", "E", "e+", "e-"]) ++
              integer_to_list(bits(uniform(1, 12)))]).
mutate(Text) ->
    case rand:uniform(4) of
        1 -> {A, B} = lists:split(uniform(0, length(Text)), Text), A ++ pick(["", "-", "+", ".", ",", "e", "E", "0", [0], " ", "z", "G", "é"]) ++ B;
        2 -> {A, B} = lists:split(uniform(0, length(Text)), Text), A ++ case B of [] -> []; [_ | T] -> T end;
        _ -> Text
    end.
tail(Text) ->
    case rand:uniform(20) of
        1 -> Text ++ foo;
        2 -> Text ++ [foo];
        3 -> Text ++ pick(["e", "e+", "x1", [300], [305], [1 bsl 70], [-1]]);
        _ -> Text
    end.
float_options() -> [float_option() || _ <- lists:seq(1, uniform(0, 3))].
float_option() ->
    pick([compact, compact, short, {decimals, uniform(-2, 30)}, {scientific, uniform(-2, 30)}, {decimals, uniform(0, 18)},
          {pick([decimals, scientific]), uniform(230, 260)}, pick([foo, {decimals, foo}, {foo, 3}, {decimals, 1 bsl 32}, {compact}])]).

odd_calls() ->
    [{erlang, list_to_integer, [[305]]}, {erlang, list_to_integer, [[301, $1]]}, {erlang, list_to_integer, [[-207, $1]]},
     {string, list_to_integer, [""]}, {string, list_to_integer, [foo]}, {string, list_to_integer, ["-"]},
     {string, list_to_integer, [[$- | foo]]}, {string, list_to_integer, [[foo]]}, {string, list_to_float, [foo]},
     {string, list_to_float, [""]}, {string, list_to_float, ["1.0e+x"]}, {string, list_to_float, ["1.5e+.3"]},
     {string, list_to_float, ["+-1.0"]}, {string, list_to_float, ["1.5e400"]},
     {erlang, binary_to_float, [<<"1.0", 0, "abc">>]}, {erlang, list_to_float, ["1,5"]},
     {erlang, list_to_float, ["1.0e-400"]}, {erlang, list_to_float, ["-1.0e-400"]}, {erlang, list_to_float, ["1.0e400"]},
     {erlang, list_to_float, ["0.0e99999999999999999999"]}, {erlang, list_to_float, ["0." ++ lists:duplicate(400, $0) ++ "1e400"]},
     {erlang, list_to_float, [lists:duplicate(400, $1) ++ ".0e-400"]}, {erlang, list_to_float, [[]]}, {erlang, list_to_float, [foo]},
     {erlang, float_to_list, [1.0e20, [{decimals, 0}, compact]]}, {erlang, float_to_list, [1.0e300, [{decimals, 0}]]},
     {erlang, float_to_list, [1.5, [{scientific, 249}]]}, {erlang, float_to_list, [1.5, [{scientific, 250}]]},
     {erlang, float_to_list, [1.5, [{decimals, 253}]]}, {erlang, float_to_list, [1.5, [{decimals, 254}]]},
     {erlang, float_to_list, [1.5, [short | foo]]}, {erlang, float_to_list, [1.5, foo]},
     {erlang, 'bsl', [0, 1 bsl 70]}, {erlang, 'bsl', [1, 1 bsl 70]}, {erlang, 'bsr', [1, -(1 bsl 70)]},
     {erlang, 'bsr', [0, -(1 bsl 70)]}, {erlang, 'bsl', [1, 1 bsl 58]}, {erlang, 'bsl', [-1, 1 bsl 58]},
     {erlang, 'bsl', [1 bsl 70, 1 bsl 70]}, {erlang, 'bsl', [1.0, 1 bsl 70]}, {erlang, 'bsl', [1, foo]},
     {erlang, 'div', [-(1 bsl 59), -1]}, {erlang, 'rem', [-(1 bsl 59), -1]}, {erlang, 'div', [-(1 bsl 59), 1 bsl 59]},
     {erlang, 'rem', [-(1 bsl 59), 1 bsl 59]}, {erlang, '*', [-(1 bsl 59), -1]}, {erlang, '-', [-(1 bsl 59)]},
     {erlang, '-', [0.0]}, {erlang, 'div', [1.0, 0]}, {erlang, 'rem', [1, 0]}, {erlang, '/', [0, 0]}, {erlang, '/', [1, -0.0]},
     {erlang, '*', [1.0e200, 1.0e200]}, {erlang, '+', [1 bsl 1024, 1.0]}, {erlang, '+', [foo]},
     {erlang, abs, [-0.0]}, {erlang, abs, [-(1 bsl 59)]}, {erlang, float, [1 bsl 1024]},
     {erlang, integer_to_list, [foo, 99]}, {erlang, binary_to_integer, [foo, 10]}, {erlang, binary_to_integer, [<<"12">>, foo]},
     {math, pow, [1 bsl 1030, foo]}, {math, pow, [foo, 1 bsl 1030]}, {math, log, [0]}, {math, sqrt, [-1]}].
odd_call(I) -> lists:nth(I, odd_calls()).
