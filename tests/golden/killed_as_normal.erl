%% The semantics of kill and shutdown, with these reasons declared normal, so that the values are what counts.
%% options: --normal killed --normal shutdown --normal kill
-module(killed_as_normal).
-include_lib("eunit/include/eunit.hrl").
-export([killed/0, linked_to_killed/0, kill_reason_through_link/0, trap_or_die/0]).

%% expect: killed_as_normal:killed dfs pass
killed() ->
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       receive never -> ok end
                               end),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, Reason} -> killed = Reason end.

%% The reason that travels on is killed, which can be trapped.
%% expect: killed_as_normal:linked_to_killed dfs pass
linked_to_killed() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive never -> ok end end),
    exit(Pid, kill),
    receive {'EXIT', Pid, Reason} -> killed = Reason end.

%% exit(kill) is an ordinary reason: it reaches a linked process unchanged, and can be trapped.
%% expect: killed_as_normal:kill_reason_through_link dfs pass
kill_reason_through_link() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(kill) end),
    receive {'EXIT', Pid, Reason} -> kill = Reason end.

%% Whether the flag is set before the signal comes decides about the reason of the 'DOWN'.
%% expect: killed_as_normal:trap_or_die dfs bug assertion
trap_or_die() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       receive {'EXIT', Self, shutdown} -> ok end
                               end),
    exit(Pid, shutdown),
    receive {'DOWN', Ref, process, Pid, Reason} -> ?assertEqual(normal, Reason) end.
