%% Probes and labels that nothing observes are local: they add no schedules.
%% expect: probes:two_show dfs pass schedules=1
%% expect: probes:anything dfs pass schedules=1
-module(probes).
-export([two_show/0, anything/0]).

%% Only the end of the process is an operation.
two_show() ->
    [begin
         ok = ravel:probe(holds, I),
         ok = ravel:label(granted),
         ok = ravel:progress(),
         ok = ravel:probe(holds, undefined)
     end || I <- [1, 2]].

anything() ->
    ok = ravel:probe({a, "name"}, #{1 => self()}),
    ok = ravel:probe(make_ref(), undefined),
    ok = ravel:label("text").
