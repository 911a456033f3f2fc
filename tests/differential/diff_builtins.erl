%% Every built-in that computes or acts on processes and what they share, with right and wrong arguments.
%%
%% Each built-in is called with combinations from a pool of terms for each argument, the first of them chosen so that they
%% fit each other. A process of its own makes the call; an observer, another process of its own, then tells what it sees:
%% how the caller ended, what came to it, whether the caller's child still lives. The case is numbered by round and
%% built-in, so all built-ins are called once before any is called twice. Tables of ets have corpora of their own with more
%% calls; here each function of ets is called on a table that is there, and on what is no table.
-module(diff_builtins).

-export([main/0, main/2, idle/0]).
-export([rows/0, not_called/3]).  % for builtin_coverage.py

-include("builtin_table.hrl").

main() -> main(1, 60 * length(called())).

main(Seed, Count) ->
    Called = list_to_tuple(called()),
    put(round, 0),
    diff_support:run(Seed, Count, fun() -> make(next(Called)) end).

%% The rows in their order, round after round.
next(Called) ->
    Turn = get(round),
    put(round, Turn + 1),
    {element(Turn rem tuple_size(Called) + 1, Called), Turn div tuple_size(Called)}.

rows() -> ?BUILTINS.

called() -> [Row || {_, Module, Name, Arity} = Row <- rows(), not_called(Module, Name, Arity) =:= called].

%% Those that cannot be compared by calling them, each with its reason.
not_called(erlang, halt, 2) -> ends_the_program;
not_called(erlang, hibernate, 3) -> needs_a_message_to_go_on;
not_called(erlang, monitor_node, _) -> refused;
not_called(erlang, nodes, _) -> started_without_a_name;
not_called(erlang, resume_process, 1) -> refused;
not_called(erlang, Name, _) when Name =:= md5_init; Name =:= md5_update -> has_bytes_that_nobody_set;
not_called(erlang, error, _) -> compared_with_its_trace_elsewhere;
not_called(erlang, nif_error, _) -> refused;
not_called(erlang, process_info, 1) -> tells_of_memory;
not_called(erlang, processes, 0) -> differs_with_the_system;
not_called(erlang, registered, 0) -> differs_with_the_system;
not_called(erlang, unique_integer, _) -> differs_each_time;
not_called(erlang, group_leader, 0) -> differs_with_the_system;
not_called(erts_internal, spawn_system_process, 3) -> refused;
not_called(erts_internal, suspend_process, 2) -> refused;
not_called(erts_internal, erase_persistent_terms, 0) -> breaks_the_logger;
not_called(erts_internal, Name, _) when Name =:= garbage_collect; Name =:= check_process_code;
                                        Name =:= group_leader; Name =:= is_process_alive; Name =:= spawn_request;
                                        Name =:= process_flag ->
    answers_by_messages;
not_called(erts_internal, request_system_task, _) -> answers_by_messages;
not_called(erts_internal, Name, _) when Name =:= ets_super_user; Name =:= ets_raw_first; Name =:= ets_raw_next;
                                        Name =:= ets_lookup_binary_info ->
    refused;
not_called(erts_internal, map_hashmap_children, 1) -> differs_with_the_system;
not_called(erts_internal, counters_info, 1) -> depends_on_the_number_of_schedulers;
not_called(erts_debug, same, 2) -> depends_on_where_literals_are;
not_called(erts_debug, size_shared, 1) -> depends_on_where_literals_are;
not_called(re, compile, _) -> makes_what_is_not_to_be_looked_at;
not_called(binary, compile_pattern, 1) -> makes_what_is_not_to_be_looked_at;
not_called(ets, internal_delete_all, 2) -> needs_a_table;
not_called(ets, internal_request_all, 0) -> answers_by_messages;
not_called(ets, info, _) -> tells_of_memory;
not_called(os, _, _) -> refused;
not_called(persistent_term, get, 0) -> differs_with_the_system;
not_called(persistent_term, info, 0) -> differs_with_the_system;
not_called(_, _, _) -> called.

