%% Listing 2.1 of "Dynamic Systematic Testing of Concurrent Erlang Programs" (A. Gotovos, 2011).
%%
%% What it shows: mergesort, a program without any concurrency. Whatever it computes is one step.
%%
%%     ravel check ms.erl -t ms:sort_test
%%
%% finds no bug in 1 execution, which has one event: the end of the process.
-module(ms).

-export([mergesort/1, sort_test/0]).

sort_test() -> [1, 2, 3, 4, 5] = mergesort([3, 1, 5, 2, 4]).

split([H1, H2|T]) ->
    {L1, L2} = split(T),
    {[H1|L1], [H2|L2]};
split(L) -> {L, []}.

merge([], L) -> L;
merge(L, []) -> L;
merge([H1|T1], [H2|_T2] = L2) when H1 < H2 -> [H1|merge(T1, L2)];
merge(L1, [H2|T2]) -> [H2|merge(T2, L1)].

mergesort([]) -> [];
mergesort([_H] = L) -> L;
mergesort(L) ->
    {L1, L2} = split(L),
    merge(mergesort(L1), mergesort(L2)).
