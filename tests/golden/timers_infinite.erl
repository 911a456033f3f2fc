%% A timer that is as long as --after-infinite says never fires, as an `after`; its time can be read.
-module(timers_infinite).
-export([never/0, shorter/0, cancelled/0]).
%% options: --after-infinite 5000

%% expect: timers_infinite:never dfs pass
never() ->
    erlang:send_after(5000, self(), late),
    self() ! soon,
    receive late -> exit(late); soon -> ok end.

%% expect: timers_infinite:shorter dfs bug abnormal_exit
shorter() ->
    erlang:send_after(4999, self(), late),
    receive late -> exit(late) end.

%% expect: timers_infinite:cancelled dfs pass
cancelled() ->
    Timer = erlang:start_timer(6000, self(), late),
    6000 = erlang:cancel_timer(Timer),
    false = erlang:cancel_timer(Timer).
