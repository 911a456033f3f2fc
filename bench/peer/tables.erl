%% Two programs on which reduction is often measured. N+1 processes share a table.
-module(tables).
-export([readers/1, last_zero/1]).

%% A writer of one key, and N readers that look at another key first.
readers(N) ->
    ets:new(tab, [public, named_table]),
    spawn(fun() -> ets:insert(tab, {x, 42}) end),
    [spawn(fun() -> ets:lookup(tab, I), ets:lookup(tab, x) end) || I <- lists:seq(1, N)],
    receive after infinity -> ok end.

%% N writers make an element one larger than the one before it; a reader looks for the last zero.
last_zero(N) ->
    ets:new(tab, [public, named_table]),
    [ets:insert(tab, {I, 0}) || I <- lists:seq(0, N)],
    spawn(fun() -> find_zero(N) end),
    [spawn(fun() -> ets:insert(tab, {I, value(I - 1) + 1}) end) || I <- lists:seq(1, N)],
    receive after infinity -> ok end.

find_zero(0) -> ok;
find_zero(I) ->
    case value(I) of
        0 -> ok;
        _ -> find_zero(I - 1)
    end.

value(I) ->
    [{I, Value}] = ets:lookup(tab, I),
    Value.
