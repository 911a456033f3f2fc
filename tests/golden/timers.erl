%% Timers: a timer is an actor that fires once, unless it is cancelled before.
-module(timers).
-export([send_after/0, start_timer/0, cancel_race/0, cancel_assumed/0, cancelled_stays_silent/0,
         two_timers/0, target_dead/0, read/0]).

%% expect: timers:send_after dfs pass schedules=1
send_after() ->
    erlang:send_after(10, self(), tick),
    receive tick -> ok end.

%% expect: timers:start_timer dfs pass schedules=1
start_timer() ->
    Ref = erlang:start_timer(10, self(), tick),
    receive {timeout, Ref, tick} -> ok end.

%% Cancelled in time, or not.
%% expect: timers:cancel_race dfs pass schedules=2
cancel_race() ->
    Ref = erlang:send_after(10, self(), tick),
    case erlang:cancel_timer(Ref) of
        false -> receive tick -> ok end;
        Left when is_integer(Left) -> ok
    end.

%% expect: timers:cancel_assumed dfs bug abnormal_exit schedules=2
cancel_assumed() ->
    Ref = erlang:send_after(10, self(), tick),
    Left = erlang:cancel_timer(Ref),
    true = is_integer(Left).

%% expect: timers:cancelled_stays_silent dfs pass
cancelled_stays_silent() ->
    Ref = erlang:send_after(10, self(), tick),
    case erlang:cancel_timer(Ref) of
        false -> ok;
        _ -> receive tick -> error(cancelled_timer_fired) after 0 -> ok end
    end.

%% Two timers fire in either order.
%% expect: timers:two_timers dfs bug abnormal_exit
two_timers() ->
    erlang:send_after(1, self(), first),
    erlang:send_after(1000, self(), second),
    [first, second] = [receive M -> M end || _ <- [a, b]].

%% A timer that aims at a process that ends is no reason to wait.
%% expect: timers:target_dead dfs pass
target_dead() ->
    Pid = spawn(fun() -> ok end),
    erlang:send_after(10, Pid, tick),
    ok.

%% expect: timers:read dfs pass
read() ->
    Ref = erlang:send_after(10, self(), tick),
    Left = erlang:read_timer(Ref),
    true = Left =:= false orelse is_integer(Left),
    receive tick -> ok end,
    false = erlang:read_timer(Ref).
