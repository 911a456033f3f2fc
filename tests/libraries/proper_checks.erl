%% library: proper
%% Properties that need no processes of theirs, from a fixed seed.
-module(proper_checks).
-export([reversed/0, sorted/0]).
%% options: --after-infinite 1000

check(Property) -> proper:quickcheck(Property, [quiet, {numtests, 20}]).

%% expect: proper_checks:reversed dpor pass
reversed() ->
    Numbers = proper_types:list(proper_types:integer()),
    true = check(proper:forall(Numbers, fun(List) -> lists:reverse(lists:reverse(List)) =:= List end)).

%% A false property is found out and made small.
%% expect: proper_checks:sorted dpor pass
sorted() ->
    Numbers = proper_types:list(proper_types:integer()),
    false = check(proper:forall(Numbers, fun(List) -> lists:usort(List) =:= lists:sort(List) end)),
    [[N, N]] = proper:counterexample().
