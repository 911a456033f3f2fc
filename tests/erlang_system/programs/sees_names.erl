%% See sees_probes.erl.
-module(sees_names).
-behaviour(ravel_monitor).
-export([init/1, event/3, observes/0]).

observes() -> [names].

init([]) -> {ok, []}.

event(Event, View, Seen) ->
    Own = [Pair || {Name, _} = Pair <- ravel_monitor:names(View), lists:member(Name, [one, two])],
    {ok, [{sees_probes:seen(Event), ravel_monitor:probes(View), Own} | Seen]}.
