%% Links: who dies with whom.
-module(links).
-export([normal/0, abnormal/0, trapped/0, to_the_dead/0, to_the_dead_trapping/0, chain/0]).

%% A normal end does not travel.
%% expect: links:normal dfs pass
normal() ->
    Self = self(),
    spawn_link(fun() -> Self ! done end),
    receive done -> ok end.

%% An abnormal one does.
%% expect: links:abnormal dfs bug abnormal_exit
abnormal() ->
    spawn_link(fun() -> exit(boom) end),
    receive never -> ok end.

%% A process that traps exits reads about it. (The child's end is still abnormal.)
%% expect: links:trapped dfs bug abnormal_exit
trapped() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(boom) end),
    receive {'EXIT', Pid, boom} -> ok end.

%% link/1 to a process that may have ended: an error in some schedules.
%% expect: links:to_the_dead dfs bug abnormal_exit
to_the_dead() ->
    Pid = spawn(fun() -> ok end),
    link(Pid).

%% The same while trapping: a message with the reason noproc, or normal.
%% expect: links:to_the_dead_trapping dfs pass
to_the_dead_trapping() ->
    process_flag(trap_exit, true),
    Pid = spawn(fun() -> ok end),
    true = link(Pid),
    receive
        {'EXIT', Pid, normal} -> ok;
        {'EXIT', Pid, noproc} -> ok
    end.

%% A reason travels through a process in the middle.
%% expect: links:chain dfs bug abnormal_exit
chain() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() ->
                             spawn_link(fun() -> exit(deep) end),
                             receive never -> ok end
                     end),
    receive {'EXIT', Pid, deep} -> ok end.
