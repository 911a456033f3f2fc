%% What is not interleaved: local code, self/0, output.
-module(local_code).
-export([alone/0, output/0, self_is_free/0, computing/0]).

%% expect: local_code:alone dfs pass schedules=1
alone() -> ok.

%% expect: local_code:output dfs pass schedules=2
output() ->
    spawn(fun() -> io:format("child~n"), io:format("child again~n") end),
    io:format("parent~n"),
    io:format("parent again~n").

%% expect: local_code:self_is_free dfs pass schedules=2
self_is_free() ->
    spawn(fun() -> lists:foreach(fun(_) -> self() end, [1, 2, 3]) end),
    lists:foreach(fun(_) -> self() end, [1, 2, 3]),
    ok.

%% expect: local_code:computing dfs pass schedules=2
computing() ->
    Work = fun() -> lists:sum(lists:seq(1, 1000)) end,
    spawn(Work),
    500500 = Work().
