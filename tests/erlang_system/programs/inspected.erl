%% What inspect_test.cc looks at: servers of each behaviour, and processes that wait in different ways.
-module(inspected).
-behaviour(gen_server).
-export([servers/0, call/0, plain/0, long/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-export([callback_mode/0, handle_event/4]).
-export([handle_event/2, handle_call/2]).

servers() ->
    {ok, _} = gen_server:start({local, server}, ?MODULE, server, []),
    {ok, Machine} = gen_statem:start(?MODULE, machine, []),
    register(machine, Machine),
    {ok, Events} = gen_event:start({local, events}),
    ok = gen_event:add_handler(Events, ?MODULE, handler),
    gen_server:call(server, {put, 5}, infinity),
    gen_statem:cast(Machine, push),
    receive never -> ok end.

%% The server waits inside a callback for another one.
call() ->
    {ok, Inner} = gen_server:start({local, inner}, ?MODULE, deaf, []),
    {ok, _} = gen_server:start({local, outer}, ?MODULE, {asks, Inner}, []),
    gen_server:call(outer, ask, infinity).

plain() ->
    put(colour, {green, 1}),
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> receive stop -> ok end end),
    register(child, Child),
    monitor(process, Child),
    self() ! {later, 1},
    self() ! {later, 2},
    wait_for_now().

wait_for_now() ->
    receive
        now -> ok
    end,
    done.

%% Doubles what is shown in each round, and not what it is made of.
long() ->
    put(doubled, lists:foldl(fun(_, Term) -> {Term, Term} end, leaf, lists:seq(1, 100))),
    put(text, lists:duplicate(1000000, $x)),
    [self() ! N || N <- lists:seq(1, 300)],
    receive never -> ok end.

init(server) -> {ok, #{value => 0}};
init(machine) -> {ok, up, [data]};
init(handler) -> {ok, handled};
init(Other) -> {ok, Other}.

handle_call({put, Value}, _, State) -> {reply, ok, State#{value => Value}};
handle_call(ask, _, {asks, Inner} = State) -> {reply, gen_server:call(Inner, anything, infinity), State};
handle_call(anything, _, deaf) -> {noreply, deaf}.

handle_cast(_, State) -> {noreply, State}.

callback_mode() -> handle_event_function.
handle_event(cast, push, up, Data) -> {next_state, down, [pushed | Data]}.

handle_event(_, State) -> {ok, State}.
handle_call(_, State) -> {ok, ok, State}.
