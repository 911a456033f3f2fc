%% Programs of many traces, of which several processes have parts.
-module(shared).
-export([pool/0, clients/0, last_zero/0, readers/0]).

%% Three processes take from a pool and give back, twice each: 207,900 traces.
pool() ->
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

%% Four clients of a server that adds, with three requests each: 369,600 traces.
clients() ->
    Me = self(),
    Server = spawn_link(fun() -> server(0) end),
    [spawn_link(fun() -> client(Server, N, 3), Me ! {done, N} end) || N <- lists:seq(1, 4)],
    [receive {done, N} -> ok end || N <- lists:seq(1, 4)],
    Server ! stop,
    ok.

client(_, _, 0) -> ok;
client(Server, N, Left) ->
    Server ! {add, self(), N},
    receive {sum, _} -> ok end,
    client(Server, N, Left - 1).

server(Sum) ->
    receive
        {add, Client, N} ->
            Client ! {sum, Sum + N},
            server(Sum + N);
        stop -> ok
    end.

%% The worst cases: a wakeup tree of an early node has very many branches, of few traces each.
last_zero() -> tables:last_zero(14).
readers() -> tables:readers(14).
