%% Processes that make random operations on things that all of them know: see commutation_test.cc and erlang_traces_test.cc.
%% What an operation gives is kept in its process's state, so that two states are equal only if all operations before gave the same.
-module(commute).
-export([main/0, small/3]).

%% The test sends the seed when P waits for it; the other process is there to make a step then.
main() ->
    spawn(fun() -> erlang:yield() end),
    receive {seed, Seed, Family} ->
            put(random, Seed * 7919 + 17),
            setup(Family)
    end.

setup(Family) ->
    process_flag(trap_exit, below(2) =:= 0),
    ok = prim_file:make_dir(folder()),
    _ = [ok = prim_file:write_file(Name, <<"12">>) || Name <- [path(), path()]],
    Tids = [new_table(public) || _ <- [1, 2]],
    Others = [spawn(fun wait_for_start/0) || _ <- [1, 2, 3]],
    Timers = [erlang:send_after(10, lists:nth(I, Others), {timer, I}) || I <- [1, 2]],
    Aliases = [monitor(process, hd(Others), [{alias, pick([explicit_unalias, demonitor, reply_demonitor])}]),
               alias([pick([reply, explicit_unalias])])],
    Array = atomics:new(2, []),
    Counters = counters:new(2, []),
    Things = {list_to_tuple([self() | Others]), list_to_tuple(Tids), list_to_tuple(Timers), list_to_tuple(Aliases),
              Array, Counters, priority_aliases(Family)},
    [Other ! {start, Things, [operation(Family, N) || N <- lists:seq(1, 6)]} || Other <- Others],
    Own = [operation(Family, N) || N <- lists:seq(1, 6)],
    erase(random),
    erlang:yield(),
    run(Own, Things, []).

wait_for_start() ->
    receive {start, Things, Operations} -> run(Operations, Things, []) end.

%% Three processes with a few operations each, to be explored completely. Each puts what its operations gave into its
%% dictionary, and waits then.
small(Seed, Family, Count) ->
    put(random, Seed * 7919 + 17),
    process_flag(trap_exit, below(2) =:= 0),
    Tids = [new_table(public) || _ <- [1, 2]],
    Others = [spawn(fun() -> receive {start, Things, Operations} -> run_and_wait(Operations, Things) end end) || _ <- [1, 2]],
    Timers = [erlang:send_after(10, hd(Others), timer) || lists:member(Family, [timers, deadlines, idle])],
    Aliases = [alias([pick([reply, explicit_unalias])]) || _ <- [1, 2]],
    Things = {list_to_tuple([self(), self() | Others]), list_to_tuple(Tids), list_to_tuple(Timers ++ Timers), list_to_tuple(Aliases),
              atomics:new(2, []), counters:new(2, []), priority_aliases(Family)},
    [Other ! {start, Things, [small_operation(Family, N) || N <- lists:seq(1, Count)]} || Other <- Others],
    Own = [small_operation(Family, N) || N <- lists:seq(1, Count)],
    erase(random),
    run_and_wait(Own, Things).

%% Up to OTP 27 there are none.
priority_aliases(Family) when Family =:= priority; Family =:= all ->
    list_to_tuple([begin
                       Options = [pick([reply, explicit_unalias])],
                       try alias([priority | Options]) catch error:badarg -> alias(Options) end
                   end || _ <- [1, 2]]);
priority_aliases(_) -> {}.

%% The order in which messages lie in a mailbox is no part of a trace, though this item tells it.
small_operation(Family, N) ->
    case operation(Family, N) of
        {process_info, _, messages} -> small_operation(Family, N);
        Other -> Other
    end.

run_and_wait(Operations, Things) ->
    put(results, run(Operations, Things, [])),
    receive never -> ok end.

new_table(Protection) ->
    Table = ets:new(t, [pick([set, ordered_set, bag, duplicate_bag]), Protection]),
    [ets:insert(Table, row()) || _ <- lists:seq(1, below(4))],
    Table.

