%% OTP's own gen_server, whose receive has real timeouts, monitors and aliases.
-module(client_server).
-behaviour(gen_server).
-export([call/0, cast_then_call/0, call_the_dead/0, two_clients/0, stop/0]).
-export([init/1, handle_call/3, handle_cast/2]).

init(State) -> {ok, State}.

handle_call(get, _From, State) -> {reply, State, State};
handle_call({add, N}, _From, State) -> {reply, ok, State + N}.

handle_cast({add, N}, State) -> {noreply, State + N}.

%% expect: client_server:call preemption pass
call() ->
    {ok, Pid} = gen_server:start(?MODULE, 7, []),
    7 = gen_server:call(Pid, get, infinity),
    gen_server:stop(Pid).

%% A cast of the same client comes before its call.
%% expect: client_server:cast_then_call preemption pass
cast_then_call() ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    gen_server:cast(Pid, {add, 5}),
    5 = gen_server:call(Pid, get, infinity),
    gen_server:stop(Pid).

%% expect: client_server:call_the_dead preemption bug abnormal_exit
call_the_dead() ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    gen_server:stop(Pid),
    gen_server:call(Pid, get, infinity).

%% get, then add: the answer depends on the other client.
%% expect: client_server:two_clients preemption bug abnormal_exit
two_clients() ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    Self = self(),
    spawn(fun() -> ok = gen_server:call(Pid, {add, 1}, infinity), Self ! done end),
    0 = gen_server:call(Pid, get, infinity),
    receive done -> ok end,
    gen_server:stop(Pid).

%% expect: client_server:stop preemption pass
stop() ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    Ref = monitor(process, Pid),
    gen_server:stop(Pid),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.
