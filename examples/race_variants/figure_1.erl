%% Figure 1 of "Computing Race Variants in Message-Passing Concurrent Programming with Selective
%% Receives" (G. Vidal, 2022), whose pseudocode becomes Erlang by writing spawn(fun ...) and !.
%%
%% What it shows: proc2 takes one message. Three are sent to it, but {val, 0} does not match, so only
%% {val, 1} from proc1 and {val, 2} from proc3 race for the receive.
%%
%%     ravel check figure_1.erl -t figure_1:proc1 --strategy dfs
%%
%% finds no bug in 120 executions. They form two traces, which --strategy variants runs: proc2 receives 1, or 2.
-module(figure_1).

-export([proc1/0]).

proc1() ->
    P2 = spawn(fun() -> proc2() end),
    _P3 = spawn(fun() -> proc3(P2) end),
    P2 ! {val, 1}.

proc2() ->
    receive
        {val, M} when M > 0 -> {ok, M};
        error -> error
    end.

proc3(P2) ->
    P2 ! {val, 0},
    P2 ! {val, 2}.