%% Random numbers from the seed.
below(N) ->
    Next = (get(random) * 1103515245 + 12345) rem 2147483648,
    put(random, Next),
    (Next bsr 8) rem N.

pick(List) -> lists:nth(1 + below(length(List)), List).

key() -> pick([1, 1, 2, 1.0, a]).
row() -> {key(), below(3)}.
process() -> 1 + below(4).
folder() -> "commute_folder".
path() -> folder() ++ pick(["/a", "/b", "/d"]).
text() -> pick([<<"x">>, <<"yz">>]).
name() -> pick([one, two]).
message() -> pick([a, b, {c, 1}]).
reason() -> pick([normal, kill, shutdown, boom]).
item() ->
    pick([registered_name, current_function, initial_call, status, message_queue_len, messages, links, monitors, monitored_by,
          dictionary, trap_exit, group_leader, priority, heap_size, catchlevel, current_stacktrace, save_calls, parent]).
specification() ->
    Head = pick([{'$1', '$2'}, {'$1', below(3)}, {key(), '$2'}]),
    Guards = pick([[], [{'>', '$1', 1}], [{'=:=', '$1', {const, key()}}]]),
    [{Head, Guards, [pick(['$_', true])]}].

%% Families put operations together that have something to do with each other. The first operations prepare a state.
operation(all, N) ->
    operation(pick([signals, signals, names, messages, priority, tables, tables, owners, numbers, timers, questions,
                    files]), N);
operation(signals, _) ->
    case below(16) of
        0 -> {link, process()};
        1 -> {unlink, process()};
        2 -> {monitor, process()};
        3 -> {monitor_name, name()};
        4 -> {monitor_alias, process(), pick([explicit_unalias, demonitor, reply_demonitor])};
        5 -> {demonitor, pick([[], [flush], [info], [flush, info]])};
        6 -> {demonitor, [flush]};
        7 -> {exit, process(), reason()};
        8 -> {exit, process(), normal};
        9 -> {exit, reason()};
        10 -> {trap_exit, pick([true, false])};
        11 -> {is_alive, process()};
        12 -> {spawn, pick([spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request])};
        13 -> {link, process()};
        14 -> {monitor, process()};
        15 -> {take, pick([any, down, exit]), pick([0, 10])}
    end;
operation(names, _) ->
    case below(10) of
        0 -> {register, name(), process()};
        1 -> {register, name(), process()};
        2 -> {unregister, name()};
        3 -> {whereis, name()};
        4 -> registered;
        5 -> {send_name, name(), message()};
        6 -> {monitor_name, name()};
        7 -> {process_info, process(), registered_name};
        8 -> {exit, pick([normal, boom])};
        9 -> {exit, process(), reason()}
    end;
operation(choices, N) ->
    case below(3) of
        0 -> operation(messages, N);
        _ -> {choose, small_operation(messages, N), small_operation(pick([messages, numbers]), N)}
    end;
operation(messages, _) ->
    case below(13) of
        0 -> {send, process(), message()};
        1 -> {send, process(), message()};
        2 -> {send_alias, 1 + below(2), message()};
        3 -> {take, pick([a, b, any]), pick([0, 10, infinity])};
        4 -> {take, pick([a, b, any]), pick([0, 10])};
        5 -> {take, pick([a, b, any]), 10};
        6 -> {process_info, process(), pick([message_queue_len, messages, status])};
        7 -> {exit, process(), reason()};
        8 -> {unalias, 1 + below(2)};
        9 -> {demonitor_alias, pick([[], [flush]])};
        10 -> {trap_exit, true};
        11 -> {send, process(), message()};
        12 -> {exit_alias, 1 + below(2), reason()}
    end;
