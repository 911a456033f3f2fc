%% Guards: a guard expression that fails makes the guard false and raises nothing.
-module(diff_guards).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, small_integer/0, number/0, wrong/0, term/1, map/0]).

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

value() -> pick([term(1), term(2), small_integer(), number(), wrong(), map(), true, false, {1, 2}, [1, 2, 3], <<1, 2, 3>>, <<1:5>>,
                 fun() -> ok end, fun(X) -> X end]).

test() ->
    A = value(), B = value(), C = value(),
    case rnd(2) of
        0 ->
            Number = rnd(40),
            {{guard, Number, A, B, C}, fun() -> guard(Number, A, B, C) end};
        1 ->
            {{all, A, B, C}, fun() -> [guard(N, A, B, C) || N <- lists:seq(0, 39)] end}
    end.

guard(0, A, B, _) when A + B > 0 -> yes;
guard(1, A, _, _) when hd(A) =:= 1 -> yes;
guard(2, A, B, _) when element(A, B) > 0 -> yes;
guard(3, A, B, _) when A / B > 1; B > A -> yes;
guard(4, A, B, C) when is_integer(A), B div A > 1; is_atom(C) -> yes;
guard(5, A, _, _) when length(A) > 1 orelse true -> yes;
guard(6, A, _, _) when is_list(A) andalso length(A) > 1 orelse is_tuple(A) -> yes;
guard(7, A, _, _) when not is_list(A), A -> yes;
guard(8, A, _, _) when map_size(A) > 2 -> yes;
guard(9, A, B, _) when is_map_key(A, B) -> yes;
guard(10, A, B, _) when map_get(A, B) > 0; not is_map(B) -> yes;
guard(11, A, _, _) when byte_size(A) > 2 -> yes;
guard(12, A, _, _) when bit_size(A) rem 8 =:= 5 -> yes;
guard(13, A, _, _) when tuple_size(A) =:= 2 -> yes;
guard(14, A, _, _) when abs(A) > 5 -> yes;
guard(15, A, _, _) when trunc(A) =:= round(A) -> yes;
guard(16, A, B, _) when A band B =/= 0 -> yes;
guard(17, A, B, _) when A bsl B > 100 -> yes;
guard(18, A, B, C) when A < B, B < C -> increasing;
guard(18, A, B, C) when A =< B; B =< C -> partly;
guard(19, A, B, _) when (A =:= B) or (A > B) -> yes;
guard(20, A, B, _) when (A) and (B) -> yes;
guard(21, A, B, _) when A xor B -> yes;
guard(22, A, B, _) when (is_integer(A) and is_integer(B)) andalso A > B -> yes;
guard(23, A, _, _) when is_function(A, 1) -> yes;
guard(24, A, B, _) when is_function(A, B) -> yes;
guard(25, A, _, _) when node(A) =:= node() -> yes;
guard(26, A, _, _) when self() =:= A -> yes;
guard(27, A, _, _) when float(A) == A, is_float(A) -> yes;
guard(28, A, B, _) when binary_part(A, 0, B) =:= <<1>> -> yes;
guard(29, A, _, _) when ceil(A) > floor(A) -> yes;
guard(30, A, _, _) when size(A) > 1 -> yes;
guard(31, A, B, C) when [A, B] == C; {A, B} == C -> yes;
guard(32, A, _, _) when tl(A) =/= [] -> yes;
guard(33, A, B, C) when A > B, (B > C) =/= (A == C) -> yes;
guard(34, A, B, _) when A rem B =:= 0; is_boolean(A), B -> yes;
guard(35, A, _, _) when -A > 0 -> yes;
guard(36, A, _, _) when bnot A < 0 -> yes;
guard(37, A, B, _) when #{k => A} =:= #{k => B} -> yes;
guard(38, A, B, _) when <<A:8>> =:= <<B:8>> -> yes;
guard(39, A, B, C) when is_record(A, point, 3); A =:= B andalso B =:= C -> yes;
guard(_, _, _, _) -> no.
