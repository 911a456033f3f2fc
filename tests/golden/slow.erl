%% What a slow process sends arrives when nothing else can happen, but before time passes.
%% rules: default
%% options: --time idle --delivery channels --slow slow:slow_one
-module(slow).
-export([comes_last/0, comes_before_time/0, others_vary/0]).
-export([slow_one/1]).

slow_one(To) -> To ! slow.

two(Fast) ->
    Self = self(),
    spawn(?MODULE, slow_one, [Self]),
    spawn(fun() -> Self ! Fast end),
    receive First -> receive Second -> {First, Second} end end.

%% expect: slow:comes_last dfs pass
comes_last() -> {fast, slow} = two(fast).

%% expect: slow:comes_before_time dfs pass
comes_before_time() ->
    spawn(?MODULE, slow_one, [self()]),
    receive slow -> ok after 10 -> error(late) end.

%% expect: slow:others_vary dfs bug abnormal_exit
others_vary() ->
    Self = self(),
    spawn(?MODULE, slow_one, [Self]),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive First -> 1 = First end.