%% Those of OTP 28 fail before.
operation(priority, _) ->
    case below(22) of
        0 -> {send_first, 1 + below(2), message()};
        1 -> {send_first, 1 + below(2), message()};
        2 -> {send_first, 1, message()};
        3 -> {send, pick([1, process()]), message()};
        4 -> {send, 1, message()};
        5 -> {send_priority_alias, 1 + below(2), message()};
        6 -> {take, pick([a, b, any]), pick([0, 10, infinity])};
        7 -> {take, pick([a, any, down, exit]), pick([0, 10])};
        8 -> {take, any, infinity};
        9 -> {take, pick([a, any]), pick([0, 10, infinity])};
        10 -> {monitor_first, process()};
        11 -> {monitor, process()};
        12 -> {link_first, process()};
        13 -> {exit_first, 1 + below(2), reason()};
        14 -> {exit, reason()};
        15 -> {unalias_first, 1 + below(2)};
        16 -> {trap_exit, true};
        17 -> {demonitor, pick([[], [flush], [flush]])};
        18 -> {spawn, spawn_first};
        19 -> {process_info, process(), pick([priority_messages, message_queue_len])};
        20 -> {exit, process(), reason()};
        21 -> pick([{unlink, process()}, {link, process()}])
    end;
%% For monitors of properties.
operation(probes, _) ->
    case below(12) of
        0 -> {probe, name(), pick([true, shared, a, undefined])};
        1 -> {probe, name(), pick([true, shared, a, undefined])};
        2 -> {probe, one, pick([true, shared, {shared, a}])};
        3 -> {label, pick([x, y])};
        4 -> {label, pick([x, y])};
        5 -> {send, process(), message()};
        6 -> {take, pick([a, any]), pick([0, 10])};
        7 -> {register, name(), process()};
        8 -> {unregister, name()};
        9 -> {exit, pick([normal, boom])};
        10 -> {exit, process(), reason()};
        11 -> {whereis, name()}
    end;
operation(questions, _) ->
    case below(11) of
        10 -> {system_count, pick([process_count, ets_count])};
        0 -> {group_leader, process(), process()};
        1 -> {flag, priority, pick([high, low])};
        2 -> {flag, save_calls, pick([0, 3])};
        3 -> processes;
        4 -> {process_info, process()};
        5 -> {spawn, pick([spawn, spawn_link, spawn_opt])};
        6 -> {put, below(3)};
        7 -> {trap_exit, pick([true, false])};
        8 -> {other_flag, process(), below(3)};
        9 -> {process_info, process(), item()}
    end;
operation(tables, _) ->
    T = 1 + below(2),
    case below(24) of
        0 -> {ets, insert, T, [row()]};
        1 -> {ets, insert, T, [row()]};
        2 -> {ets, insert, T, [[row(), row()]]};
        3 -> {ets, insert_new, T, [row()]};
        4 -> {ets, insert_new, T, [[row(), row()]]};
        5 -> {ets, lookup, T, [key()]};
        6 -> {ets, lookup_element, T, [key(), pick([1, 2, 3])]};
        7 -> {ets, member, T, [key()]};
        8 -> {ets, delete, T, [key()]};
        9 -> {ets, delete_object, T, [row()]};
        10 -> {ets, take, T, [key()]};
        11 -> {ets, update_counter, T, [key(), {2, 1}]};
        12 -> {ets, update_counter, T, [key(), 1, row()]};
        13 -> {ets, update_element, T, [key(), {2, below(3)}]};
        14 -> {ets, pick([select, select_count, select_delete, select_reverse]), T, [specification()]};
        15 -> {ets, pick([match, match_object, match_delete]), T, [pick([{'$1', 1}, {1, '_'}, {'_', '$1'}])]};
        16 -> {ets, select, T, [specification(), 1]};
        17 -> {ets, select_replace, T, [[{{'$1', below(3)}, [], [{{'$1', 5}}]}]]};
        18 -> {ets, pick([first, last]), T, []};
        19 -> {ets, pick([next, prev]), T, [key()]};
        20 -> {ets, info, T, [pick([size, memory, owner, fixed, type])]};
        21 -> {ets, safe_fixtable, T, [pick([true, false])]};
        22 -> {ets, pick([delete_all_objects, tab2list, info]), T, []};
        23 -> {ets, slot, T, [below(2)]}
    end;
