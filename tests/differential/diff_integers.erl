%% Integers of all sizes: operators (as instructions and as calls), conversions to and from text and floats.
-module(diff_integers).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, integer/0, small_integer/0, number/0, float/0, wrong/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

%% Mostly an integer.
operand() ->
    case rnd(25) of
        0 -> wrong();
        1 -> float();
        _ -> integer()
    end.

test() ->
    case rnd(11) of
        0 ->
            {erlang, pick(['+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor', '/', 'max', 'min']), [operand(), operand()]};
        1 ->
            {erlang, pick(['bnot', '-', '+', abs, float, trunc, round, ceil, floor, integer_to_list, integer_to_binary,
                           is_integer]), [operand()]};
        2 ->
            {erlang, pick(['bsl', 'bsr']), [operand(), pick({small_integer(), range(-200, 200), operand_small()})]};
        3 ->
            {erlang, pick(['<', '>', '=<', '>=', '==', '/=', '=:=', '=/=']), [operand(), operand()]};
        4 ->
            Base = case chance(5) of true -> wrong(); false -> range(0, 38) end,
            {erlang, pick([integer_to_list, integer_to_binary]), [operand(), Base]};
        5 ->
            Base = range(2, 36),
            Text = mangle(integer_to_list(integer(), Base)),
            case rnd(4) of
                0 -> {erlang, list_to_integer, [Text, Base]};
                1 -> {erlang, binary_to_integer, [list_to_binary(Text), Base]};
                2 -> {string, to_integer, [Text]};
                3 -> {erlang, list_to_integer, [Text]}
            end;
        6 ->
            A = operand(), B = operand(), Op = pick(operators()),
            {{Op, A, B}, fun() -> op(Op, A, B) end};
        7 ->
            A = operand(), B = operand(), C = operand(),
            {{mixed, A, B, C}, fun() -> (A + B) * C - (A - C) * (B + 1) end};
        8 ->
            A = integer(), B = integer(),
            {{division_law, A, B}, fun() -> {A div B, A rem B, (A div B) * B + A rem B =:= A} end};
        9 ->
            A = operand(), Op = pick(['plus_one', 'minus_one', 'double', 'square', 'negate', 'invert', 'mask', 'shift', 'odd']),
            {{Op, A}, fun() -> unary(Op, A) end};
        10 ->
            Base = abs(small_integer()) + 2, Exponent = rnd(60),
            {{power, Base, Exponent}, fun() -> {power(Base, Exponent), factorial(Exponent)} end}
    end.

operand_small() -> pick({0, 1, 63, 64, 65, -64, 1000, a, 1.0}).

%% Sometimes no number any more.
mangle(Text) ->
    case rnd(12) of
        0 -> "+" ++ Text;
        1 -> Text ++ " ";
        2 -> [];
        3 -> Text ++ "_1";
        4 -> "-" ++ Text;
        5 -> string:lowercase(Text);
        6 -> "000" ++ Text;
        _ -> Text
    end.

operators() -> ['+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor', '<', '=<', '==', '=:=', '/=', '=/=', '>', '>='].

op('+', A, B) -> A + B;
op('-', A, B) -> A - B;
op('*', A, B) -> A * B;
op('div', A, B) -> A div B;
op('rem', A, B) -> A rem B;
op('band', A, B) -> A band B;
op('bor', A, B) -> A bor B;
op('bxor', A, B) -> A bxor B;
op('<', A, B) -> if A < B -> less; true -> not_less end;
op('=<', A, B) -> if A =< B -> at_most; true -> more end;
op('==', A, B) -> if A == B -> equal; true -> different end;
op('=:=', A, B) -> if A =:= B -> exactly; true -> not_exactly end;
op('/=', A, B) -> if A /= B -> different; true -> equal end;
op('=/=', A, B) -> if A =/= B -> not_exactly; true -> exactly end;
op('>', A, B) -> if A > B -> greater; true -> not_greater end;
op('>=', A, B) -> if A >= B -> at_least; true -> less end.

unary(plus_one, A) -> A + 1;
unary(minus_one, A) -> A - 1;
unary(double, A) -> A + A;
unary(square, A) -> A * A;
unary(negate, A) -> -A;
unary(invert, A) -> bnot A;
unary(mask, A) -> A band 16#ffff;
unary(shift, A) -> {A bsl 3, A bsr 3, A bsl 64, A bsr 64};
unary(odd, A) -> A rem 2.

power(_, 0) -> 1;
power(Base, N) -> Base * power(Base, N - 1).

factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).
