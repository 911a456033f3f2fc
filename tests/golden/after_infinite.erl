%% Long timeouts and timers never fire, on request; shorter ones still do.
%% options: --after-infinite 50
-module(after_infinite).
-behaviour(gen_server).
-export([server_call/0, long_after/0, short_after/0, late_message/0, timer/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% expect: after_infinite:server_call preemption pass
server_call() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    5 = gen_server:call(Server, {add, 2, 3}),
    gen_server:stop(Server).

init([]) -> {ok, none}.
handle_call({add, A, B}, _From, State) -> {reply, A + B, State}.
handle_cast(_, State) -> {noreply, State}.

%% expect: after_infinite:long_after dfs bug deadlock
long_after() ->
    receive never -> ok after 50 -> ok end.

%% expect: after_infinite:short_after dfs pass schedules=1
short_after() ->
    receive never -> ok after 49 -> ok end.

%% A message still ends the waiting, also one that comes while others do not match.
%% expect: after_infinite:late_message dfs pass
late_message() ->
    Self = self(),
    spawn(fun() -> Self ! other, Self ! awaited end),
    receive awaited -> ok after 100 -> exit(fired) end.

%% expect: after_infinite:timer dfs pass
timer() ->
    erlang:send_after(49, self(), ring),
    receive ring -> ok end.
