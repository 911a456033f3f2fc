%% Round trips of gen_server:call, a hundred per iteration.
-module(bench_calls).
-behaviour(gen_server).
-export([run/1]).
-export([init/1, handle_call/3, handle_cast/2]).

run(N) ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    loop(N, Server),
    Expected = N * 100,
    Expected = gen_server:call(Server, read),
    ok = gen_server:stop(Server).

loop(0, _Server) -> ok;
loop(N, Server) ->
    [ok = gen_server:call(Server, {add, 1}) || _ <- lists:seq(1, 100)],
    loop(N - 1, Server).

init(Count) -> {ok, Count}.
handle_call({add, N}, _From, Count) -> {reply, ok, Count + N};
handle_call(read, _From, Count) -> {reply, Count, Count}.
handle_cast(_, Count) -> {noreply, Count}.
