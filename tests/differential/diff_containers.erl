%% The containers of the standard library: random sequences of operations on each, and everything that can be asked of the
%% result. What depends on the order of a large map is sorted.
-module(diff_containers).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, small_integer/0, wrong/0, key/0, sort/1]).

main() -> main(1, 1500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

%% Keys that do not compare equal without being the same.
plain_key() -> pick([rnd(40), {rnd(5), a}, pick([a, b, c, d]), [rnd(4)]]).

pairs(Max) -> list(Max, fun() -> {plain_key(), small_integer()} end).

test() ->
    Which = pick([dict, orddict, ordsets, sets, sets_v2, gb_trees, gb_sets, queue, array, proplists, chunks, lists_as_sets, errors]),
    L = pairs(pick([5, 30, 80])), M = pairs(10), K = plain_key(), N = range(0, 20),
    {{Which, L, M, K, N}, fun() -> work(Which, L, M, K, N) end}.

work(dict, L, M, K, N) ->
    D = dict:from_list(L),
    E = lists:foldl(fun({Key, V}, Acc) -> dict:store(Key, V, dict:erase(V, Acc)) end, D, M),
    F = dict:merge(fun(_, A, B) -> A - B end, D, dict:from_list(M)),
    {D, sort(dict:to_list(E)), dict:size(F), dict:find(K, E), dict:is_key(K, D), sort(dict:fetch_keys(F)),
     dict:fold(fun(_, V, Acc) -> V + Acc end, N, F), dict:filter(fun(_, V) -> V > N end, E),
     dict:map(fun(_, V) -> {V} end, D), dict:update_counter(K, N, D), dict:append(new, N, D), dict:take(K, E), dict:is_empty(E),
     dict:update(K, fun(V) -> V * 2 end, 0, E)};
work(orddict, L, M, K, N) ->
    D = lists:foldl(fun({Key, V}, Acc) -> orddict:store(Key, V, Acc) end, orddict:from_list(M), L),
    {D, orddict:find(K, D), orddict:erase(K, D), orddict:merge(fun(_, A, B) -> {A, B} end, D, orddict:from_list(M)),
     orddict:update_counter(K, N, D), orddict:fold(fun(_, V, A) -> V + A end, 0, D), orddict:filter(fun(_, V) -> V < N end, D),
     orddict:append(z, N, D), orddict:take(K, D), orddict:fetch_keys(D)};
work(ordsets, L, M, K, _) ->
    A = ordsets:from_list([X || {X, _} <- L]), B = ordsets:from_list([X || {X, _} <- M]),
    {A, ordsets:union(A, B), ordsets:intersection(A, B), ordsets:subtract(A, B), ordsets:is_subset(B, A), ordsets:is_disjoint(A, B),
     ordsets:add_element(K, A), ordsets:del_element(K, A), ordsets:is_element(K, A), ordsets:union([A, B, [K]]),
     ordsets:intersection([A, B]), ordsets:filter(fun is_tuple/1, A), ordsets:fold(fun(X, S) -> [X | S] end, [], B)};
work(sets, L, M, K, _) -> set(sets:from_list([X || {X, _} <- L], [{version, 1}]), sets:from_list([X || {X, _} <- M], [{version, 1}]), K);
work(sets_v2, L, M, K, _) -> set(sets:from_list([X || {X, _} <- L], [{version, 2}]), sets:from_list([X || {X, _} <- M], [{version, 2}]), K);
work(gb_trees, L, M, K, N) ->
    T = lists:foldl(fun({Key, V}, Acc) -> gb_trees:enter(Key, V, Acc) end, gb_trees:empty(), L),
    U = lists:foldl(fun({Key, _}, Acc) -> gb_trees:delete_any(Key, Acc) end, T, M),
    {T, gb_trees:to_list(U), gb_trees:size(U), gb_trees:lookup(K, T), gb_trees:balance(U), gb_trees:keys(U), gb_trees:values(U),
     gb_trees:is_defined(K, T), gb_trees:map(fun(_, V) -> V + N end, U), gb_trees:next(gb_trees:iterator_from(K, U)),
     gb_trees:from_orddict(orddict:from_list(L)), gb_trees:take_any(K, T),
     case gb_trees:is_empty(U) of true -> empty; false -> {gb_trees:smallest(U), gb_trees:largest(U), gb_trees:take_smallest(U), gb_trees:take_largest(U)} end};
work(gb_sets, L, M, K, _) ->
    A = gb_sets:from_list([X || {X, _} <- L]), B = lists:foldl(fun({X, _}, S) -> gb_sets:add(X, S) end, gb_sets:new(), M),
    {A, B, gb_sets:union(A, B), gb_sets:intersection(A, B), gb_sets:difference(A, B), gb_sets:is_subset(B, A), gb_sets:is_disjoint(A, B),
     gb_sets:to_list(gb_sets:del_element(K, A)), gb_sets:is_member(K, A), gb_sets:balance(B), gb_sets:filter(fun is_atom/1, A),
     gb_sets:fold(fun(X, S) -> [X | S] end, [], B), gb_sets:next(gb_sets:iterator(B))};
work(queue, L, M, K, N) ->
    Q = lists:foldl(fun({X, V}, Acc) when V > 8 -> queue:in_r(X, Acc);
                       ({_, V}, Acc) when V < -3 -> element(2, queue:out(Acc));
                       ({_, V}, Acc) when V < 0 -> element(2, queue:out_r(Acc));
                       ({X, _}, Acc) -> queue:in(X, Acc)
                    end, queue:new(), L),
    R = queue:from_list(M), S = min(N, queue:len(Q)),
    {Q, queue:to_list(Q), queue:len(Q), queue:is_empty(Q), queue:out(Q), queue:out_r(Q), queue:peek(Q), queue:peek_r(Q), queue:join(Q, R),
     queue:reverse(Q), queue:split(S, Q), queue:member(K, Q), queue:filter(fun is_tuple/1, Q), queue:fold(fun(X, A) -> [X | A] end, [], R),
     queue:all(fun is_tuple/1, R), queue:any(fun is_atom/1, R), queue:delete(K, Q)};
work(array, L, M, K, N) ->
    A = lists:foldl(fun({I, V}, Acc) when is_integer(I) -> array:set(I, V, Acc); (_, Acc) -> Acc end, array:new([{default, K}]), L),
    B = array:from_list(M),
    {A, array:size(A), array:to_list(A), array:sparse_to_list(A), array:get(N, A), array:reset(N, A), array:resize(N, A), array:to_orddict(B),
     array:map(fun(I, V) -> {I, V} end, B), array:foldl(fun(I, _, S) -> I + S end, 0, A), array:foldr(fun(_, V, S) -> [V | S] end, [], B),
     array:fix(B), array:relax(array:fix(B)), array:sparse_size(A), array:sparse_map(fun(_, V) -> V end, A), array:is_fix(B), array:default(A)};
work(proplists, L, M, K, _) ->
    P = [case V rem 3 of 0 -> Key; _ -> {Key, V} end || {Key, V} <- L] ++ [odd, {no}, {a, b, c}],
    {proplists:get_value(K, P), proplists:get_value(K, P, default), proplists:lookup(K, P), proplists:lookup_all(K, P), proplists:is_defined(K, P),
     proplists:get_all_values(K, P), proplists:append_values(K, P), proplists:get_bool(odd, P), sort(proplists:get_keys(P)), proplists:delete(K, P),
     proplists:compact(P), proplists:unfold(P), proplists:split(P, [K, a]), proplists:normalize([a, b | M], [{aliases, [{a, z}]}, {negations, [{b, no_b}]}]),
     sort(maps:to_list(proplists:to_map(M))), proplists:substitute_aliases([{a, other}], P), proplists:expand([{a, [x, y]}], P)};
work(chunks, L, _, _, N) ->
    Chunks = fun Chunk([]) -> []; Chunk(X) -> {H, T} = lists:split(min(3, length(X)), X), [H | Chunk(T)] end,
    {Chunks(L), lists:sum([V || {_, V} <- L]) + N};
work(lists_as_sets, L, M, _, _) ->
    A = [X || {X, _} <- L], B = [X || {X, _} <- M],
    {A -- B, sort(A), lists:usort(A ++ B), lists:subtract(B, A), lists:keysort(2, L), lists:keymerge(1, lists:keysort(1, L), lists:keysort(1, M))};
work(errors, L, _, K, N) ->
    Wrong = case N rem 10 of
                0 -> fun() -> dict:fetch(nothing, dict:from_list(L)) end;
                1 -> fun() -> gb_trees:get(nothing, gb_trees:from_orddict(orddict:from_list(L))) end;
                2 -> fun() -> gb_trees:insert(K, 1, gb_trees:insert(K, 2, gb_trees:empty())) end;
                3 -> fun() -> orddict:fetch(nothing, orddict:from_list(L)) end;
                4 -> fun() -> queue:get(queue:new()) end;
                5 -> fun() -> array:get(-1, array:new()) end;
                6 -> fun() -> array:set(10, x, array:new(5)) end;
                7 -> fun() -> gb_sets:smallest(gb_sets:new()) end;
                8 -> fun() -> queue:len(K) end;
                9 -> fun() -> dict:append_list(K, [1], dict:store(K, no_list, dict:new())) end
            end,
    Wrong().

set(A, B, K) ->
    All = fun(S) -> sort(sets:to_list(S)) end,
    {All(A), All(sets:union(A, B)), All(sets:intersection(A, B)), All(sets:subtract(A, B)), sets:is_subset(B, A), sets:is_disjoint(A, B), sets:size(A),
     sets:is_element(K, A), All(sets:add_element(K, A)), All(sets:del_element(K, A)), All(sets:filter(fun is_tuple/1, A)),
     sort(sets:fold(fun(X, S) -> [X | S] end, [], B)), sets:is_empty(A), sets:is_set(A)}.
