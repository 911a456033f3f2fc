%% Maps: every function of the module maps, map syntax, small and large maps. What a large map gives in
%% its own order is sorted before it is printed.
-module(diff_maps).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, term/1, key/0, small_integer/0, wrong/0, map/0, large_map/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

any_map() ->
    case rnd(30) of
        0 -> wrong();
        N when N < 4 -> large_map();
        _ -> map()
    end.

some_key(Map) when is_map(Map), map_size(Map) > 0 ->
    case chance(60) of
        true -> pick(diff_support:sort(maps:keys(Map)));
        false -> key()
    end;
some_key(_) -> key().

test() ->
    case rnd(10) of
        0 ->
            M = any_map(), K = some_key(M),
            {F, A} = pick([{get, [K, M]}, {get, [K, M, default]}, {find, [K, M]}, {is_key, [K, M]}, {put, [K, new, M]},
                           {update, [K, new, M]}, {remove, [K, M]}, {take, [K, M]}]),
            {maps, F, A};
        1 ->
            M = any_map(), N = any_map(),
            {F, A} = pick([{merge, [M, N]}, {intersect, [M, N]}, {with, [[some_key(M), some_key(M)], M]},
                           {without, [[some_key(M), key()], M]}, {size, [M]}, {from_keys, [list(40, fun diff_support:key/0), x]}]),
            {maps, F, A};
        2 ->
            M = any_map(), F = pick([keys, values, to_list]),
            {{F, M}, fun() -> diff_support:sort(maps:F(M)) end};
        3 ->
            L = pick([list(6, fun() -> {key(), small_integer()} end), list(60, fun() -> {key(), small_integer()} end),
                      list(5, fun diff_support:key/0), wrong()]),
            {maps, from_list, [L]};
        4 ->
            M = any_map(), F = pick([map, filter, filtermap, foreach]),
            {{F, M}, fun() -> maps:F(fun(K, V) -> is_atom(K) orelse V > 5 end, M) end};
        5 ->
            M = any_map(),
            {{fold, M}, fun() -> diff_support:sort(maps:fold(fun(K, V, Acc) -> [{V, K} | Acc] end, [], M)) end};
        6 ->
            M = any_map(), K = some_key(M), Way = pick([with, init, merge, intersect, iterator, group]),
            {{Way, K, M}, fun() -> higher(Way, K, M) end};
        7 ->
            M = any_map(), K = some_key(M), Way = pick([assoc, exact, match, match_two, literal, nested, size, several]),
            {{Way, K, M}, fun() -> syntax(Way, K, M) end};
        8 ->
            Start = pick([#{}, map(), large_map()]), Operations = list(60, fun operation/0),
            {{operations, Start, Operations}, fun() -> lists:foldl(fun apply_operation/2, Start, Operations) end};
        9 ->
            {F, A} = pick([{map_size, [any_map()]}, {is_map, [any_map()]}, {map_get, [key(), any_map()]}, {is_map_key, [key(), any_map()]}]),
            {erlang, F, A}
    end.

higher(with, K, M) ->
    {maps:update_with(K, fun(V) -> {V, updated} end, M)};
higher(init, K, M) ->
    maps:update_with(K, fun(V) -> {V, updated} end, first, M);
higher(merge, K, M) ->
    maps:merge_with(fun(Key, A, B) -> {Key, A, B} end, M, #{K => other, more => 1});
higher(intersect, K, M) ->
    maps:intersect_with(fun(Key, A, B) -> {Key, A, B} end, M, #{K => other, more => 1});
higher(iterator, _, M) ->
    diff_support:sort(walk(maps:next(maps:iterator(M))));
higher(group, _, M) ->
    maps:map(fun(_, Keys) -> diff_support:sort(Keys) end,
             maps:groups_from_list(fun({_, V}) -> V rem 3 end, fun({K, _}) -> K end, maps:to_list(M))).

walk(none) -> [];
walk({K, V, Next}) -> [{K, V} | walk(maps:next(Next))].

syntax(assoc, K, M) -> M#{K => new, a => 1, {K} => 2};
syntax(exact, K, M) -> M#{K := new};
syntax(match, K, M) -> case M of #{K := V} -> {found, V}; #{} -> none; _ -> no_map end;
syntax(match_two, K, M) -> case M of #{K := V, a := W} -> {V, W}; #{a := W} -> W; #{b := _, c := X} -> X; _ -> none end;
syntax(literal, K, M) -> #{1 => M, K => K, a => a, 1.0 => b};
syntax(nested, K, M) -> #{x := #{K := V}} = #{x => M}, V;
syntax(size, K, M) when map_size(M) > 4, is_map_key(K, M) -> {large, map_get(K, M)};
syntax(size, K, M) when map_get(K, M) > 3 -> large_value;
syntax(size, _, _) -> other;
syntax(several, K, M) ->
    #{K := V} = N = M#{K => #{deep => [K]}},
    {V, maps:size(N), N =:= M, N == M#{K => #{deep => [K]}}}.

operation() ->
    case rnd(4) of
        0 -> {remove, pick([key(), range(1, 70)])};
        1 -> {put, key(), small_integer()};
        _ -> {put, range(1, 70), key()}
    end.

apply_operation({remove, K}, M) -> maps:remove(K, M);
apply_operation({put, K, V}, M) -> M#{K => V}.
