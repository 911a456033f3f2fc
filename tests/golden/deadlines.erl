%% Time that follows the deadlines: what is due earlier fires earlier, everything else may take as long as it likes.
%% options: --time deadlines
-module(deadlines).
-export([in_order/0, slow_setter/0, timer_and_after/0, same_instant/0, slow_sender/0, counts_from_now/0, sleeper/0, cancelled/0,
         left/0, infinity/0, at_once/0, absolute/0]).

%% expect: deadlines:in_order dfs pass
in_order() ->
    erlang:send_after(1, self(), first),
    erlang:send_after(1000, self(), second),
    [first, second] = [receive M -> M end || _ <- [a, b]].

%% A second may pass before the next line.
%% expect: deadlines:slow_setter dfs bug abnormal_exit
slow_setter() ->
    erlang:send_after(1000, self(), second),
    erlang:send_after(1, self(), first),
    [first, second] = [receive M -> M end || _ <- [a, b]].

%% A timer of 4 ms comes before an `after` of 5 that is set behind it.
%% expect: deadlines:timer_and_after dfs pass
timer_and_after() ->
    erlang:send_after(4, self(), early),
    receive never -> ok after 5 -> ok end,
    receive early -> ok after 0 -> error(late) end.

%% Two that are due at one time fire in either order.
%% expect: deadlines:same_instant dfs bug abnormal_exit
same_instant() ->
    erlang:send_after(5, self(), a),
    erlang:send_after(5, self(), b),
    a = receive M -> M end.

%% A process that is ready may take longer than any timeout.
%% expect: deadlines:slow_sender dfs bug abnormal_exit
slow_sender() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 100000 -> exit(timed_out) end.

%% A deadline counts from when it was set: 3 ms and then 3 ms are later than 5.
%% expect: deadlines:counts_from_now dfs pass
counts_from_now() ->
    erlang:send_after(5, self(), five),
    receive never -> ok after 3 -> ok end,
    receive five -> ok after 3 -> error(six_before_five) end.

%% One that starts to sleep later, and for longer, wakes later.
%% expect: deadlines:sleeper dfs pass
sleeper() ->
    Self = self(),
    erlang:send_after(10, Self, timer),
    spawn(fun() -> receive after 11 -> Self ! child end end),
    [timer, child] = [receive M -> M end || _ <- [a, b]].

%% What is cancelled does not hold time back.
%% expect: deadlines:cancelled dfs pass
cancelled() ->
    Early = erlang:start_timer(1, self(), early),
    Late = erlang:start_timer(10, self(), late),
    case erlang:cancel_timer(Early) of
        false -> receive {timeout, Early, early} -> ok end;
        1 -> ok
    end,
    receive {timeout, Late, late} -> ok end.

%% What is left has become less, by as much at least.
%% expect: deadlines:left dfs pass
left() ->
    Timer = erlang:send_after(100, self(), ring),
    receive after 30 -> ok end,
    Left = erlang:read_timer(Timer),
    true = Left =:= false orelse Left =< 70,
    ok = erlang:read_timer(Timer, [{async, true}]),
    Same = receive {read_timer, Timer, Answer} -> Answer end,
    true = Same =:= false orelse Same =< Left,
    ok = erlang:cancel_timer(Timer, [{async, true}]),
    Last = receive {cancel_timer, Timer, Cancelled} -> Cancelled end,
    true = Last =:= false orelse Last =< Same,
    receive ring -> false = Last after 1000 -> true = is_integer(Last) end.

%% expect: deadlines:infinity dfs bug deadlock
infinity() ->
    receive never -> ok after infinity -> ok end.

%% A timer of 0 ms waits for nothing, but for the scheduler.
%% expect: deadlines:at_once dfs pass
at_once() ->
    erlang:send_after(0, self(), now),
    erlang:send_after(1, self(), later),
    receive later -> error(later) after 0 -> ok end,
    [now, later] = [receive M -> M end || _ <- [a, b]].

%% The clocks stand still: an absolute time means as long from now as the clock says.
%% expect: deadlines:absolute dfs pass
absolute() ->
    Now = erlang:monotonic_time(millisecond),
    receive after 50 -> ok end,
    Now = erlang:monotonic_time(millisecond),
    erlang:start_timer(Now + 20, self(), absolute, [{abs, true}]),
    erlang:start_timer(21, self(), relative),
    [absolute, relative] = [receive {timeout, _, M} -> M end || _ <- [a, b]].
