%% Signals that arrive later than they are sent, in an order that only each pair of processes keeps.
-module(channels).
-export([relay/0, order/0, kill/0, down/0, unlinked/0, demonitored/0, alias_of_the_past/0, two_calls/0, trapping_end/0]).

%% options: --delivery channels

%% A message by way of another process overtakes the one that was sent first.
%% expect: channels:relay dfs bug abnormal_exit schedules=1008
relay() ->
    P = self(),
    B = spawn(fun() -> receive go -> P ! second end end),
    spawn(fun() -> P ! first, B ! go end),
    receive X -> X end,
    receive Y -> Y end,
    first = X,
    second = Y.

%% Two processes keep their order.
%% expect: channels:order dfs pass schedules=26
order() ->
    P = self(),
    spawn(fun() -> P ! 1, P ! 2 end),
    receive X -> 1 = X end,
    receive Y -> 2 = Y end.

%% Exit signals and messages keep it together: what is sent before the signal is received in time, if at all.
%% expect: channels:kill dfs bug abnormal_exit
kill() ->
    P = spawn(fun() -> receive x -> ok end end),
    exit(P, kill),
    P ! x.

%% expect: channels:down dfs pass
down() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, process, P, normal} -> ok end.

%% A link that is gone when the exit signal arrives does not count.
%% expect: channels:unlinked dfs bug abnormal_exit
%% expect: channels:unlinked preemption bug abnormal_exit
unlinked() ->
    P = spawn_link(fun() -> receive stop -> exit(normal) end end),
    P ! stop,
    process_flag(trap_exit, true),
    unlink(P),
    receive {'EXIT', P, normal} -> error(came_all_the_same) after 0 -> ok end.

%% Neither does a monitor.
%% expect: channels:demonitored dfs pass
demonitored() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    true = demonitor(R, [flush]),
    receive {'DOWN', R, process, P, _} -> error(came_all_the_same) after 0 -> ok end.

%% A message to an alias that has been given up in the meantime is dropped.
%% expect: channels:alias_of_the_past dfs pass
alias_of_the_past() ->
    Alias = alias(),
    spawn(fun() -> Alias ! late end),
    unalias(Alias),
    receive late -> receive late -> error(twice) after 0 -> ok end after 0 -> ok end.

%% Where the 'DOWN' of a monitor that was taken back arrives, also behind the end of the client, makes no difference.
%% expect: channels:two_calls dpor pass schedules=1
two_calls() -> [call(spawn(fun serve_once/0)) || _ <- [first, second]].

serve_once() -> receive {From, Reference} -> From ! Reference end.

call(Server) ->
    Reference = monitor(process, Server),
    Server ! {self(), Reference},
    receive Reference -> demonitor(Reference, [flush]) end.

%% An exit signal is a message to who traps exits, which nobody receives.
%% expect: channels:trapping_end dpor pass schedules=1
trapping_end() ->
    process_flag(trap_exit, true),
    P = self(),
    spawn(fun() -> exit(P, die) end).
