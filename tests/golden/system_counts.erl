%% How many processes and tables there are is asked by an operation of its own: others may start or end between it and the one before.
-module(system_counts).
-export([between/0, tables/0]).

%% Not before the child has been told and has ended, without a wait for that.
%% expect: system_counts:between dfs bug assertion
between() ->
    Child = spawn(fun() -> receive stop -> ok end end),
    Before = erlang:system_info(process_count),
    Child ! stop,
    After = erlang:system_info(process_count),
    After =:= Before orelse error({assertEqual, [{module, ?MODULE}, {line, ?LINE}, {expression, "After"}, {expected, Before}, {value, After}]}).

%% expect: system_counts:tables dfs bug assertion
tables() ->
    Self = self(),
    Child = spawn(fun() -> ets:new(t, []), Self ! made, receive stop -> ok end end),
    receive made -> ok end,
    Before = erlang:system_info(ets_count),
    Child ! stop,
    After = erlang:system_info(ets_count),
    After =:= Before orelse error({assertEqual, [{module, ?MODULE}, {line, ?LINE}, {expression, "After"}, {expected, Before}, {value, After}]}).
