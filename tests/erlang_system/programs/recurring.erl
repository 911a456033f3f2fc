%% Programs without an end that have few states, since what nobody knows any more is forgotten; and names that are not
%% given again while somebody still has them. See recurring_test.cc.
-module(recurring).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all]).

%% ---- Names that are held

%% Hold puts a reference somewhere, and Release takes it away. If a name is the same again shows in its text.
holds(Hold, Release) ->
    Old = named(Hold),
    New = make_ref(),
    false = ref_to_list(New) =:= Old,
    Release(),
    Old = ref_to_list(make_ref()),
    New.

named(Hold) ->
    Ref = make_ref(),
    Hold(Ref),
    ref_to_list(Ref).

nobody() ->
    Old = named(fun(_) -> ok end),
    Old = ref_to_list(make_ref()).

stack() ->
    Ref = make_ref(),
    false = ref_to_list(make_ref()) =:= ref_to_list(Ref),
    Ref.

dictionary() -> holds(fun(Ref) -> put(k, [Ref]) end, fun() -> erase(k) end).
key_of_dictionary() -> holds(fun(Ref) -> put({Ref}, 1) end, fun() -> erase() end).
map() -> holds(fun(Ref) -> put(k, #{Ref => Ref}) end, fun() -> erase(k) end).
closure() -> holds(fun(Ref) -> put(k, fun() -> Ref end) end, fun() -> erase(k) end).
own_mailbox() -> holds(fun(Ref) -> self() ! {r, Ref} end, fun() -> receive {r, _} -> ok end end).
persistent() ->
    holds(fun(Ref) -> persistent_term:put(k, Ref) end, fun() -> persistent_term:erase(k) end).

other_mailbox() ->
    Pid = spawn(fun() -> receive go -> receive {r, _} -> ok end end, receive never -> ok end end),
    holds(fun(Ref) -> Pid ! {r, Ref} end, fun() -> Pid ! go, wait_for(Pid, message_queue_len, 0) end),
    exit(Pid, kill).

other_stack() ->
    Pid = spawn(fun() -> receive {r, Ref} -> receive {free, From} -> From ! {freed, ref_to_list(Ref)} end end,
                         receive never -> ok end end),
    holds(fun(Ref) -> Pid ! {r, Ref}, wait_for(Pid, message_queue_len, 0) end,
          fun() -> Pid ! {free, self()}, receive {freed, _} -> ok end end),
    exit(Pid, kill).

row() ->
    T = ets:new(t, []),
    holds(fun(Ref) -> ets:insert(T, {1, {Ref}}) end, fun() -> ets:delete(T, 1) end),
    holds(fun(Ref) -> ets:insert(T, {Ref}) end, fun() -> ets:delete_all_objects(T) end).

heir_data() ->
    T = ets:new(t, []),
    holds(fun(Ref) -> ets:setopts(T, {heir, self(), Ref}) end, fun() -> ets:setopts(T, {heir, none}) end).

timer_message() ->
    holds(fun(Ref) -> erlang:send_after(100, self(), {tick, Ref}) end, fun() -> receive {tick, _} -> ok end end).

spawn_argument() ->
    holds(fun(Ref) -> put(pid, spawn(?MODULE, nothing, [Ref])) end, fun() -> wait_for_end(get(pid)) end).

spawn_closure() ->
    holds(fun(Ref) -> put(pid, spawn(fun() -> nothing(Ref) end)) end, fun() -> wait_for_end(get(pid)) end).

exit_reason() ->
    process_flag(trap_exit, true),
    holds(fun(Ref) -> spawn_link(fun() -> exit({shutdown, Ref}) end) end, fun() -> receive {'EXIT', _, _} -> ok end end).

%% References that the machine itself has: the first one of each is that of a timer, monitor or alias.
timer() ->
    Timer = erlang:start_timer(100, self(), tick),
    Old = ref_to_list(Timer),
    false = ref_to_list(make_ref()) =:= Old,
    receive {timeout, Timer, tick} -> ok end,
    forgotten(Old).

timer_of_others() ->
    Old = timer_text(),
    false = ref_to_list(make_ref()) =:= Old,
    receive tick -> ok end,
    forgotten(Old).
timer_text() -> ref_to_list(erlang:send_after(100, self(), tick)).

monitor() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Old = monitor_text(Pid),
    false = ref_to_list(make_ref()) =:= Old,
    Pid ! stop,
    receive {'DOWN', _, _, _, _} -> ok end,
    forgotten(Old).
monitor_text(Pid) -> ref_to_list(monitor(process, Pid)).

alias() ->
    Old = alias_text(fun(Alias) -> put(alias, {Alias}) end),
    false = ref_to_list(make_ref()) =:= Old,
    unalias(element(1, erase(alias))),
    forgotten(Old).
%% Nobody has it any more who could send to it; but the process has it.
lost_alias() ->
    Old = alias_text(fun(_) -> ok end),
    false = ref_to_list(make_ref()) =:= Old.
alias_text(Keep) ->
    Alias = erlang:alias(),
    Keep(Alias),
    ref_to_list(Alias).

forgotten(Old) -> Old = ref_to_list(make_ref()), ok.

%% What an operation is given counts while it is carried out.
operand_of_timer() ->
    Timer = erlang:start_timer(100, self(), {old, make_ref()}),
    receive {timeout, Timer, {old, Ref}} -> false = Timer =:= Ref end.

operand_of_spawn() ->
    Pid = spawn(?MODULE, give_back, [self(), dead_child()]),
    receive {given, Dead} -> false = Pid =:= Dead end.
give_back(Pid, Term) -> Pid ! {given, Term}.

operand_of_table() ->
    T = ets:new(t, [{heir, self(), make_ref()}]),
    false = id_text(T) =:= id_text(ets:info(T, heir)),
    ets:delete(T).
id_text(Term) -> lists:flatten(io_lib:format("~p", [Term])).

%% Bytes are no name, so what is in them is given again.
external() ->
    Old = named(fun(Ref) -> put(k, term_to_binary(Ref)) end),
    Ref = make_ref(),
    Old = ref_to_list(Ref),
    Ref = binary_to_term(get(k)).

%% ---- Processes and tables

dead_child() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, _} -> Pid end.

pid_that_nobody_knows() ->
    Old = pid_to_list(dead_child()),
    Old = pid_to_list(dead_child()).

pid_that_is_known() ->
    Dead = dead_child(),
    false = Dead =:= dead_child(),
    Dead.

%% Who lives has its name, though nobody else knows it.
pid_of_the_living() ->
    Before = length(processes()),
    spawn(?MODULE, sit, []),
    spawn(?MODULE, sit, []),
    2 = length(processes()) - Before.
sit() -> receive never -> ok end.

pid_in_a_table() ->
    T = ets:new(t, []),
    Old = note_child(fun(Pid) -> ets:insert(T, {Pid}) end),
    false = pid_to_list(dead_child()) =:= Old,
    ets:delete(T),
    Old = pid_to_list(dead_child()).

pid_that_is_heir() ->
    T = ets:new(t, []),
    Pid = spawn(fun() -> receive stop -> ok end end),
    ets:setopts(T, {heir, Pid, data}),
    Old = stop(Pid),
    false = pid_to_list(dead_child()) =:= Old,
    ets:delete(T),
    Old = pid_to_list(dead_child()).
stop(Pid) ->
    Ref = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Ref, _, _, _} -> pid_to_list(Pid) end.