make({{Kind, Module, Name, Arity}, Round}) ->
    Right = right(Module, Name, Arity),
    Arguments = case Round < length(Right) of
                    true -> lists:nth(Round + 1, Right);
                    false -> [argument(Module, Name, Arity, Position) || Position <- lists:seq(1, Arity)]
                end,
    Call = fun(Actual) -> apply(Module, Name, Actual) end,
    {{{Module, Name, Arity}, Arguments}, fun() -> observe(Kind, Call, Arguments) end}.

%% What is seen of a call.
observe(Kind, Call, Arguments) ->
    {Observer, Ref} = spawn_monitor(fun() -> exit({seen, see(Kind, Call, Arguments)}) end),
    receive
        {'DOWN', Ref, process, Observer, {seen, Seen}} -> Seen;
        {'DOWN', Ref, process, Observer, Other} -> {observer_ends, Other}
    end.

see(pure, Call, Arguments) ->
    %% No pids: bytes, hashes and texts that are made of them hold their numbers.
    Names = #{self => a_name, child => a_name, dead => a_name, observer => a_name},
    place_free(diff_support:evaluate(fun() -> Call(resolve(Arguments, Names)) end));
see(shared, Call, Arguments) ->
    observer(Call, Arguments).

observer(Call, Arguments) ->
    process_flag(trap_exit, true),
    {Dead, DeadRef} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', DeadRef, _, _, _} -> ok end,
    Observer = self(),
    {Child, ChildRef} = spawn_opt(?MODULE, idle, [], [link, monitor]),
    catch unregister(diff_child),  % of an observer that was killed
    register(diff_child, Child),
    {Caller, Ref} = spawn_monitor(fun() -> caller(Call, Arguments, Observer, Child, Dead) end),
    Result = receive
                 {result, Caller, R} -> Caller ! finish, place_free(R);
                 {'DOWN', Ref, _, _, _} = Ended -> self() ! Ended, no_result
             end,
    Down = receive {'DOWN', Ref, _, _, Reason} -> Reason end,
    Alive = is_process_alive(Child),
    exit(Child, kill),
    receive {'DOWN', ChildRef, _, _, _} -> ok end,
    {Result, Down, Alive, messages()}.

caller(Call, Arguments, Observer, Child, Dead) ->
    Table = ets:new(diff_table, [public, named_table, ordered_set]),
    ets:insert(Table, [{1, a}, {2, b}, {key, 3}]),
    Array = atomics:new(3, []),
    Counter = erts_internal:counters_new(3),
    Timer = erlang:start_timer(100000, self(), never),
    Monitor = monitor(process, Child),
    Names = #{self => self(), observer => Observer, child => Child, dead => Dead, table => ets:whereis(Table),
              array => Array, counter => Counter, timer => Timer, monitor => Monitor, alias => alias()},
    Result = diff_support:evaluate(fun() -> Call(resolve(Arguments, Names)) end),
    Observer ! {result, self(), Result},
    receive finish -> exit({had, messages(), process_info(self(), trap_exit), ets:info(diff_table, size)}) end.

idle() -> receive stop -> ok end.

messages() -> receive Message -> [Message | messages()] after 0 -> [] end.

%% Only the frame of the call itself, and no place in a file.
%% When erl goes on with a list later, which its reductions decide, it tells the helper that goes on.
place_free({error, Reason, [{erts_internal, iolist_to_iovec_continue, A, Extra} | Rest]}) ->
    place_free({error, Reason, [{erlang, iolist_to_iovec, A, Extra} | Rest]});
place_free({error, Reason, [{M, F, A, Extra} | _]}) -> {error, Reason, {M, F, A, lists:keydelete(line, 1, lists:keydelete(file, 1, Extra))}};
place_free({Class, Reason, Trace}) when is_list(Trace), Class =:= exit orelse Class =:= throw -> {Class, Reason};
place_free(Value) -> Value.

