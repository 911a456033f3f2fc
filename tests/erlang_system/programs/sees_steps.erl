%% See sees_probes.erl.
-module(sees_steps).
-behaviour(ravel_monitor).
-export([init/1, event/3, state/2, observes/0]).

observes() -> [mailboxes].

init([]) -> {ok, []}.

event(Event, View, Seen) -> {ok, [{sees_probes:seen(Event), ravel_monitor:probes(View)} | Seen]}.

state(View, Seen) ->
    {ok, [[{Pid, Status, ravel_monitor:messages(View, Pid)} || {Pid, Status} <- ravel_monitor:statuses(View)] | Seen]}.
