%% The ways to make a process.
-module(spawn_kinds).
-export([two_children/0, three_children/0, grandchild/0, spawn_monitor/0, spawn_opt/0, spawn_mfa/0, echo/2,
         proc_lib/0, failing_mfa/0]).

%% Only the orders of the three ends differ; the first child may end before the second is made.
%% expect: spawn_kinds:two_children dfs pass schedules=8
two_children() ->
    spawn(fun() -> ok end),
    spawn(fun() -> ok end),
    ok.

%% expect: spawn_kinds:three_children dfs pass schedules=48
three_children() ->
    spawn(fun() -> ok end),
    spawn(fun() -> ok end),
    spawn(fun() -> ok end),
    ok.

%% expect: spawn_kinds:grandchild dfs pass schedules=8
grandchild() ->
    spawn(fun() -> spawn(fun() -> ok end) end),
    ok.

%% The monitor is there before the child can end.
%% expect: spawn_kinds:spawn_monitor dfs pass
spawn_monitor() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.

%% expect: spawn_kinds:spawn_opt dfs pass
spawn_opt() ->
    process_flag(trap_exit, true),
    {Pid, Ref} = erlang:spawn_opt(fun() -> ok end, [link, monitor]),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    receive {'EXIT', Pid, normal} -> ok end.

%% expect: spawn_kinds:spawn_mfa dfs pass
spawn_mfa() ->
    Pid = spawn(?MODULE, echo, [self(), hello]),
    receive {Pid, hello} -> ok end.

echo(To, What) -> To ! {self(), What}.

%% expect: spawn_kinds:proc_lib dfs pass
proc_lib() ->
    {ok, Pid} = proc_lib:start_link(erlang, apply, [fun() -> proc_lib:init_ack({ok, self()}) end, []]),
    true = is_pid(Pid).

%% A function that does not exist is an error of the child, not of the parent.
%% expect: spawn_kinds:failing_mfa dfs bug abnormal_exit
failing_mfa() ->
    {Pid, Ref} = erlang:spawn_monitor(?MODULE, no_such_function, []),
    receive {'DOWN', Ref, process, Pid, {undef, _}} -> ok end.
