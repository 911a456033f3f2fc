%% Listing 4.2 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: the smallest program with a blocking receive. A plain depth-first search makes
%% six interleavings of it, three of which differ only by a blocked step; blocking avoidance makes
%% three; preemption bounds of 0, 1 and 2 make one, two and three (figures 4.3, 4.4 and 4.6).
%%
%%     ravel check listing_4_2.erl -t listing_4_2:foo --strategy dfs
%%     ravel check listing_4_2.erl -t listing_4_2:foo --strategy preemption --preemptions 1
%%
%% find no bug, in 3 and in 2 executions.
-module(listing_4_2).

-export([foo/0, foo_test/0]).

foo_test() -> foo().

foo() ->
    register(foo, self()),
    spawn(fun bar/0),
    receive
        bar -> ok
    end.

bar() ->
    foo ! bar,
    ok.
