%% Clocks that follow the deadlines.
%% options: --time deadlines --clocks virtual
-module(virtual_clocks).
-compile([nowarn_deprecated_function]).
-export([sleeps/0, all_clocks/0, absolute/0, others_sleep/0, stands_still/0, now_grows/0, tc/0]).

%% expect: virtual_clocks:sleeps dfs pass schedules=1
sleeps() ->
    Before = erlang:monotonic_time(millisecond),
    timer:sleep(250),
    250 = erlang:monotonic_time(millisecond) - Before.

%% expect: virtual_clocks:all_clocks dfs pass
all_clocks() ->
    Clocks = [fun() -> erlang:monotonic_time(second) end, fun() -> erlang:system_time(second) end,
              fun() -> os:system_time(second) end, fun() -> {M, S, _} = os:timestamp(), M * 1000000 + S end,
              fun() -> {M, S, _} = erlang:timestamp(), M * 1000000 + S end,
              fun() -> calendar:datetime_to_gregorian_seconds(erlang:universaltime()) end,
              fun() -> calendar:datetime_to_gregorian_seconds(erlang:localtime()) end,
              fun() -> calendar:datetime_to_gregorian_seconds({date(), time()}) end,
              fun() -> erlang:convert_time_unit(os:perf_counter(), perf_counter, second) end],
    Before = [Clock() || Clock <- Clocks],
    timer:sleep(100000),
    Passed = [100000 div 1000 || _ <- Clocks],
    Passed = [Clock() - Start || {Clock, Start} <- lists:zip(Clocks, Before)],
    0 = erlang:system_time() - erlang:monotonic_time() - erlang:time_offset().

%% expect: virtual_clocks:absolute dfs pass
absolute() ->
    timer:sleep(500),
    Now = erlang:monotonic_time(millisecond),
    erlang:send_after(Now - 20, self(), past, [{abs, true}]),
    erlang:send_after(Now + 20, self(), absolute, [{abs, true}]),
    erlang:send_after(21, self(), relative),
    [past, absolute, relative] = [receive M -> M end || _ <- [a, b, c]],
    true = erlang:monotonic_time(millisecond) - Now >= 21.

%% How late it is when somebody looks depends on how slow he is.
%% expect: virtual_clocks:others_sleep dfs bug abnormal_exit
others_sleep() ->
    Before = erlang:monotonic_time(millisecond),
    spawn(fun() -> timer:sleep(10) end),
    0 = erlang:monotonic_time(millisecond) - Before.

%% expect: virtual_clocks:stands_still dfs pass schedules=1
stands_still() ->
    Before = erlang:monotonic_time(),
    _ = lists:seq(1, 1000),
    Before = erlang:monotonic_time().

%% expect: virtual_clocks:now_grows dfs pass
now_grows() ->
    {A, B, C} = {now(), now(), begin timer:sleep(1), now() end},
    true = A < B andalso B < C.

%% expect: virtual_clocks:tc dfs pass
tc() ->
    {40000, done} = timer:tc(fun() -> timer:sleep(40), done end).
