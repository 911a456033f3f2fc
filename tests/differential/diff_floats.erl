%% Floats: arithmetic, every form of printing and reading, rounding, math functions, comparison with integers.
-module(diff_floats).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, integer/0, small_integer/0, number/0, float/0, wrong/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

operand() ->
    case rnd(25) of
        0 -> wrong();
        1 -> integer();
        _ -> float()
    end.

test() ->
    case rnd(11) of
        0 -> {erlang, pick(['+', '-', '*', '/']), [operand(), operand()]};
        1 -> {erlang, pick([trunc, round, ceil, floor, abs, '-', float, float_to_list, float_to_binary, is_float]), [operand()]};
        2 -> {erlang, pick([float_to_list, float_to_binary]), [operand(), options()]};
        3 -> {erlang, pick(['<', '>', '=<', '>=', '==', '/=', '=:=', '=/=']), [operand(), close_to(operand())]};
        4 ->
            Text = text(),
            case rnd(4) of
                0 -> {erlang, list_to_float, [Text]};
                1 -> {erlang, binary_to_float, [list_to_binary(Text)]};
                2 -> {string, to_float, [Text]};
                3 -> {string, list_to_float, [Text]}
            end;
        5 -> {math, pick([sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, log, log2, log10,
                          sqrt, erf, erfc, ceil, floor]), [moderate()]};
        6 -> {math, pick([pow, atan2, fmod]), [moderate(), moderate()]};
        7 ->
            A = operand(), B = operand(), C = operand(), Op = pick([sum, product, quotient, mixed, negate]),
            {{Op, A, B, C}, fun() -> compute(Op, A, B, C) end};
        8 ->
            A = float(),
            {{round_trip, A}, fun() ->
                                      Short = float_to_list(A, [short]),
                                      Long = float_to_list(A),
                                      {Short, list_to_float(Short) =:= A, Long, io_lib_format:fwrite_g(A),
                                       <<A/float>>, <<A:32/float>>}
                              end};
        9 ->
            A = float(), I = trunc(float()) + range(-1, 1),
            {{around, A, I}, fun() -> {A < I, A == I, A > I, I < A, lists:sort([A, I]), max(A, I), min(I, A)} end};
        10 ->
            Bits = [rnd(256) || _ <- lists:seq(1, 8)],
            {{bits, Bits}, fun() -> from_bits(list_to_binary(Bits)) end}
    end.

compute(sum, A, B, C) -> A + B + C;
compute(product, A, B, C) -> A * B * C;
compute(quotient, A, B, C) -> A / B / C;
compute(mixed, A, B, C) -> (A + B) * (B - C) / 2;
compute(negate, A, B, C) -> -(A - B) + -C.

from_bits(Binary) ->
    <<Half:4/binary, _/binary>> = Binary,
    <<Word:2/binary, _/binary>> = Binary,
    {case Binary of <<A/float>> -> A; _ -> no_float end,
     case Binary of <<B/float-little>> -> B; _ -> no_float end,
     case Half of <<C:32/float>> -> C; _ -> no_float end,
     case Half of <<D:32/float-little>> -> D; _ -> no_float end,
     case Word of <<E:16/float>> -> E; _ -> no_float end}.

%% Near the bounds of exactness an integer and a float are compared with care.
close_to(A) when is_float(A) ->
    case rnd(3) of
        0 -> trunc(A) + range(-1, 1);
        1 -> A;
        2 -> number()
    end;
close_to(_) -> operand().

moderate() ->
    case rnd(6) of
        0 -> operand();
        1 -> small_integer();
        2 -> pick({0, 0.0, -0.0, 1, 1.0, -1.0, 0.5, -0.5, 2.0, 1.0e308, 1.0e-308});
        _ -> range(-2000, 2000) / pick({1, 7, 100, 1000})
    end.

options() ->
    pick([[], [short], [compact], [{decimals, rnd(25)}], [{decimals, rnd(10)}, compact], [{scientific, rnd(25)}],
          [{scientific, rnd(8)}, compact], [compact, {decimals, 4}], [{decimals, 254}], [{decimals, 253}],
          [{scientific, 250}], [{decimals, -1}], [short, compact], [bad], short, [{decimals, a}], [{decimals, 0}, compact]]).

text() ->
    Plain = pick([float_to_list(float()), float_to_list(float(), [short]),
                  float_to_list(range(-1000, 1000) / 8, [{decimals, rnd(6)}]), integer_to_list(range(-100, 100))]),
    case rnd(10) of
        0 -> Plain ++ "e5";
        1 -> Plain ++ "e400";
        2 -> "+" ++ Plain;
        3 -> "." ++ Plain;
        4 -> Plain ++ ".";
        5 -> Plain ++ "e-400";
        _ -> Plain
    end.
