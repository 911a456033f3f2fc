%% A call of a server: its default timeout of 5000 ms may pass before the answer comes.
-module(server_call).
-behaviour(gen_server).
-export([default_timeout/0, no_timeout/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% expect: server_call:default_timeout preemption bug abnormal_exit
%% The answer comes in time; or behind the timeout, which still finds it; or when the alias of the call is gone.
%% expect: server_call:default_timeout dpor bug abnormal_exit schedules=3
default_timeout() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    5 = gen_server:call(Server, {add, 2, 3}),
    gen_server:stop(Server).

%% expect: server_call:no_timeout preemption pass
no_timeout() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    5 = gen_server:call(Server, {add, 2, 3}, infinity),
    gen_server:stop(Server).

init([]) -> {ok, none}.
handle_call({add, A, B}, _From, State) -> {reply, A + B, State}.
handle_cast(_, State) -> {noreply, State}.
