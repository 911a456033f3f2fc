%% A balanced tree of 500 keys: insertion, lookup, deletion, iteration.
-module(bench_gb_trees).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Keys = keys(500, 7),
    Tree = lists:foldl(fun(K, T) -> gb_trees:enter(K, K, T) end, gb_trees:empty(), Keys),
    lists:foreach(fun(K) -> {value, K} = gb_trees:lookup(K, Tree) end, Keys),
    Sum = lists:sum(gb_trees:values(Tree)),
    Sum = walk(gb_trees:next(gb_trees:iterator(Tree)), 0),
    true = gb_trees:is_empty(lists:foldl(fun gb_trees:delete_any/2, Tree, Keys)),
    run(N - 1).

keys(0, _) -> [];
keys(N, Seed) -> [Seed | keys(N - 1, Seed * 16807 rem 2147483647)].

walk(none, Sum) -> Sum;
walk({_, V, Next}, Sum) -> walk(gb_trees:next(Next), Sum + V).