operation(owners, _) ->
    T = 1 + below(2),
    case below(14) of
        0 -> {ets, give_away, T, {process(), gift}};
        1 -> {ets, setopts, T, {heir, process()}};
        2 -> {ets, setopts, T, [pick([{protection, public}, {protection, protected}])]};
        3 -> {ets, delete, T, []};
        4 -> {ets, rename, T, [pick([u, v])]};
        5 -> {ets_new, name(), [named_table, public]};
        6 -> {ets_new, t, [public]};
        7 -> {ets_named, whereis, name(), []};
        8 -> {ets_named, delete, name(), []};
        9 -> {ets_named, rename, name(), [name()]};
        10 -> {ets_named, pick([insert, lookup]), name(), [pick([{1, 1}, {2, 2}])]};
        11 -> pick([ets_all, {ets, info, T, [pick([owner, heir, name, protection])]}]);
        12 -> {exit, pick([normal, boom])};
        13 -> {ets, insert, T, [row()]}
    end;
operation(numbers, _) ->
    I = 1 + below(2),
    case below(14) of
        0 -> {atomics, get, [I]};
        1 -> {atomics, pick([add, add_get, sub]), [I, 1]};
        2 -> {atomics, pick([put, exchange]), [I, below(2)]};
        3 -> {atomics, compare_exchange, [I, below(2), below(2)]};
        4 -> {counters, get, [I]};
        5 -> {counters, pick([add, sub]), [I, 1]};
        6 -> {counters, put, [I, below(2)]};
        7 -> {term, put, [key(), below(2)]};
        8 -> {term, get, [key(), none]};
        9 -> {term, get, [key()]};
        10 -> {term, erase, [key()]};
        11 -> {term, pick([get, info]), []};
        12 -> unique;
        13 -> {atomics, add, [I, 1]}
    end;
operation(timers, _) ->
    case below(9) of
        0 -> {timer, send_after, 10, process(), message()};
        1 -> {timer, start_timer, 10, name(), message()};
        2 -> {cancel, 1 + below(2), []};
        3 -> {cancel, 1 + below(2), [{async, true}]};
        4 -> {read, 1 + below(2)};
        5 -> {take, any, pick([0, 10])};
        6 -> {exit, process(), reason()};
        7 -> {register, name(), process()};
        8 -> {exit, pick([normal, boom])}
    end;
%% For the policy `deadlines`: who is due first depends on these.
operation(deadlines, _) ->
    case below(9) of
        0 -> {timer, send_after, pick([5, 10, 20]), process(), message()};
        1 -> {timer, start_timer, pick([5, 10, 20]), process(), message()};
        2 -> {cancel, 1, []};
        3 -> {read, 1};
        4 -> {take, any, pick([5, 10, 20])};
        5 -> {take, a, pick([5, 10, 20])};
        6 -> {take, b, pick([5, 10, 20])};
        7 -> {send, process(), message()};
        8 -> {exit, process(), reason()}
    end;
%% For the policy `idle`: what is due at one instant, what that lets happen, and what comes too early for it.
operation(idle, _) ->
    case below(12) of
        0 -> {sleep, pick([5, 10, 10])};
        1 -> {timer, send_after, pick([0, 5, 10]), process(), message()};
        2 -> {timer, start_timer, pick([5, 10, 10]), name(), message()};
        3 -> {cancel, 1, []};
        4 -> {read, 1};
        5 -> {take, any, pick([0, 5, 10])};
        6 -> {take, a, pick([5, 10])};
        7 -> {take, b, pick([10, infinity])};
        8 -> {send, process(), message()};
        9 -> {atomics, add_get, [1, 1]};
        10 -> clock;
        11 -> pick([{exit, process(), reason()}, {register, name(), process()}, {is_alive, process()}])
    end;
