%% Sending to something that does not exist: an error by name, nothing by pid.
-module(dead_name).
-export([never_registered/0, dead_pid/0, freed_at_exit/0, taken_again/0, send_3/0]).

%% expect: dead_name:never_registered dfs bug abnormal_exit schedules=1
never_registered() -> nobody ! hello.

%% Before or after the child's end: the message is dropped.
%% expect: dead_name:dead_pid dfs pass schedules=3
dead_pid() ->
    Pid = spawn(fun() -> ok end),
    Pid ! hello.

%% A name is free as soon as its process has ended, and the monitor tells.
%% expect: dead_name:freed_at_exit dfs pass
freed_at_exit() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(temporary, self()) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    undefined = whereis(temporary).

%% expect: dead_name:taken_again dfs pass
taken_again() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(temporary, self()) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    true = register(temporary, self()),
    temporary ! hello,
    receive hello -> true = unregister(temporary) end.

%% erlang:send/3 to a name fails in the same way.
%% expect: dead_name:send_3 dfs bug abnormal_exit schedules=1
send_3() -> erlang:send(nobody, hello, [noconnect]).
