%% Time that passes only when nobody can go on: what is due first fires first, what is due together in either order.
%% options: --time idle
-module(idle).
-export([lost_update/0, two_sleeps/0, in_order/0, clock_after_sleep/0, sleeper_and_worker/0, until_a_deadline/0, polls/0, answered/0,
         never_answered/0, heartbeat/0, due_timeout_loses/0, due_timeout_wins/0, not_due_cannot_fire/0, zero/0, cancelled_in_time/0,
         cancelled_when_due/0, never_ends/0, sleeps_after_timer/0, left_behind/0]).

%% Two that wake at the same instant are as any two processes.
%% expect: idle:lost_update dfs bug abnormal_exit
lost_update() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {n, 0}),
    Self = self(),
    Add = fun() ->
        timer:sleep(10),
        [{n, N}] = ets:lookup(Table, n),
        ets:insert(Table, {n, N + 1}),
        Self ! done
    end,
    spawn(Add), spawn(Add),
    receive done -> ok end, receive done -> ok end,
    [{n, 2}] = ets:lookup(Table, n).

%% P makes both and sleeps; time passes to 10, where P.1 and P.2 wake and end: 2 steps each, 6 orders. It passes to 20, and P goes
%% on alone: it wakes and ends. No step has anything to do with another one's.
%% expect: idle:two_sleeps dfs pass schedules=6
%% expect: idle:two_sleeps dpor pass schedules=1
two_sleeps() ->
    spawn(fun() -> timer:sleep(10) end),
    spawn(fun() -> timer:sleep(10) end),
    timer:sleep(20).

%% expect: idle:in_order dfs pass
in_order() ->
    Self = self(),
    spawn(fun() -> timer:sleep(60), Self ! later end),
    spawn(fun() -> timer:sleep(10), Self ! sooner end),
    receive First -> sooner = First end,
    receive Second -> later = Second end.

%% P alone: time passes, it wakes, it ends.
%% expect: idle:clock_after_sleep dfs pass schedules=1
clock_after_sleep() ->
    Before = erlang:monotonic_time(millisecond),
    {_, _, _} = erlang:timestamp(),
    timer:sleep(10),
    true = erlang:monotonic_time(millisecond) - Before >= 10.

%% expect: idle:sleeper_and_worker dfs pass
sleeper_and_worker() ->
    Self = self(),
    spawn(fun() -> [self() ! N || N <- [1, 2]], Self ! worked end),
    timer:sleep(1),
    receive worked -> ok after 0 -> exit(slept_too_short) end.

%% expect: idle:until_a_deadline dfs pass
until_a_deadline() -> until(erlang:monotonic_time(millisecond) + 30).

until(End) ->
    case erlang:monotonic_time(millisecond) >= End of
        true -> ok;
        false -> receive after 10 -> until(End) end
    end.

%% Who looks and sleeps lets the others do all that they can do.
%% expect: idle:polls dfs pass
polls() ->
    Array = atomics:new(1, []),
    spawn(fun() -> timer:sleep(25), atomics:put(Array, 1, 7) end),
    poll(Array).

poll(Array) ->
    case atomics:get(Array, 1) of
        7 -> ok;
        0 -> receive after 10 -> poll(Array) end
    end.

%% expect: idle:answered dfs pass
answered() ->
    Self = self(),
    Server = spawn(fun() -> receive {ask, From} -> From ! {self(), answer} end end),
    Server ! {ask, Self},
    receive {Server, answer} -> ok after 5000 -> exit(timeout) end.

%% expect: idle:never_answered dfs bug abnormal_exit
never_answered() ->
    Server = spawn(fun() -> receive {ask, _} -> ok end end),
    Server ! {ask, self()},
    receive {Server, answer} -> ok after 5000 -> exit(timeout) end.

%% Time stands still for those that the test leaves behind.
%% expect: idle:heartbeat dfs pass
heartbeat() ->
    spawn(fun beat/0),
    timer:sleep(20).

beat() -> receive stop -> ok after 10 -> beat() end.

%% expect: idle:left_behind dfs pass
left_behind() -> spawn(fun() -> receive after 10 -> exit(too_late) end end).

%% A message that is sent at the instant at which the wait is over may come before that, or after.
%% expect: idle:due_timeout_loses dfs bug abnormal_exit
due_timeout_loses() ->
    erlang:send_after(10, self(), message),
    receive message -> exit(was_taken) after 10 -> ok end.

%% expect: idle:due_timeout_wins dfs bug abnormal_exit
due_timeout_wins() ->
    erlang:send_after(10, self(), message),
    receive message -> ok after 10 -> exit(was_too_late) end.

%% expect: idle:not_due_cannot_fire dfs pass
not_due_cannot_fire() ->
    erlang:send_after(10, self(), message),
    receive message -> ok after 60 -> exit(was_too_late) end.

%% This is no timeout: it asks what is there.
%% expect: idle:zero dfs bug abnormal_exit
zero() ->
    Self = self(),
    spawn(fun() -> Self ! message end),
    receive message -> ok after 0 -> exit(is_not_there) end.

%% expect: idle:cancelled_in_time dfs pass
cancelled_in_time() ->
    Timer = erlang:send_after(10, self(), message),
    spawn(fun() -> ok end),
    true = is_integer(erlang:cancel_timer(Timer)),
    receive message -> exit(was_cancelled) after 20 -> ok end.

%% expect: idle:cancelled_when_due dfs bug abnormal_exit
cancelled_when_due() ->
    Timer = erlang:send_after(10, self(), message),
    timer:sleep(10),
    0 = erlang:cancel_timer(Timer).

%% expect: idle:never_ends dfs bug deadlock
never_ends() ->
    erlang:send_after(10, self(), message),
    receive other -> ok end.

%% A deadline counts from the instant at which it is set.
%% expect: idle:sleeps_after_timer dfs pass
sleeps_after_timer() ->
    Timer = erlang:send_after(30, self(), message),
    timer:sleep(10),
    true = erlang:read_timer(Timer) =< 20,
    receive message -> ok after 60 -> exit(was_too_late) end.
