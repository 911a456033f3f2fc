%% Listing 5.14 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: a delay proves nothing. The other process would have to be held up for more than
%% a second, which is rare but allowed (figure 5.1), so the timeout counts as possible whenever no
%% message matches.
%%
%%     ravel check listing_5_14.erl -t listing_5_14:foo --strategy dfs -k
%%
%% reports one bug, an abnormal exit with reason timeout, in three of 6 executions.
-module(listing_5_14).

-export([foo/0, foo_test/0]).

foo_test() -> foo().

foo() ->
    register(foo, self()),
    spawn(fun bar/0),
    receive
        bar -> ok
    after 1000 -> exit(timeout)
    end.

bar() ->
    foo ! bar.
