%% Calls the functions of newer_code.S and prints what they return.
-module(newer_code_main).
-export([main/0]).

main() ->
    Bits = [<<>>, <<1:1>>, <<1>>, <<7, 1>>, <<7, 2>>, <<7, 1:7>>, <<5:3, 0:5, 1, 2, 3, 4>>, <<5:3, 9:5, 1, 2, 3, 4, 5, 6, 7>>,
            <<4:3, 0:5, 1, 2, 3, 4>>, <<5:3, 0:5, 1, 2, 3, 4, 1:1>>, <<-1:79>>, <<1:7, -2:32/little, 99:40>>, <<-5:7, 300:32/little, 1:40>>,
            <<2147483647:31, 0:4>>, <<2147483647:31, 1:4>>, <<2147483647:31, 0:5>>, <<1:4, 5:3>>, <<1:4, 77:9>>, <<1:4, 5:4>>,
            <<-1:63>>, <<-1:64>>, <<-2:63>>, <<-1:200>>, <<0:63, 1>>, a, [], {1, 2}],
    %% At the beginning of a binary, and in the middle of one.
    [show(F, [newer_code:F(B) || B <- Bits ++ [shift(B) || B <- Bits]])
     || F <- [header, signed, exactly, shared, rest, unit, longest]],
    show(update, newer_code:update({a, b, c, d}, {x})),
    show(same, [newer_code:same(T) || T <- [{a, b, 7}, {a, b, c}]]),
    Values = [1, 2, 1.0, a, <<1>>, [], {}, #{}, 1 bsl 70, -(1 bsl 70)],
    show(limits, [newer_code:limits(A, B) || A <- Values, B <- Values]),
    show(between, [newer_code:between(A, B, C) || A <- Values, B <- Values, C <- Values]),
    show(is_between, [reason(fun() -> newer_code:is_between(A, B, 5) end) || A <- Values, B <- Values]),
    show(record_kind, [newer_code:record_kind(V) || V <- Values]),
    show(field, [reason(fun() -> newer_code:field(V) end) || V <- Values]),
    show(field_or, [newer_code:field_or(V) || V <- Values]),
    show(accessible, [newer_code:accessible(V) || V <- Values]),
    show(elements, [newer_code:elements(V) || V <- Values]).

shift(B) when is_bitstring(B) ->
    <<_:3, Rest/bitstring>> = <<5:3, B/bitstring>>,
    Rest;
shift(Other) -> Other.

show(Name, Value) -> io:format("~p: ~w~n", [Name, Value]).
reason(F) -> try F() catch C:R -> {C, R} end.
