%% Three processes take from a pool and give back, twice each: 207,900 traces.
-module(pool).
-export([takes/0]).

takes() ->
    ets:new(pool, [public, named_table]),
    ets:insert(pool, {free, 3}),
    Me = self(),
    [spawn_link(fun() -> take(2), Me ! done end) || _ <- lists:seq(1, 3)],
    [receive done -> ok end || _ <- lists:seq(1, 3)],
    ok.

take(0) -> ok;
take(N) ->
    ets:update_counter(pool, free, -1),
    ets:update_counter(pool, free, 1),
    take(N - 1).
