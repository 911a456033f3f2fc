%% Tuples and records.
-module(diff_tuples).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, list/2, small_integer/0, wrong/0, term/1, key/0]).

-record(point, {x = 0, y = 0, label}).
-record(pair, {left, right = [1, 2]}).

main() -> main(1, 2500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

tuple() ->
    case rnd(15) of
        0 -> wrong();
        1 -> list_to_tuple(list(40, fun() -> small_integer() end));
        2 -> #point{x = key(), label = key()};
        3 -> #pair{left = small_integer()};
        4 -> {point, 1};
        5 -> {pair, 1, 2, 3};
        _ -> list_to_tuple(list(6, fun() -> term(1) end))
    end.

index() -> pick([1, 1, 2, 2, 3, 4, 0, -1, 7, a, 1.0, 1 bsl 70]).

test() ->
    case rnd(3) of
        0 ->
            {F, A} = pick([{element, [index(), tuple()]}, {setelement, [index(), tuple(), new]}, {tuple_size, [tuple()]},
                           {tuple_to_list, [tuple()]}, {append_element, [tuple(), key()]}, {delete_element, [index(), tuple()]},
                           {insert_element, [index(), tuple(), key()]}, {make_tuple, [pick([0, 1, 5, 60, -1, a]), key()]},
                           {make_tuple, [5, key(), [{1, a}, {5, b}, {pick([2, 6, 0]), c}]]}, {size, [tuple()]},
                           {is_tuple, [tuple()]}, {is_record, [tuple(), pick([point, pair])]},
                           {is_record, [tuple(), pick([point, pair, 1]), pick([3, 4, -1])]}, {list_to_tuple, [list(20, fun() -> key() end)]}]),
            {erlang, F, A};
        1 ->
            T = tuple(), Way = pick([fields, update, update_two, match, guard, index, is_record, element_update]),
            {{Way, T}, fun() -> record(Way, T) end};
        2 ->
            T = tuple(), Way = pick([arity, head, nested, chain, same]),
            {{Way, T}, fun() -> match(Way, T) end}
    end.

record(fields, R) -> {R#point.x, R#point.y};
record(update, R) -> R#point{y = 7};
record(update_two, R) -> R#pair{left = 1, right = R#pair.left};
record(match, R) -> case R of #point{x = X, label = L} -> {X, L}; #pair{left = L} -> L; _ -> none end;
record(guard, R) when R#point.x > 3 -> large;
record(guard, R) when is_record(R, pair) -> pair;
record(guard, _) -> other;
record(index, R) -> {#point.label, element(#point.x, R)};
record(is_record, R) -> {is_record(R, point), is_record(R, pair, 3)};
record(element_update, R) -> setelement(#point.y, setelement(#point.x, R, 1), 2).

match(arity, {}) -> zero;
match(arity, {A}) -> {one, A};
match(arity, {A, B}) -> {two, B, A};
match(arity, {A, _, B}) -> {three, A, B};
match(arity, {_, _, _, A}) -> {four, A};
match(head, {a, X}) -> {a, X};
match(head, {ok, X, Y}) -> {Y, X};
match(head, {1, X}) -> X;
match(head, {point, X, _, _}) -> X;
match(nested, {_, {A}}) -> A;
match(nested, {_, [A | _]}) -> A;
match(nested, {{A, _}, _, _}) -> A;
match(chain, {A, B, C}) when A < B, B < C -> increasing;
match(chain, {A, B, C}) when A == B; B == C -> some_equal;
match(same, {A, A}) -> same;
match(same, {A, _, A}) -> ends.
