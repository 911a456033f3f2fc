%% Only the monotonic ones are operations: the others are made of the process's own count.
-module(unique_integers).
-export([own/0, shared/0, order/0]).

%% Behind the spawn each of the two has its end as its only operation.
%% expect: unique_integers:own dfs pass schedules=2
own() ->
    Take = fun() -> {erlang:unique_integer(), erlang:unique_integer([]), erlang:unique_integer([positive])} end,
    spawn(Take),
    Take().

%% Behind the spawn two operations of each.
%% expect: unique_integers:shared dfs pass schedules=6
shared() ->
    Take = fun() -> erlang:unique_integer([positive, monotonic]) end,
    spawn(Take),
    Take().

%% expect: unique_integers:order dfs bug deadlock
order() ->
    Self = self(),
    spawn(fun() -> Self ! erlang:unique_integer([monotonic]) end),
    Own = erlang:unique_integer([monotonic]),
    receive Other when Other > Own -> ok end.