note_child(Note) ->
    Pid = dead_child(),
    Note(Pid),
    pid_to_list(Pid).

pid_that_is_linked() ->
    process_flag(trap_exit, true),
    Old = pid_to_list(spawn_link(fun() -> receive after 100 -> ok end end)),
    false = pid_to_list(dead_child()) =:= Old,
    receive {'EXIT', _, _} -> ok end,
    Old = pid_to_list(dead_child()).

%% A reference tells who made it.
pid_of_a_reference() ->
    Self = self(),
    spawn(fun() -> Self ! {made, make_ref()} end),
    receive {made, Ref} -> ok end,
    receive after 100 -> ok end,
    New = spawn(fun() -> Self ! {made, make_ref()} end),
    receive {made, Other} -> false = Ref =:= Other end,
    New.

%% While a grandchild is there, its name tells of its parent.
parent_of_somebody() ->
    Self = self(),
    spawn(fun() -> spawn(fun() -> Self ! {child, self()}, receive stop -> ok end end) end),
    receive {child, Grandchild} -> ok end,
    receive after 100 -> ok end,
    Child = spawn(fun() -> Self ! {other, spawn(fun() -> ok end)}, receive stop -> ok end end),
    receive {other, Other} -> false = Other =:= Grandchild end,
    exit(Child, kill),
    Grandchild ! stop.

