%% library: poolboy
%% A pool of workers: who waits is served, workers are not shared, and what happens when one dies.
-module(poolboy_checks).
-behaviour(gen_server).
-export([two_clients/0, client_dies/0, dead_worker/0]).
-export([start_link/1, init/1, handle_call/3, handle_cast/2]).
%% options: --after-infinite 1000 --normal killed

start_link(Arguments) -> gen_server:start_link(?MODULE, Arguments, []).
init(_Arguments) -> {ok, none}.
handle_call(ping, _From, State) -> {reply, pong, State}.
handle_cast(_Message, State) -> {noreply, State}.

pool(Size) ->
    {ok, Pool} = poolboy:start_link([{worker_module, ?MODULE}, {size, Size}, {max_overflow, 0}]),
    Pool.

%% Two clients of one worker: the second one waits for the first, and both get it.
%% expect: poolboy_checks:two_clients dpor pass
two_clients() ->
    Pool = pool(1),
    Self = self(),
    spawn_link(fun() -> pong = poolboy:transaction(Pool, fun(W) -> gen_server:call(W, ping) end), Self ! done end),
    pong = poolboy:transaction(Pool, fun(W) -> gen_server:call(W, ping) end),
    receive done -> ok end,
    ok = poolboy:stop(Pool).

%% A client that ends without giving its worker back does not lose it.
%% expect: poolboy_checks:client_dies dpor pass
client_dies() ->
    Pool = pool(1),
    Self = self(),
    spawn(fun() -> _ = poolboy:checkout(Pool), Self ! ready end),
    receive ready -> ok end,
    Worker = poolboy:checkout(Pool),
    pong = gen_server:call(Worker, ping),
    ok = poolboy:stop(Pool).

%% A worker that dies while it is given back: the pool may learn that it is dead after it has given it to the next.
%% expect: poolboy_checks:dead_worker dpor bug abnormal_exit
dead_worker() ->
    Pool = pool(1),
    First = poolboy:checkout(Pool),
    exit(First, kill),
    ok = poolboy:checkin(Pool, First),
    Second = poolboy:checkout(Pool),
    pong = gen_server:call(Second, ping),
    ok = poolboy:stop(Pool).
