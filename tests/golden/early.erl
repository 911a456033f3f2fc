%% Timeouts that fire while others could go on, at most one in each execution.
%% options: --time idle --early 1
-module(early).
-export([slow_answer/0, two_slow_answers/0, is_not_too_short/0, all_before_are_due/0, timer_fires_early/0]).

answer_after(Call, Timeout) ->
    Server = spawn(fun() -> receive {Call, From} -> From ! {Call, answer} end end),
    Server ! {Call, self()},
    receive {Call, answer} -> ok after Timeout -> timeout end.

%% expect: early:slow_answer dfs bug abnormal_exit
slow_answer() -> ok = answer_after(call, 5000).

%% One may be late, not both.
%% expect: early:two_slow_answers dfs pass
two_slow_answers() ->
    case {answer_after(one, 5000), answer_after(other, 5000)} of
        {timeout, timeout} -> exit(both);
        _ -> ok
    end.

%% Time has passed for who wakes early, and for all.
%% expect: early:is_not_too_short dfs pass
is_not_too_short() ->
    Before = erlang:monotonic_time(millisecond),
    Other = spawn(fun() -> [self() ! N || N <- [1, 2]] end),
    timer:sleep(10),
    true = erlang:monotonic_time(millisecond) - Before >= 10,
    _ = is_process_alive(Other).

%% What has an earlier deadline is due then, too: it may fire first, without being another early one.
%% expect: early:all_before_are_due dfs bug abnormal_exit
all_before_are_due() ->
    Self = self(),
    spawn(fun() -> timer:sleep(10), Self ! slept end),
    spawn(fun() -> Self ! worked end),
    receive worked -> ok after 20 -> receive slept -> exit(all) after 0 -> ok end end.

%% expect: early:timer_fires_early dfs bug abnormal_exit
timer_fires_early() ->
    erlang:send_after(10, self(), late),
    Self = self(),
    spawn(fun() -> Self ! worked end),
    receive Message -> worked = Message end.