%% Names that are forgotten, and given again where they recur, while somebody else may still have old ones.
operation(fresh, _) ->
    case below(16) of
        0 -> make_ref;
        1 -> {send_ref, process()};
        2 -> {spawn_and_wait, pick([link, monitor])};
        3 -> {spawn_and_wait, monitor};
        4 -> {spawn_and_forget, pick([spawn, spawn_link])};
        5 -> {monitor_and_demonitor, process()};
        6 -> {table_and_delete, pick([own, t])};
        7 -> {set_and_cancel, process(), pick([5, 10])};
        8 -> {call, process()};
        9 -> {answer, pick([0, 10])};
        10 -> {keep, pick([pid, reference])};
        11 -> forget;
        12 -> {take, any, pick([0, 10])};
        13 -> {insert_ref, 1 + below(2)};
        14 -> {send_child, process()};
        15 -> pick([{exit, process(), reason()}, {exit, reason()}, {timer, send_after, 10, process(), a}])
    end;
operation(files, 1) -> {open, path(), pick([[read], [write], [read, write], [append], [write, exclusive], [directory]])};
operation(files, _) ->
    case below(24) of
        0 -> {file, read_file, [path()]};
        1 -> {file, write_file, [path(), text()]};
        2 -> {file, delete, [path()]};
        3 -> {file, rename, [path(), path()]};
        4 -> {file, make_dir, [path()]};
        5 -> {file, del_dir, [pick([path(), folder()])]};
        6 -> {file, list_dir, [folder()]};
        7 -> {file, list_dir, [path()]};
        8 -> {file, read_file_info, [path()]};
        9 -> {open, path(), pick([[read], [write], [read, write], [append], [read, append], [write, exclusive]])};
        10 -> {opened, read, [pick([1, 3])]};
        11 -> {opened, pread, [below(2), 2]};
        12 -> {opened, write, [text()]};
        13 -> {opened, write, [text()]};
        14 -> {opened, pwrite, [below(3), text()]};
        15 -> {opened, position, [pick([bof, eof, {cur, 1}, {bof, 1}])]};
        16 -> {opened, truncate, []};
        17 -> {opened, allocate, [0, 1 + below(4)]};
        18 -> {opened, read_handle_info, []};
        19 -> {opened, close, []};
        20 -> {opened, datasync, []};
        21 -> {file, read_link, [path()]};
        22 -> {file, make_dir, [path()]};
        23 -> {exit, pick([normal, boom])}
    end.

run([], _, Results) -> Results;
run([{exit, Reason} | _], _, _) -> exit(Reason);
run([Operation | Rest], Things, Results) ->
    Result = try do(Operation, Things) catch Class:Reason -> {Class, Reason} end,
    run(Rest, Things, [Result | Results]).

do({choose, One, Other}, Things) ->
    N = ravel:choose(2),
    {N, do(element(N, {One, Other}), Things)};
do({probe, Name, Value}, _) -> ravel:probe(Name, Value);
do({label, Name}, _) -> ravel:label(Name);
do({link, I}, Things) -> link(pid(I, Things));
do({unlink, I}, Things) -> unlink(pid(I, Things));
do({monitor, I}, Things) -> remember(monitor(process, pid(I, Things)));
do({monitor_name, Name}, _) -> remember(monitor(process, Name));
do({monitor_alias, I, Mode}, Things) -> remember(monitor(process, pid(I, Things), [{alias, Mode}]));
do({send_first, I, Message}, Things) -> erlang:send(element(I, element(7, Things)), Message, [priority]);
do({send_priority_alias, I, Message}, Things) -> element(I, element(7, Things)) ! Message;
do({monitor_first, I}, Things) -> remember(monitor(process, pid(I, Things), [priority]));
do({link_first, I}, Things) -> apply(erlang, link, [pid(I, Things), [priority]]);
do({exit_first, I, Reason}, Things) ->
    apply(erlang, exit, [element(I, element(7, Things)), Reason, [priority]]);
