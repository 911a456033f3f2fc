%% Listing 5.1 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: nested operations; the inner send happens first. The thesis uses the program to
%% show its instrumentation. It has a race: the process that is registered ends at once, so that
%% register/2 or either send may find that it is gone.
%%
%%     ravel check listing_5_1.erl -t listing_5_1:foo --strategy dfs -k
%%
%% reports abnormal exits: badarg in register/2, and badarg in the sends, in three of 5 executions.
-module(listing_5_1).

-export([foo/0, foo_test/0]).

foo_test() -> foo().

foo() ->
    register(loop, spawn(fun() -> ok end)),
    loop ! loop ! ahoi.
