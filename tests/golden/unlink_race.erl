%% unlink/1 in a race with the other side's end.
-module(unlink_race).
-include_lib("eunit/include/eunit.hrl").
-export([too_late/0, flushed/0]).

%% The exit can come before the unlink: the message is there in some schedules only.
%% expect: unlink_race:too_late dfs bug assertion
too_late() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> ok end),
    unlink(Pid),
    Came = receive {'EXIT', Pid, _} -> true after 0 -> false end,
    ?assertNot(Came).

%% After unlink/1 and a flush nothing can come any more.
%% expect: unlink_race:flushed dfs pass
flushed() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> ok end),
    unlink(Pid),
    receive {'EXIT', Pid, _} -> ok after 0 -> ok end,
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    receive {'EXIT', Pid, _} -> error(came_after_unlink) after 0 -> ok end.