do({unalias_first, I}, Things) -> unalias(element(I, element(7, Things)));
do({demonitor, Options}, _) ->
    case get(monitor) of
        undefined -> none;
        Reference -> demonitor(Reference, Options)
    end;
do({demonitor_alias, Options}, Things) -> demonitor(element(1, element(4, Things)), Options);
do({exit, I, Reason}, Things) -> exit(pid(I, Things), Reason);
do({exit_alias, I, Reason}, Things) -> exit(element(I, element(4, Things)), Reason);  % badarg up to OTP 27
do({trap_exit, Value}, _) -> process_flag(trap_exit, Value);
do({flag, Flag, Value}, _) -> process_flag(Flag, Value);
do({other_flag, I, Value}, Things) -> process_flag(pid(I, Things), save_calls, Value);
do({is_alive, I}, Things) -> is_process_alive(pid(I, Things));
do({spawn, spawn}, _) -> spawn(fun() -> self() ! a end);
do({spawn, spawn_link}, _) -> spawn_link(fun() -> ok end);
do({spawn, spawn_monitor}, _) -> spawn_monitor(fun() -> ok end);
do({spawn, spawn_opt}, _) -> spawn_opt(fun() -> exit(boom) end, [link, monitor]);
do({spawn, spawn_first}, _) ->
    spawn_opt(fun() -> exit(boom) end, [{link, [priority]}, {monitor, [priority]}]);
do({spawn, spawn_request}, _) -> spawn_request(fun() -> ok end, [monitor]);
do({take, Which, Timeout}, _) -> take(Which, Timeout);
do({register, Name, I}, Things) -> register(Name, pid(I, Things));
do({unregister, Name}, _) -> unregister(Name);
do({whereis, Name}, _) -> whereis(Name);
do(registered, _) -> registered();
do({send_name, Name, Message}, _) -> Name ! Message;
do({send, I, Message}, Things) -> pid(I, Things) ! Message;
do({send_alias, I, Message}, Things) -> element(I, element(4, Things)) ! Message;
do({unalias, I}, Things) -> unalias(element(I, element(4, Things)));
do({process_info, I}, Things) -> process_info(pid(I, Things));
do({process_info, I, Item}, Things) -> process_info(pid(I, Things), Item);
do({system_count, Item}, _) -> erlang:system_info(Item);
do({group_leader, I, J}, Things) -> group_leader(pid(I, Things), pid(J, Things));
do(processes, _) -> processes();
do({put, Value}, _) -> put(value, Value);
do({ets, give_away, T, {I, Data}}, Things) -> ets:give_away(table(T, Things), pid(I, Things), Data);
do({ets, setopts, T, {heir, I}}, Things) -> ets:setopts(table(T, Things), {heir, pid(I, Things), data});
do({ets, Function, T, Arguments}, Things) -> no_continuation(apply(ets, Function, [table(T, Things) | Arguments]));
do({ets_new, Name, Options}, _) -> ets:new(Name, Options);
do({ets_named, Function, Name, Arguments}, _) -> apply(ets, Function, [Name | Arguments]);
do(ets_all, _) -> length(ets:all());
do({atomics, Function, Arguments}, Things) -> apply(atomics, Function, [element(5, Things) | Arguments]);
do({counters, Function, Arguments}, Things) -> apply(counters, Function, [element(6, Things) | Arguments]);
do({term, Function, Arguments}, _) -> apply(persistent_term, Function, Arguments);
do(unique, _) -> erlang:unique_integer([monotonic]);
do(make_ref, _) -> make_ref() =:= make_ref();
do({send_ref, I}, Things) -> pid(I, Things) ! {ref, make_ref()}, sent;
do({spawn_and_wait, link}, _) ->
    Old = process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> ok end),
    Reason = receive {'EXIT', Pid, R} -> R after 10 -> late end,
    process_flag(trap_exit, Old),
    Reason;