resolve({'$', Name}, Names) -> maps:get(Name, Names, no_such_thing);
resolve([Head | Tail], Names) -> [resolve(Head, Names) | resolve(Tail, Names)];
resolve(Other, _) -> Other.

argument(erlang, Name, _, Position) when (Name =:= send_after orelse Name =:= start_timer), Position =:= 1 ->
    diff_support:pick({100000, 100000, -1, a, 1.0, 1 bsl 70, []});
argument(erlang, Name, _, 2) when Name =:= 'bsl' -> diff_support:pick({0, 1, -1, 5, 64, a, 1.0, -(1 bsl 70)});
argument(erlang, make_tuple, _, 1) -> diff_support:pick({0, 1, 3, -1, a, 1.0, 1 bsl 70});
argument(erts_internal, Name, _, 1) when Name =:= counters_new; Name =:= atomics_new ->
    diff_support:pick({0, 1, 3, 100, -1, a, 1.0, 1 bsl 70, []});
%% A process that cannot begin ends its parent, sooner or later.
argument(erlang, spawn_link, 3, 1) -> diff_support:pick({1, "x", {'$', self}, []});
%% To itself it is a signal on its way: how far the process gets before it comes is open.
argument(erlang, exit_signal, 2, 1) -> diff_support:pick({{'$', child}, {'$', dead}, a, 1, [], {'$', monitor}});
%% An object without a key makes the emulator of OTP 25 crash.
argument(ets, update_counter, 4, 4) -> diff_support:pick({{x, 0}, {x, a}, {1, 2, 3}, a, [], 1});
%% With a reference in the place of an object the emulator does not say which argument is wrong.
argument(ets, Name, 2, 2) when Name =:= insert; Name =:= insert_new ->
    case argument(lists, member, 2, 1) of
        {'$', _} -> {1, new};
        Other -> Other
    end;
