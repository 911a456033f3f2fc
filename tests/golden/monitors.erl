%% Monitors: exactly one 'DOWN' each, whatever the order.
-module(monitors).
-export([always_down/0, reason/0, three_at_once/0, demonitored/0, demonitor_without_flush/0,
         by_name/0, down_after_messages/0]).

%% Alive or dead at the time of the call, the 'DOWN' comes.
%% expect: monitors:always_down dfs pass
always_down() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

%% But its reason depends on the schedule: normal, or noproc when the process was gone.
%% expect: monitors:reason dfs bug abnormal_exit
reason() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, Reason} -> normal = Reason end.

%% Several monitors of one process are several messages.
%% expect: monitors:three_at_once dfs pass
three_at_once() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Refs = [monitor(process, Pid) || _ <- [1, 2, 3]],
    Pid ! stop,
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || Ref <- Refs],
    ok.

%% After demonitor/2 with flush no 'DOWN' is left.
%% expect: monitors:demonitored dfs pass
demonitored() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    receive {'DOWN', Ref, process, Pid, _} -> error(flushed_message) after 0 -> ok end.

%% Without flush one may be there already.
%% expect: monitors:demonitor_without_flush dfs bug abnormal_exit
demonitor_without_flush() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref),
    receive {'DOWN', Ref, process, Pid, _} -> error(stale_message) after 0 -> ok end.

%% A monitor of a name names the name.
%% expect: monitors:by_name dfs pass
by_name() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    register(watched, Pid),
    Ref = monitor(process, watched),
    Pid ! stop,
    receive {'DOWN', Ref, process, {watched, Node}, normal} when Node =:= node() -> ok end.

%% A process's last message is there before its 'DOWN'.
%% expect: monitors:down_after_messages dfs pass
down_after_messages() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! last_words end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    receive last_words -> ok after 0 -> error(lost) end.