do({spawn_and_wait, monitor}, _) ->
    {Pid, Ref} = spawn_monitor(fun() -> make_ref() end),
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason end;
do({spawn_and_forget, How}, _) -> erlang:How(fun() -> self() ! make_ref() end), forgotten;
do({monitor_and_demonitor, I}, Things) -> demonitor(monitor(process, pid(I, Things)), [flush, info]);
do({table_and_delete, Name}, _) ->
    T = ets:new(Name, [public]),
    ets:insert(T, {make_ref(), self()}),
    {length(ets:tab2list(T)), ets:delete(T)};
do({set_and_cancel, I, Time}, Things) ->
    Left = erlang:cancel_timer(erlang:start_timer(Time, pid(I, Things), {ref, make_ref()})),
    is_integer(Left);
do({call, I}, Things) ->
    Ref = make_ref(),
    pid(I, Things) ! {call, self(), Ref},
    receive {Ref, Answer} -> Answer after 10 -> none end;
do({answer, T}, _) ->
    receive {call, From, Ref} -> From ! {Ref, ok}, answered after T -> timeout end;
do({keep, pid}, _) -> spawn(fun() -> ok end);
do({keep, reference}, _) -> put(monitor, make_ref()), kept;
do(forget, _) -> erase(monitor), erase(value), forgotten;
do({insert_ref, T}, Things) ->
    Refs = ets:lookup(table(T, Things), ref),
    ets:insert(table(T, Things), {ref, make_ref()}),
    length(Refs);
do({send_child, I}, Things) ->
    pid(I, Things) ! {child, spawn(fun() -> receive after 10 -> ok end end)},
    sent;
do({timer, Function, Time, Who, Message}, Things) when is_integer(Who) -> erlang:Function(Time, pid(Who, Things), Message);
do({timer, Function, Time, Who, Message}, _) -> erlang:Function(Time, Who, Message);
do({cancel, I, Options}, Things) -> erlang:cancel_timer(element(I, element(3, Things)), Options);
do({sleep, Time}, _) -> timer:sleep(Time);
do(clock, _) -> erlang:monotonic_time(millisecond);
do({read, I}, Things) -> erlang:read_timer(element(I, element(3, Things)));
do({file, Function, Arguments}, _) -> apply(prim_file, Function, Arguments);
do({open, Path, Modes}, _) ->
    Result = prim_file:open(Path, [raw, binary | Modes]),
    [put(opened, File) || {ok, File} <- [Result]],
    Result;
do({opened, Function, Arguments}, _) ->
    case get(opened) of
        undefined -> none;
        File -> apply(prim_file, Function, [File | Arguments])
    end.

pid(I, Things) -> element(I, element(1, Things)).
table(I, Things) -> element(I, element(2, Things)).
remember(Reference) -> put(monitor, Reference), Reference.
%% Continuations of selections hold their table, which is no term that can be compared.
no_continuation({List, _}) when is_list(List) -> List;
no_continuation(Result) -> Result.

take(a, infinity) -> receive a -> a end;
take(b, infinity) -> receive b -> b end;
take(any, infinity) -> receive M -> M end;
take(a, T) -> receive a -> a after T -> timeout end;
take(b, T) -> receive b -> b after T -> timeout end;
take(any, T) -> receive M -> M after T -> timeout end;
take(down, T) -> receive {'DOWN', _, _, _, _} = M -> M after T -> timeout end;
take(exit, T) -> receive {'EXIT', _, Reason} when Reason =/= normal -> Reason after T -> timeout end.
