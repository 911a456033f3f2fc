%% A monitor of one's own: who was granted something releases it before the next one gets it. And a function
%% of what processes show.
%% options: --property grants --property grants:nobody_shows_three
%% expect: grants:in_turn dfs pass
%% expect: grants:at_once dfs bug property
%% expect: grants:released_by_another dfs bug property
%% expect: grants:shows_two dfs pass
%% expect: grants:shows_three dfs bug property
-module(grants).
-behaviour(ravel_monitor).
-export([init/1, event/3, observes/0, nobody_shows_three/1]).
-export([in_turn/0, at_once/0, released_by_another/0, shows_two/0, shows_three/0]).

observes() -> [labels, probes].

init([]) -> {ok, nobody}.

event(#{actor := Pid, labels := [granted]}, _, nobody) -> {ok, Pid};
event(#{labels := [granted]}, _, _) -> {violated, granted_twice};
event(#{actor := Pid, labels := [released]}, _, Pid) -> {ok, nobody};
event(#{actor := Pid, labels := [released]}, _, Holder) ->
    {violated, released_by_another, [[Pid, " releases what is granted to ", Holder]]};
event(#{labels := []}, _, State) -> {ok, State}.

nobody_shows_three(View) ->
    not lists:keymember(3, 3, ravel_monitor:probes(View)).

in_turn() ->
    Self = self(),
    [begin
         spawn(fun() -> use(), Self ! done end),
         receive done -> ok end
     end || _ <- [1, 2]].

at_once() ->
    [spawn(fun use/0) || _ <- [1, 2]].

use() ->
    ravel:label(granted),
    ravel:label(released).

released_by_another() ->
    ravel:label(granted),
    spawn(fun() -> ravel:label(released) end).

shows_two() -> ravel:probe(count, 2).

shows_three() ->
    ravel:probe(count, 2),
    ravel:probe(count, 3).
