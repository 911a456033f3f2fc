%% sys: looking into OTP's behaviours, and holding them, from outside.
%% options: --after-infinite 5000
-module(sys_module).
-export([state_of_a_server/0, state_of_a_machine/0, state_of_a_manager/0, suspended/0, lost_by_replacing/0, traced/0]).
-export([init/1, callback_mode/0, handle_call/3, handle_cast/2, handle_event/2, handle_event/4]).

init(machine) -> {ok, locked, 0};
init(State) -> {ok, State}.
callback_mode() -> handle_event_function.
handle_call(get, _From, State) -> {reply, State, State}.
handle_cast(increment, State) -> {noreply, State + 1}.
handle_event(Event, Events) -> {ok, [Event | Events]}.
handle_event(cast, unlock, locked, Count) -> {next_state, open, Count + 1}.

%% expect: sys_module:state_of_a_server preemption pass
state_of_a_server() ->
    {ok, Server} = gen_server:start(?MODULE, 1, []),
    1 = sys:get_state(Server),
    2 = sys:replace_state(Server, fun(State) -> State + 1 end),
    2 = gen_server:call(Server, get),
    gen_server:stop(Server).

%% expect: sys_module:state_of_a_machine preemption pass
state_of_a_machine() ->
    {ok, Machine} = gen_statem:start(?MODULE, machine, []),
    {locked, 0} = sys:get_state(Machine),
    gen_statem:cast(Machine, unlock),
    {open, 1} = sys:get_state(Machine),
    gen_statem:stop(Machine).

%% expect: sys_module:state_of_a_manager preemption pass
state_of_a_manager() ->
    {ok, Manager} = gen_event:start(),
    ok = gen_event:add_handler(Manager, ?MODULE, []),
    gen_event:notify(Manager, hello),
    [{?MODULE, false, [hello]}] = sys:get_state(Manager),
    gen_event:stop(Manager).

%% What is suspended answers nobody until it is resumed.
%% expect: sys_module:suspended preemption pass
suspended() ->
    {ok, Server} = gen_server:start(?MODULE, 1, []),
    ok = sys:suspend(Server),
    gen_server:cast(Server, increment),
    {status, Server, {module, gen_server}, [_, suspended | _]} = sys:get_status(Server),
    ok = sys:resume(Server),
    2 = gen_server:call(Server, get),
    gen_server:stop(Server).

%% To read and then to replace is two calls; somebody may come between them.
%% expect: sys_module:lost_by_replacing preemption bug abnormal_exit
lost_by_replacing() ->
    {ok, Server} = gen_server:start(?MODULE, 1, []),
    {_, Ref} = spawn_monitor(fun() -> gen_server:cast(Server, increment) end),
    Seen = sys:get_state(Server),
    sys:replace_state(Server, fun(_) -> Seen end),
    receive {'DOWN', Ref, process, _, normal} -> ok end,
    Left = gen_server:call(Server, get),
    gen_server:stop(Server),
    2 = Left.

%% Statistics and a trace that the program reads; what goes to the device is the program's output.
%% expect: sys_module:traced preemption pass
traced() ->
    {ok, Server} = gen_server:start(?MODULE, 1, []),
    Self = self(),
    ok = sys:statistics(Server, true),
    ok = sys:install(Server, {fun(Id, {in, _}, _) -> Self ! seen, Id; (Id, _, _) -> Id end, id}),
    ok = sys:trace(Server, true),
    1 = gen_server:call(Server, get),
    receive seen -> ok end,
    {ok, Statistics} = sys:statistics(Server, get),
    1 = proplists:get_value(messages_in, Statistics),
    ok = sys:no_debug(Server),
    gen_server:stop(Server).
