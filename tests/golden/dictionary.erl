%% The process dictionary is private and no operation.
-module(dictionary).
-export([private/0, no_operation/0]).

%% expect: dictionary:private dfs pass
private() ->
    Self = self(),
    put(key, parent),
    Pid = spawn(fun() ->
                        undefined = get(key),
                        put(key, child),
                        Self ! {self(), get()}
                end),
    receive {Pid, [{key, child}]} -> ok end,
    parent = erase(key),
    undefined = get(key).

%% However much both write, there are two ends in either order.
%% expect: dictionary:no_operation dfs pass schedules=2
no_operation() ->
    spawn(fun() -> [put(N, N) || N <- lists:seq(1, 100)] end),
    [put(N, -N) || N <- lists:seq(1, 100)],
    ok.
