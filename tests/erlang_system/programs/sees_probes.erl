%% Monitors that remember all that they can see, for erlang_traces_test.cc: executions of one trace must look
%% the same to them. This one sees what processes show; the module sees_names names, too, and sees_steps all.
-module(sees_probes).
-behaviour(ravel_monitor).
-export([init/1, event/3, seen/1]).

init([]) -> {ok, []}.

event(Event, View, Seen) -> {ok, [{seen(Event), ravel_monitor:probes(View)} | Seen]}.

%% References and the reasons of errors have nothing to do with it.
seen(Event) -> maps:with([actor, operation, labels, to, from, message, reason, module, result], Event).
