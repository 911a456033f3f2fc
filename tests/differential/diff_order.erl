%% The order of all terms: comparison of random nested terms, sorting, minimum and maximum, exact equality.
-module(diff_order).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, term/0, term/1, number/0, float/0, integer/0]).

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    case rnd(7) of
        0 ->
            A = term(), B = term(),
            {{A, B}, fun() -> all(A, B) end};
        1 ->
            A = term(), B = variant(A),
            {{variant, A, B}, fun() -> all(A, B) end};
        2 ->
            L = list(12, fun() -> term(2) end),
            {{sort, L}, fun() -> lists:sort(L) end};
        3 ->
            L = list(12, fun() -> term(1) end),
            {{usort, L}, fun() -> lists:usort(L) end};
        4 ->
            L = [term(1) | list(8, fun() -> term(1) end)],
            {{extremes, L}, fun() -> {lists:max(L), lists:min(L), max(hd(L), lists:last(L)), min(hd(L), lists:last(L))} end};
        5 ->
            A = diff_support:map(), B = pick([diff_support:map(), A#{x => 1}, A#{extra => 2.0}]),
            {{maps, A, B}, fun() -> all(A, B) end};
        6 ->
            A = number(), B = number(),
            {{numbers, A, B}, fun() -> {all(A, B), all([A], [B]), all({A, B}, {B, A}), all(#{A => 1}, #{B => 1}),
                                        all(#{a => A}, #{a => B})} end}
    end.

all(A, B) ->
    {A < B, A =< B, A > B, A >= B, A == B, A /= B, A =:= B, A =/= B, same(A, B), same(B, A)}.

%% Equality by matching, which is exact.
same(A, A) -> match;
same(A, B) when A == B -> equal;
same(_, _) -> different.

%% Almost the same term.
variant(T) when is_integer(T) -> pick([T, T + 1, try float(T) catch error:_ -> T - 1 end]);
variant(T) when is_float(T) -> pick([T, -T, trunc(T)]);
variant([H | T]) -> pick([[H | T], [variant(H) | T], [H | variant(T)], T, [H]]);
variant(T) when is_tuple(T), tuple_size(T) > 0 ->
    I = range(1, tuple_size(T)),
    pick([setelement(I, T, variant(element(I, T))), erlang:append_element(T, a), tuple_to_list(T)]);
variant(T) when is_map(T), map_size(T) > 0 ->
    K = hd(lists:sort(maps:keys(T))),
    pick([maps:update_with(K, fun variant/1, T), maps:remove(K, T), T#{new => 1}]);
variant(T) when is_binary(T) -> pick([<<T/binary, 0>>, <<T/binary, 1:1>>, T]);
variant(T) when is_bitstring(T) -> pick([<<T/bitstring, 0:1>>, T]);
variant(T) -> pick([T, term(1), [T]]).
