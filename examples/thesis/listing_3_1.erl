%% Listing 3.1 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: a new process may end before its parent has registered it, and register/2
%% fails for a process that does not exist. Of all the interleavings only that one is wrong.
%%
%%     ravel check listing_3_1.erl -t listing_3_1:foo --strategy dfs -k
%%
%% reports one bug, an abnormal exit (badarg in register/2), in one of 7 executions.
-module(listing_3_1).

-export([foo/0, foo_test/0]).

foo_test() -> foo().

foo() ->
    Self = self(),
    Pid = spawn(fun() -> bar(Self, 42, 5) end),
    register(math, Pid),
    receive
        Result -> Result
    end.

bar(Target, X, Y) ->
    Target ! {result, X + Y}.
