%% The environment is part of a program's state: each execution begins with an empty one, and processes race for its variables.
-module(environment).
-export([from_the_start/0, apart/0, one_variable/0, listed/0]).

both(First, Second) ->
    Self = self(),
    [spawn(fun() -> Self ! {done, Fun()} end) || Fun <- [First, Second]],
    lists:sort([receive {done, Value} -> Value end || _ <- [1, 2]]).

%% expect: environment:from_the_start dfs pass
from_the_start() ->
    [] = os:getenv(),
    true = os:putenv("A", "1"),
    ["A=1"] = os:getenv(),
    "1" = os:getenv("A"),
    true = os:unsetenv("A"),
    false = os:getenv("A").

%% Two variables have nothing to do with each other: the only orders that count are those of the two messages.
%% expect: environment:apart dpor pass
apart() ->
    [true, true] = both(fun() -> os:putenv("A", "1") end, fun() -> os:putenv("B", "2") end),
    ["A=1", "B=2"] = lists:sort(os:getenv()).

%% expect: environment:one_variable dpor bug abnormal_exit
one_variable() ->
    ["1", true] = both(fun() -> os:getenv("A") end, fun() -> os:putenv("A", "1") end).

%% expect: environment:listed dpor bug abnormal_exit
listed() ->
    [0, true] = both(fun() -> length(os:env()) end, fun() -> os:putenv("A", "1") end).
