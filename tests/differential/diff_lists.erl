%% Every function of the module lists, with good and bad arguments.
-module(diff_lists).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, term/1, key/0, small_integer/0, number/0, wrong/0,
                       string/0, integer/0, atom/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

%% Mostly a proper list of something.
any_list() ->
    case rnd(40) of
        0 -> wrong();
        1 -> [a, b | c];
        2 -> string();
        N when N < 16 -> list(15, fun diff_support:small_integer/0);
        N when N < 24 -> list(10, fun() -> term(1) end);
        N when N < 30 -> list(40, fun diff_support:small_integer/0);
        _ -> list(10, fun diff_support:key/0)
    end.

sorted() -> case chance(90) of true -> lists:sort(list(12, fun diff_support:key/0)); false -> any_list() end.

tuples() ->
    case chance(95) of
        true -> list(8, fun() -> pick([{key(), small_integer()}, {key(), key(), key()}, {key()}, key()]) end);
        false -> wrong()
    end.

pairs() -> list(8, fun() -> {key(), small_integer()} end).

position() -> pick([1, 1, 1, 2, 2, 3, 0, -1, a]).

count() -> pick([0, 1, 2, 3, 5, 8, small_integer(), wrong()]).

test() ->
    case rnd(12) of
        0 -> {lists, pick([all_ints(), any_name()]), [any_list()]};
        1 ->
            {F, A} = pick([{append, [any_list(), any_list()]}, {append, [[any_list(), any_list(), any_list()]]},
                           {concat, [list(5, fun() -> pick([atom(), integer(), string(), 1.5]) end)]},
                           {delete, [key(), any_list()]}, {subtract, [any_list(), any_list()]},
                           {duplicate, [pick([0, 1, 2, 7, -1, a, 1.0]), key()]}, {droplast, [any_list()]}, {last, [any_list()]},
                           {flatlength, [term(3)]}, {flatten, [list(4, fun() -> term(3) end)]}, {flatten, [term(3)]},
                           {flatten, [list(3, fun() -> list(3, fun diff_support:string/0) end), any_list()]}]),
            {lists, F, A};
        2 ->
            {F, A} = pick([{nth, [count(), any_list()]}, {nthtail, [count(), any_list()]},
                           {sublist, [any_list(), count()]}, {sublist, [any_list(), position(), count()]},
                           {split, [count(), any_list()]}, {seq, [small_integer(), small_integer()]},
                           {seq, [small_integer(), small_integer(), small_integer()]},
                           {seq, [small_integer(), pick([a, 1.0, -50, []])]}, {member, [key(), any_list()]},
                           {prefix, [any_list(), any_list()]}, {suffix, [any_list(), any_list()]},
                           {reverse, [any_list(), key()]}, {join, [key(), any_list()]}]),
            {lists, F, A};
        3 ->
            {F, A} = pick([{keydelete, [key(), position(), tuples()]}, {keyfind, [key(), position(), tuples()]},
                           {keymember, [key(), position(), tuples()]}, {keysearch, [key(), position(), tuples()]},
                           {keyreplace, [key(), position(), tuples(), {new, 1}]},
                           {keystore, [key(), position(), tuples(), {new, 1}]},
                           {keytake, [key(), position(), tuples()]}, {keysort, [1, tuples()]},
                           {keysort, [1, pairs()]}, {ukeysort, [1, pairs()]}, {keysort, [2, pairs()]},
                           {ukeysort, [2, pairs()]}]),
            {lists, F, A};
        4 ->
            {F, A} = pick([{merge, [sorted(), sorted()]}, {merge, [[sorted(), sorted(), sorted()]]}, {merge3, [sorted(), sorted(), sorted()]},
                           {umerge, [lists:usort(list(9, fun diff_support:key/0)), lists:usort(list(9, fun diff_support:key/0))]},
                           {umerge, [[lists:usort(list(5, fun diff_support:key/0)) || _ <- [1, 2, 3]]]},
                           {umerge3, [lists:usort(list(5, fun diff_support:key/0)), lists:usort(list(5, fun diff_support:key/0)), []]},
                           {keymerge, [1, lists:keysort(1, pairs()), lists:keysort(1, pairs())]},
                           {ukeymerge, [1, lists:ukeysort(1, pairs()), lists:ukeysort(1, pairs())]},
                           {sort, [any_list()]}, {usort, [any_list()]}]),
            {lists, F, A};
        5 ->
            {F, A} = pick([{unzip, [pairs()]}, {unzip, [any_list()]}, {unzip3, [list(4, fun() -> {key(), key(), key()} end)]},
                           {zip, [any_list(), any_list()]}, {zip3, [any_list(), any_list(), any_list()]}]),
            {lists, F, A};
        6 ->
            L = list(12, fun diff_support:small_integer/0), N = small_integer(), F = predicate_function(),
            {{F, N, L}, fun() -> lists:F(fun(X) -> X < N end, L) end};
        7 ->
            L = any_list(), F = pick([map, filter, foreach, flatmap, partition, all, any, takewhile, dropwhile, search, filtermap]),
            Way = pick([double, text, boolean]),
            {{F, Way, L}, fun() -> lists:F(fun(X) -> transform(Way, X) end, L) end};
        8 ->
            L = any_list(), F = pick([foldl, foldr, mapfoldl, mapfoldr]),
            {{F, L}, fun() -> lists:F(fold(F), [0], L) end};
        9 ->
            L = any_list(), M = any_list(),
            Way = pick([sort, merge, umerge, usort, zipwith, zipwith3, comprehension, double_comprehension, operators, uniq, enumerate]),
            {{Way, L, M}, fun() -> two(Way, L, M) end};
        10 ->
            L = any_list(), M = any_list(),
            {erlang, pick(['++', '--']), [L, M]};
        11 ->
            {F, A} = pick([{length, [any_list()]}, {hd, [any_list()]}, {tl, [any_list()]}, {list_to_tuple, [any_list()]},
                           {list_to_binary, [any_list()]}, {iolist_to_binary, [any_list()]}, {iolist_size, [any_list()]},
                           {list_to_bitstring, [any_list()]}, {is_list, [any_list()]}]),
            {erlang, F, A}
    end.

