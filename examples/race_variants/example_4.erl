%% Examples 4 to 6 of "Computing Race Variants in Message-Passing Concurrent Programming with Selective Receives"
%% (G. Vidal, 2022): a program with the trace of their figure 3, as far as the text describes it.
%%
%% What it shows, in the second receive of p3, which takes {ok, taken} from p5: of the five other messages to p3
%%   {first, a}  is none of its race set, because an earlier receive took it;
%%   {no, b}     neither, because it does not match, and is never received;
%%   {ok, c}     is: p4 sends it because of a message of p3, but one that p3 sent before this receive;
%%   {ok, d}     is not, because p4 sends it because of what p3 does after this receive;
%%   {ok, e}     is, although p2 sent two messages to p3 before it: one was received, the other does not match.
%% So the race set is {ok, c} and {ok, e}, and {no, b} and {ok, e} are orphans (example 4).
%%
%%     ravel races example_4.erl -t example_4:p1
%%     ravel races example_4.erl -t example_4:p1 --variant 2
%%
%% With {ok, e} in its place the rest goes as before; with {ok, c}, nothing is left for the receive that waits for it.
%% (Process P is p1, P.1 is p4, P.2 is p3, P.3 is p5, P.4 is p2.)
-module(example_4).

-export([p1/0]).

p1() ->
    P4 = spawn(fun p4/0),
    P3 = spawn(fun() -> p3(P4) end),
    spawn(fun() -> p5(P3) end),
    spawn(fun() -> p2(P3) end).

p2(P3) ->
    P3 ! {first, a},
    P3 ! {no, b},
    P3 ! {ok, e}.

p3(P4) ->
    receive {first, _} -> ok end,
    P4 ! {one, self()},
    receive {ok, _} -> ok end,
    P4 ! {two, self()},
    receive {ok, c} -> ok end,
    receive {ok, d} -> ok end.

p4() ->
    receive {one, P3} -> P3 ! {ok, c} end,
    receive {two, Again} -> Again ! {ok, d} end.

p5(P3) ->
    P3 ! {ok, taken}.