table_that_is_deleted() ->
    Old = table_text(),
    Old = table_text().
table_text() ->
    T = ets:new(t, []),
    ets:delete(T),
    id_text(T).

table_that_is_known() ->
    T = ets:new(t, []),
    ets:delete(T),
    false = T =:= ets:new(t, []).

tables_and_references() ->
    T = ets:new(t, []),
    Ref = make_ref(),
    false = T =:= Ref,
    ets:delete(T),
    Ref.

%% Who was there before the test has children with other names than those from before.
child_of_the_system() ->
    Before = processes(),
    [begin
         {ok, Pid} = supervisor:start_child(kernel_sup, #{id => extra, start => {?MODULE, start_link, []}}),
         false = lists:member(Pid, Before),
         ok = supervisor:terminate_child(kernel_sup, extra),
         ok = supervisor:delete_child(kernel_sup, extra)
     end || _ <- [1, 2]].

nothing(_) -> ok.
wait_for_end(Pid) -> case is_process_alive(Pid) of true -> receive after 100 -> wait_for_end(Pid) end; false -> ok end.
wait_for(Pid, Item, Value) ->
    case process_info(Pid, Item) of
        {_, Value} -> ok;
        _ -> receive after 100 -> wait_for(Pid, Item, Value) end
    end.

%% ---- Programs without an end

make_refs() ->
    self() ! make_ref(),
    receive Ref when is_reference(Ref) -> ok end,
    make_refs().

calls() ->
    {ok, Server} = start_link(),
    calls(Server).
calls(Server) ->
    ok = gen_server:call(Server, question),
    calls(Server).

monitors() ->
    Pid = spawn(fun() -> receive never -> ok end end),
    monitors(Pid).
monitors(Pid) ->
    demonitor(monitor(process, Pid), [flush]),
    monitors(Pid).

links() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> ok end),
    receive {'EXIT', Pid, normal} -> ok end,
    links().

spawn_monitors() ->
    dead_child(),
    spawn_monitors().

tables() ->
    T = ets:new(t, []),
    ets:insert(T, {T, make_ref()}),
    ets:delete(T),
    tables().

naps() ->
    receive after 100 -> ok end,
    naps().

ticks() ->
    erlang:send_after(100, self(), tick),
    receive tick -> ok end,
    ticks().

%% Set again before it fires, as those of a gen_server with a timeout.
cancelled() ->
    cancelled(erlang:start_timer(100, self(), late)).
cancelled(Timer) ->
    receive {timeout, Timer, late} -> exit(late) after 50 -> ok end,
    erlang:cancel_timer(Timer),
    cancelled().

%% Two periods, of which one is three times the other.
two_periods() ->
    spawn(fun() -> nap_for(300) end),
    nap_for(100).
nap_for(Time) ->
    receive after Time -> ok end,
    nap_for(Time).

%% Now time counts.
clocks() ->
    erlang:monotonic_time(millisecond),
    naps().

restarts() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, #{strategy => simple_one_for_one}),
    restarts(Supervisor).
restarts(Supervisor) ->
    {ok, Pid} = supervisor:start_child(Supervisor, []),
    Ref = monitor(process, Pid),
    gen_server:cast(Pid, stop),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    restarts(Supervisor).

start_link() -> gen_server:start_link(?MODULE, server, []).
init(server) -> {ok, none};
init(Flags) -> {ok, {Flags, [#{id => worker, start => {?MODULE, start_link, []}, restart => temporary}]}}.
handle_call(question, _, State) -> {reply, ok, State}.
handle_cast(stop, State) -> {stop, normal, State}.