all_ints() -> pick([sum, max, min, sort, usort, reverse]).

any_name() -> pick([sort, usort, reverse, last, droplast, sum, max, min, flatten, flatlength, unzip, unzip3, append, concat, uniq,
                    enumerate, merge, umerge, no_such_function]).

predicate_function() -> pick([all, any, dropwhile, filter, partition, splitwith, takewhile, search, filtermap]).

transform(double, X) -> X * 2;
transform(text, X) -> integer_to_list(X);
transform(boolean, X) -> is_integer(X) andalso X rem 2 =:= 0.

fold(foldl) -> fun(X, Acc) -> [X | Acc] end;
fold(foldr) -> fun(X, Acc) -> [X, 1 | Acc] end;
fold(_) -> fun(X, Acc) -> {{X}, [X | Acc]} end.

two(sort, L, M) -> {lists:sort(fun(A, B) -> A >= B end, L), lists:sort(fun(_, _) -> true end, M)};
two(usort, L, M) -> {lists:usort(fun(A, B) -> A >= B end, L), lists:usort(fun(A, B) -> A =< B end, M)};
two(merge, L, M) -> lists:merge(fun(A, B) -> A =< B end, L, M);
two(umerge, L, M) -> lists:umerge(fun(A, B) -> A =< B end, lists:usort(L), lists:usort(M));
two(zipwith, L, M) -> lists:zipwith(fun(A, B) -> {A, B} end, L, M);
two(zipwith3, L, M) -> lists:zipwith3(fun(A, B, C) -> A + B + C end, L, M, L);
two(comprehension, L, _) -> [{X} || X <- L, is_integer(X), X > 3];
two(double_comprehension, L, M) -> [{X, Y} || X <- L, Y <- M, X =:= Y];
two(operators, L, M) -> {L ++ M, L -- M, length(L) + length(M)};
two(uniq, L, _) -> {lists:uniq(L), lists:uniq(fun({A, _}) -> A; (A) -> A end, L)};
two(enumerate, L, _) -> {lists:enumerate(L), lists:enumerate(5, L)}.
