%% exit/2 with its reasons.
-module(exit_signals).
-export([normal_is_ignored/0, normal_to_self/0, shutdown/0, trapped/0, kill/0, kill_is_untrappable/0,
         to_the_dead/0, trap_race/0]).

%% expect: exit_signals:normal_is_ignored dfs pass
normal_is_ignored() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    exit(Pid, normal),
    Pid ! stop,
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.

%% A process that sends itself normal ends, normally.
%% expect: exit_signals:normal_to_self dfs pass
normal_to_self() ->
    exit(self(), normal),
    receive never -> ok end.

%% Any other reason ends the receiver, which counts as an abnormal exit.
%% expect: exit_signals:shutdown dfs bug abnormal_exit
shutdown() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    exit(Pid, shutdown),
    receive {'DOWN', Ref, process, Pid, shutdown} -> ok end.

%% Unless it traps exits by then, which this one says before it is sent the signal.
%% expect: exit_signals:trapped dfs pass
trapped() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       Self ! ready,
                                       receive {'EXIT', Self, shutdown} -> ok end
                               end),
    receive ready -> ok end,
    exit(Pid, shutdown),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.

%% expect: exit_signals:trap_race dfs bug abnormal_exit
trap_race() ->
    Self = self(),
    Pid = spawn(fun() ->
                        process_flag(trap_exit, true),
                        receive {'EXIT', Self, shutdown} -> ok end
                end),
    exit(Pid, shutdown).

%% kill becomes killed.
%% expect: exit_signals:kill dfs bug abnormal_exit
kill() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, killed} -> ok end.

%% expect: exit_signals:kill_is_untrappable dfs bug abnormal_exit
kill_is_untrappable() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       Self ! ready,
                                       receive {'EXIT', Self, kill} -> ok end
                               end),
    receive ready -> ok end,
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, killed} -> ok end.

%% expect: exit_signals:to_the_dead dfs pass
to_the_dead() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    true = exit(Pid, kill).
