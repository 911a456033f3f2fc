%% Listing 4.1 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: a process that never waits. A depth-first search that always prefers the first
%% process never lets the other one halt the system, so its first execution has no end.
%% (The thesis prints fun baz/1; the function has no argument.)
%%
%%     ravel check listing_4_1.erl -t listing_4_1:foo
%%
%% reports that the first process makes no progress: after the spawn it computes for ever without
%% an operation. In listing_4_1:chatty the same loop sends messages ("do stuff"), and Ravel
%% reports that an execution exceeds its bound on events instead.
-module(listing_4_1).

-export([foo/0, chatty/0]).

foo() ->
    spawn(fun baz/0),
    bar().

bar() ->
    %% do stuff
    bar().

baz() ->
    halt().

chatty() ->
    spawn(fun baz/0),
    chatter().

chatter() ->
    self() ! stuff,
    receive stuff -> ok end,
    chatter().
