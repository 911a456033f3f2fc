%% `after`: may fire whenever no message matches, whatever the number of milliseconds.
-module(after_clause).
-export([either/0, timeout_is_possible/0, zero/0, never_with_a_message/0, infinity/0, sleep/0,
         long_and_short/0]).

%% expect: after_clause:either dfs pass schedules=6
either() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok after 100 -> ok end.

%% expect: after_clause:timeout_is_possible dfs bug abnormal_exit schedules=6
timeout_is_possible() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok after 100000 -> exit(timeout) end.

%% expect: after_clause:zero dfs pass schedules=1
zero() ->
    receive _ -> error(no_message_was_sent) after 0 -> ok end.

%% A message that matches comes before the timeout.
%% expect: after_clause:never_with_a_message dfs pass schedules=1
never_with_a_message() ->
    self() ! hello,
    receive hello -> ok after 0 -> error(message_ignored) end.

%% expect: after_clause:infinity dfs bug deadlock schedules=1
infinity() ->
    receive hello -> ok after infinity -> ok end.

%% expect: after_clause:sleep dfs pass schedules=1
sleep() ->
    timer:sleep(1000).

%% The numbers do not order the processes.
%% expect: after_clause:long_and_short dfs bug abnormal_exit
long_and_short() ->
    Self = self(),
    spawn(fun() -> receive after 10000 -> Self ! long end end),
    spawn(fun() -> receive after 1 -> Self ! short end end),
    [short, long] = [receive M -> M end || _ <- [a, b]].