argument(ets, _, _, 1) -> diff_support:pick({{'$', table}, {'$', table}, diff_table, diff_table, no_table, 1, [], {'$', monitor}});
argument(atomics, _, _, 1) -> diff_support:pick({{'$', array}, {'$', array}, {'$', array}, {'$', counter}, {'$', monitor}, a});
argument(erts_internal, Name, Arity, 1) when Name =/= counters_new, Name =/= cmp_term, Name =/= term_type, Arity < 4 ->
    diff_support:pick({{'$', counter}, {'$', counter}, {'$', array}, {'$', monitor}, a, 1, #{}, #{a => 1}});
argument(_, _, _, _) ->
    case diff_support:rnd(3) of
        0 -> diff_support:pick({{'$', self}, {'$', child}, {'$', dead}, {'$', monitor}, {'$', timer}, {'$', alias}, diff_child,
                                other_name, {'$', table}, fun ?MODULE:idle/0, lists, seq, [flush], [info], [{abs, true}], process,
                                [link], [monitor], normal, kill, trap_exit, priority, true, high, links, [messages, links],
                                [{async, true}], [alias], [{alias, reply}], [{tag, t}], undefined});
        1 -> diff_support:pick({0, 1, 2, 3, -1, 255, 256, 1 bsl 59, -(1 bsl 59), 1 bsl 64, -(1 bsl 63), 1.0, -0.5, 1.0e300, a, true, '',
                                [], [1, 2, 3], "text", [a | b], [[1], <<2>>], [{1, a}, {b, 2}], {}, {1}, {a, b, c}, <<>>, <<"bin">>,
                                <<1, 131, 97, 5>>, <<131, 97, 5>>, <<5:3>>, #{}, #{a => 1, 2 => b}, {{2020, 2, 29}, {1, 2, 3}}, latin1, utf8,
                                {0, 2}, [{scope, {0, 1}}], [global], "12", "1.5", <<"12">>, <<"1.5e3">>});
        2 -> diff_support:term(2)
    end.

%% Calls that fit together.
right(erlang, '!', 2) -> sends([]);
right(erlang, send, 2) -> sends([]);
right(erlang, send, 3) -> sends([[]]) ++ sends([[noconnect]]) ++ sends([[nosuspend, noconnect]]);
right(erlang, Name, 1) when Name =:= is_pid; Name =:= is_reference; Name =:= is_atom; Name =:= is_port -> [[V] || V <- [self(), make_ref()]];
right(erlang, alias, 1) -> [[[]], [[reply]], [[explicit_unalias]]];
right(erlang, unalias, 1) -> [[{'$', alias}], [{'$', monitor}]];
right(erlang, cancel_timer, 1) -> [[{'$', monitor}]];
right(erlang, cancel_timer, 2) -> [[{'$', monitor}, [{async, true}]], [{'$', timer}, [{info, false}]], [{'$', timer}, [{async, true}, {info, false}]]];
right(erlang, read_timer, 1) -> [[{'$', monitor}]];
right(erlang, read_timer, 2) -> [[{'$', monitor}, [{async, true}]], [{'$', monitor}, []]];
right(erlang, send_after, 3) -> [[100000, {'$', child}, m], [100000, some_name, m], [100000, {'$', dead}, m]];
right(erlang, send_after, 4) -> [[100000, {'$', child}, m, []], [100000, some_name, m, [{abs, false}]]];
right(erlang, start_timer, 3) -> right(erlang, send_after, 3);
right(erlang, start_timer, 4) -> right(erlang, send_after, 4);
right(erlang, demonitor, 1) -> [[{'$', monitor}], [{'$', timer}]];
right(erlang, demonitor, 2) -> [[{'$', monitor}, Options] || Options <- [[], [flush], [info], [flush, info]]];
right(erlang, exit, 2) -> [[P, R] || P <- [{'$', child}, {'$', self}, {'$', dead}, {'$', observer}], R <- [normal, kill, why]] -- [[{'$', observer}, kill]];
right(erlang, exit_signal, 2) -> [Pair || [P, _] = Pair <- right(erlang, exit, 2), P =/= {'$', self}];
right(erlang, is_process_alive, 1) -> pids();
right(erlang, link, 1) -> pids();
right(erlang, unlink, 1) -> pids();
right(erlang, monitor, 2) -> [[process, P] || [P] <- pids()] ++ [[process, diff_child], [process, no_name], [process, {no_name, nonode@nohost}]];
right(erlang, monitor, 3) -> [[process, P, O] || [P] <- pids(), O <- [[], [{tag, t}], [{alias, reply_demonitor}]]];
right(erlang, process_flag, 2) ->
    [[trap_exit, true], [priority, low], [save_calls, 0], [save_calls, 7], [min_heap_size, 500], [sensitive, true],
     [message_queue_data, off_heap], [fullsweep_after, 3], [max_heap_size, 0], [min_bin_vheap_size, 1], [error_handler, error_handler]];
right(erlang, process_info, 2) ->
    [[P, I] || P <- [{'$', child}, {'$', dead}],
               I <- [registered_name, links, monitors, monitored_by, trap_exit, messages, message_queue_len, priority, dictionary,
                     group_leader, initial_call, min_heap_size, catchlevel, error_handler, message_queue_data, suspending, trace,
                     sequential_trace_token, fullsweep_after, max_heap_size, [registered_name, links], []]];
right(erlang, register, 2) -> [[some_name, {'$', self}], [some_name, {'$', child}], [diff_child, {'$', self}], [undefined, {'$', self}], [some_name, {'$', dead}]];
right(erlang, unregister, 1) -> [[diff_child], [no_name]];
right(erlang, whereis, 1) -> [[diff_child], [no_name]];
right(erlang, spawn, 3) -> [[?MODULE, idle, []], [no_module, f, []]];
right(erlang, spawn_link, 3) -> [[?MODULE, idle, []]];
right(erlang, spawn_opt, 4) -> [[?MODULE, idle, [], O] || O <- [[], [link], [monitor], [link, monitor, {priority, low}], [{min_heap_size, 100}]]];
right(erlang, spawn_request_abandon, 1) -> [[{'$', monitor}]];
right(atomics, put, 3) -> [[{'$', array}, 1, 5], [{'$', array}, 4, 5], [{'$', array}, 1, 1 bsl 63]];
right(atomics, Name, 3) when Name =:= add; Name =:= add_get; Name =:= exchange -> [[{'$', array}, 2, V] || V <- [1, -1, 1 bsl 63, (1 bsl 64) - 1, 1 bsl 64]];
right(atomics, get, 2) -> [[{'$', array}, I] || I <- [1, 3, 0, 4]];
right(atomics, compare_exchange, 4) -> [[{'$', array}, 1, 0, 9], [{'$', array}, 1, 1, 9]];
right(atomics, info, 1) -> [[{'$', array}]];
right(erts_internal, counters_get, 2) -> [[{'$', counter}, I] || I <- [1, 3, 0, 4]];
right(erts_internal, Name, 3) when Name =:= counters_add; Name =:= counters_put -> [[{'$', counter}, 2, V] || V <- [1, -1, 1 bsl 63]];
right(persistent_term, put, 2) -> [[diff_key, value], [diff_key, other]];
right(persistent_term, get, 1) -> [[diff_key], [diff_no_key]];
right(persistent_term, get, 2) -> [[diff_key, default], [diff_no_key, default]];
right(persistent_term, erase, 1) -> [[diff_key], [diff_key]];
right(ets, Name, 2) when Name =:= lookup; Name =:= member; Name =:= delete; Name =:= next; Name =:= prev; Name =:= take ->
    [[{'$', table}, Key] || Key <- [1, 2, key, none]];
right(ets, Name, 2) when Name =:= insert; Name =:= insert_new -> [[{'$', table}, O] || O <- [{1, z}, {9, z}, [{1, x}, {7, y}], {}, []]];
right(ets, Name, 2) when Name =:= match; Name =:= match_object -> [[{'$', table}, P] || P <- [{'$1', '_'}, {1, '$1'}, '$1', {key, 3}]];
right(ets, Name, 2) when Name =:= select; Name =:= select_count; Name =:= select_reverse; Name =:= internal_select_delete ->
    [[{'$', table}, [{{'$1', '_'}, [], [R]}]] || R <- [true, '$1', '$_']];
right(ets, select_replace, 2) -> [[{'$', table}, [{{'$1', '_'}, [], [{{'$1', new}}]}]]];
right(ets, Name, 1) when Name =:= first; Name =:= last; Name =:= delete; Name =:= whereis -> [[{'$', table}], [diff_table]];
right(ets, lookup_element, 3) -> [[{'$', table}, 1, P] || P <- [1, 2, 3]];
right(ets, update_element, 3) -> [[{'$', table}, 1, E] || E <- [{2, z}, {3, z}, {1, z}, []]];
right(ets, update_counter, 3) -> [[{'$', table}, K, I] || {K, I} <- [{key, 1}, {key, {2, 5}}, {1, 1}, {none, 1}]];
right(ets, update_counter, 4) -> [[{'$', table}, K, 1, {K, 0}] || K <- [key, none]];
right(ets, rename, 2) -> [[diff_table, new_name]];
right(ets, give_away, 3) -> [[{'$', table}, P, gift] || P <- [{'$', observer}, {'$', child}, {'$', self}, {'$', dead}]];
right(ets, new, 2) -> [[t, O] || O <- [[], [set], [bag, public], [ordered_set, named_table], [{keypos, 2}], [bad]]];
right(ets, slot, 2) -> [[{'$', table}, N] || N <- [0, 1, 2, 3, 4]];
right(ets, safe_fixtable, 2) -> [[{'$', table}, true], [{'$', table}, false]];
right(_, _, _) -> [].

pids() -> [[{'$', P}] || P <- [self, child, dead, observer]].

sends(More) -> [[To, hello | More] || To <- [{'$', self}, {'$', child}, {'$', dead}, {'$', observer}, diff_child, {diff_child, nonode@nohost}, no_name]].
