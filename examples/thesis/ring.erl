%% Listing 2.2 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: a ring of linked processes that passes a token around; the process that takes the
%% token for the last time exits, and the links bring every other one down with the same reason.
%%
%%     ravel check ring.erl ring_tests.erl -t ring_tests:two_rounds
%%
%% reports an abnormal exit with reason ttl_limit_surpassed, which is what the program is meant to do;
%% with `--normal ttl_limit_surpassed` it finds no bug.
-module(ring).

-export([start/2]).

-define(NPROC, 5).

start(TTL, Token) ->
    Fun = fun(_S, N) -> spawn_link(fun() -> loop(N) end) end,
    Next = lists:foldl(Fun, self(), lists:seq(?NPROC, 2, -1)),
    Next ! {TTL, Token},
    loop(Next).

loop(Next) ->
    receive
        {1, Token} ->
            io:format("~p: Received final token (~p)~n",
                      [self(), Token]),
            exit(ttl_limit_surpassed);
        {TTL, Token} ->
            io:format("~p: Received token (~p); transmitting to ~p~n",
                      [self(), Token, Next]),
            Next ! {TTL - 1, Token},
            loop(Next)
    end.
