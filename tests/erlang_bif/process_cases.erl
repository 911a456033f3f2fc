%% Cases for processes_test.cc: main/0 prints the result of each, which does not depend on the schedule, on the
%% installed erl and on our machine.
-module(process_cases).
-export([main/0, echo/1, waiter/0]).
-compile([nowarn_deprecated_function, nowarn_deprecated_catch]).

main() ->
    Cases = [{Name, Fun} || {Name, Fun} <- cases()],
    lists:foreach(fun({Name, Fun}) ->
                          {Pid, Ref} = spawn_monitor(fun() -> exit({result, run(Fun)}) end),
                          receive
                              {'DOWN', Ref, process, Pid, {result, Result}} -> print(Name, Result);
                              {'DOWN', Ref, process, Pid, Other} -> print(Name, {ended, Other})
                          end
                  end, Cases).

print(Name, Result) -> io:format("~s: ~0p~n", [Name, plain(Result)]).

run(Fun) ->
    try Fun()
    catch Class:Reason:Stack -> {Class, Reason, without_place(hd(Stack))}
    end.

without_place({M, F, A, Extra}) -> {M, F, A, lists:keydelete(line, 1, lists:keydelete(file, 1, Extra))}.

%% What is different in each run.
plain(T) when is_pid(T) -> pid;
plain(T) when is_reference(T) -> ref;
plain(T) when is_function(T) -> 'fun';
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(T) when is_map(T) -> {map, [{plain(K), plain(V)} || {K, V} <- lists:sort(maps:to_list(T))]};
plain(T) -> T.

dead() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> Pid end.

%% What process_info says once the process is in that function.
what_it_does(_, _, 0) -> never;
what_it_does(P, Function, Rounds) ->
    case process_info(P, [current_function, status]) of
        [{_, Function}, {_, waiting}] ->
            [{_, Location}, {_, Trace}] = process_info(P, [current_location, current_stacktrace]),
            {Location =:= setelement(4, Location, []), length(Trace)};
        _ ->
            erlang:yield(),
            what_it_does(P, Function, Rounds - 1)
    end.

waiter() -> receive stop -> ok end.
echo(To) -> To ! {self(), hello}.

%% Lets a process run until it waits.
settle(Pid) ->
    case process_info(Pid, status) of
        {status, waiting} -> ok;
        undefined -> ok;
        _ -> erlang:yield(), settle(Pid)
    end.

next() -> receive M -> M after 0 -> none end.
all() -> receive M -> [M | all()] after 0 -> [] end.

%% What this process has sent to itself, and whatever has come with it.
until_done() -> self() ! done, taken_until_done().
taken_until_done() -> receive done -> []; M -> [M | taken_until_done()] end.

down(Ref) -> receive {'DOWN', Ref, process, _, Reason} -> Reason end.

cases() ->
    spawns() ++ sends() ++ links() ++ monitors() ++ aliases() ++ exits() ++ names() ++ infos() ++ flags() ++
        timers() ++ dictionaries() ++ times() ++ systems() ++ others().

spawns() ->
    [{spawn_fun, fun() -> S = self(), P = spawn(fun() -> S ! {self(), hi} end), receive {P, M} -> M end end},
     {spawn_mfa, fun() -> P = spawn(?MODULE, echo, [self()]), receive {P, M} -> M end end},
     {spawn_bad_function, fun() -> spawn(a, b, c) end},
     {spawn_bad_module, fun() -> spawn("a", b, []) end},
     {spawn_improper, fun() -> spawn(a, b, [x | y]) end},
     {spawn_no_fun, fun() -> spawn(foo) end},
     {spawn_undef, fun() -> {_, R} = spawn_monitor(nomod, nofun, [1]), down(R) end},
     {spawn_badarity, fun() -> {_, R} = spawn_monitor(erlang, apply, [fun(_) -> ok end, []]), element(1, down(R)) end},
     {spawn_link_crash, fun() -> process_flag(trap_exit, true), spawn_link(fun() -> exit(boo) end),
                                 receive {'EXIT', _, X} -> X end end},
     {spawn_opt, fun() -> process_flag(trap_exit, true),
                          {_, R} = spawn_opt(fun() -> exit(x) end, [link, monitor, {priority, high}]),
                          [receive {'EXIT', _, X} -> X end, down(R)] end},
     {spawn_opt_tag, fun() -> {P, R} = spawn_opt(fun() -> ok end, [{monitor, [{tag, mine}]}]),
                              receive {mine, R, process, P, X} -> X end end},
     {spawn_opt_bad, fun() -> erlang:spawn_opt(?MODULE, waiter, [], [foo]) end},
     {spawn_opt_bad_list, fun() -> erlang:spawn_opt(?MODULE, waiter, [], [link | foo]) end},
     {spawn_opt_bad_types, fun() -> erlang:spawn_opt(?MODULE, waiter, foo, [link]) end},
     {spawn_opt_reply, fun() -> erlang:spawn_opt(?MODULE, waiter, [], [{reply, yes}]) end},
     {spawn_opt_values, fun() -> [catch element(1, element(2, catch erlang:spawn_opt(?MODULE, echo, [self()], [O])))
                                  || O <- [{priority, no}, {min_heap_size, -1}, {max_heap_size, 100},
                                           {fullsweep_after, a}, {message_queue_data, x}, {scheduler, -1},
                                           {monitor, [x]}, {monitor, [{alias, no}]}]] end},
     {hibernating, fun() -> P = spawn(erlang, hibernate, [?MODULE, waiter, []]),
                            Asleep = what_it_does(P, {erlang, hibernate, 3}, 1000),
                            P ! wake_up,
                            {Asleep, what_it_does(P, {?MODULE, waiter, 0}, 1000)} end},
     {hibernate_wrong, fun() -> [run(fun() -> erlang:hibernate(M, F, A) end)
                                 || {M, F, A} <- [{m, f, lists:duplicate(5122, a)}, {m, f, [a | b]}, {m, f, x}, {1, f, []}, {m, {f}, []}]] end},
     {heap_of_its_own, fun() -> P = spawn_opt(fun waiter/0, [{min_heap_size, 100000}]),
                                [element(2, process_info(P, I)) >= 100000 || I <- [heap_size, total_heap_size]] end},
     {spawn_opt_flags, fun() -> P = spawn_opt(fun waiter/0, [{min_heap_size, 1000}, {message_queue_data, off_heap},
                                                             {fullsweep_after, 3}, {priority, low}]),
                                process_info(P, [min_heap_size, message_queue_data, fullsweep_after, priority]) end},
     {spawn_request, fun() -> R = spawn_request(fun() -> ok end, []),
                              receive {spawn_reply, R, A, B} -> {A, is_pid(B)} end end},
     {spawn_request_monitor, fun() -> R = spawn_request(fun() -> exit(x) end, [monitor, {reply_tag, t}]),
                                      [receive {t, R, A, _} -> A end, down(R)] end},
     {spawn_request_no, fun() -> R = spawn_request(fun() -> exit(x) end, [monitor, {reply, no}]), [down(R), next()] end},
     {spawn_request_bad, fun() -> R = spawn_request(fun() -> ok end, [foo]),
                                  receive {spawn_reply, R, A, B} -> {A, B} end end},
     {spawn_request_silent, fun() -> spawn_request(fun() -> ok end, [foo, {reply, no}]), next() end},
     {spawn_request_list, fun() -> spawn_request(fun() -> ok end, [foo | bar]) end},
     {spawn_request_abandon, fun() -> [catch spawn_request_abandon(make_ref()), run(fun() -> spawn_request_abandon(x) end)] end},
     {spawn_on_this_node, fun() -> S = self(), spawn(node(), fun() -> S ! hi end), receive X -> X end end},
     {spawn_initial_call, fun() -> [process_info(spawn(fun waiter/0), initial_call),
                                    process_info(spawn(?MODULE, waiter, []), initial_call)] end},
     {spawn_parent, fun() -> S = self(), {parent, P} = process_info(spawn(fun waiter/0), parent), P =:= S end}].

sends() ->
    [{send_self, fun() -> self() ! a, self() ! b, all() end},
     {send_value, fun() -> [dead() ! x, catch erlang:send(dead(), y), erlang:send(self(), z, [noconnect])] end},
     {send_noname, fun() -> nobody_has_this_name ! x end},
     {send_noname2, fun() -> erlang:send(nobody_has_this_name, x) end},
     {send_named_node, fun() -> {nobody_has_this_name, node()} ! x end},
     {send_bad, fun() -> [run(fun() -> T ! x end) || T <- [1, "a", {a}, {a, 1}, #{}, <<>>]] end},
     {send_opts, fun() -> [run(fun() -> erlang:send(self(), x, O) end) || O <- [[foo], [nosuspend | foo], foo, []]] end},
     {send_nosuspend, fun() -> [erlang:send_nosuspend(self(), x), all()] end},
     {send_ref, fun() -> make_ref() ! x end},
     {send_name, fun() -> register(some_name, self()), some_name ! 1, {some_name, node()} ! 2, all() end},
     {selective, fun() -> [self() ! X || X <- [a, b, c]], [receive c -> c end, receive b -> b end, all()] end}].

links() ->
    [{link_dead, fun() -> link(dead()) end},
     {link_dead_trap, fun() -> process_flag(trap_exit, true), [link(dead()), all()] end},
     {link_self, fun() -> [link(self()), unlink(self()), process_info(self(), links)] end},
     {link_bad, fun() -> [run(fun() -> link(X) end) || X <- [a, 1, make_ref()]] end},
     {unlink_bad, fun() -> [run(fun() -> unlink(X) end) || X <- [a, 1, make_ref()]] end},
     {unlink_dead, fun() -> unlink(dead()) end},
     {link_twice, fun() -> P = spawn(fun waiter/0), link(P), link(P), {links, L} = process_info(self(), links), length(L) end},
     {link_info, fun() -> P = spawn_link(fun waiter/0), {links, L} = process_info(P, links), L =:= [self()] end},
     {unlinked, fun() -> P = spawn_link(fun waiter/0), unlink(P), exit(P, kill), R = monitor(process, P), down(R) end},
     {link_normal, fun() -> P = spawn_link(fun waiter/0), R = monitor(process, P), P ! stop, down(R) end},
     {link_kill_through, fun() ->
        {P, R} = spawn_monitor(fun() -> spawn_link(fun() -> exit(kill) end), waiter() end), _ = P, down(R) end},
     {link_killed, fun() ->
        S = self(),
        {_, R} = spawn_monitor(fun() -> Q = spawn_link(fun waiter/0), S ! {child, Q}, waiter() end),
        receive {child, Q} -> exit(Q, kill) end, down(R) end}].

monitors() ->
    [{monitor_dead, fun() -> R = monitor(process, dead()), down(R) end},
     {monitor_name, fun() -> R = monitor(process, nobody_has_this_name), receive {'DOWN', R, T, O, X} -> {T, O, X} end end},
     {monitor_name_node, fun() -> R = monitor(process, {nobody_has_this_name, node()}), receive {'DOWN', R, T, O, X} -> {T, O, X} end end},
     {monitor_self, fun() -> R = monitor(process, self()), [is_reference(R), demonitor(R), demonitor(R, [info])] end},
     {monitor_bad, fun() -> [run(fun() -> monitor(T, X) end) || {T, X} <- [{process, 1}, {process, {a}}, {process, {a, 'b@c'}},
                                                                        {foo, self()}, {time_offset, x}, {port, 1}]] end},
     {monitor_opts, fun() -> [run(fun() -> monitor(process, dead(), O), ok end) || O <- [[], [foo], [{alias, x}], [{tag, a} | b], foo]] end},
     {monitor_tag, fun() -> R = monitor(process, dead(), [{tag, {my, tag}}]), receive {{my, tag}, R, process, _, X} -> X end end},
     {demonitor_bad, fun() -> [run(fun() -> demonitor(X) end) || X <- [a, 1]] end},
     {demonitor_opts, fun() -> [run(fun() -> demonitor(make_ref(), O) end) || O <- [[], [info], [flush], [flush, info], [x], [info | x], x]] end},
     {demonitor_flush, fun() -> R = monitor(process, dead()), self() ! other, [demonitor(R, [flush]), all()] end},
     {demonitor_flush_info, fun() -> R = monitor(process, dead()), receive nothing -> ok after 20 -> ok end, [demonitor(R, [flush, info]), all()] end},
     {demonitor_alive, fun() -> P = spawn(fun waiter/0), R = monitor(process, P), [demonitor(R, [info]), demonitor(R, [info])] end},
     {demonitor_foreign, fun() -> S = self(), spawn(fun() -> S ! {ref, monitor(process, S)}, waiter() end),
                                  receive {ref, R} -> demonitor(R) end end},
     {monitored_by, fun() -> P = spawn(fun waiter/0), monitor(process, P), monitor(process, P),
                             {monitored_by, L} = process_info(P, monitored_by), [X =:= self() || X <- L] end},
     {monitors_info, fun() -> P = spawn(fun waiter/0), register(watched, P), monitor(process, P), monitor(process, watched),
                              {monitors, L} = process_info(self(), monitors), lists:sort(plain(L)) end}].

aliases() ->
    [{alias, fun() -> A = alias(), A ! x, [all(), unalias(A), unalias(A), begin A ! y, all() end] end},
     {alias_reply, fun() -> A = alias([reply]), A ! x, A ! y, [all(), unalias(A)] end},
     {alias_bad, fun() -> [run(fun() -> alias(O) end) || O <- [[x], x, [reply | x]]] end},
     {unalias_bad, fun() -> [run(fun() -> unalias(X) end) || X <- [x, make_ref()]] end},
     {monitor_alias, fun() -> P = spawn(fun waiter/0), R = monitor(process, P, [{alias, reply_demonitor}]),
                              R ! a, R ! b, [all(), demonitor(R, [info])] end},
     {monitor_alias_demonitor, fun() -> P = spawn(fun waiter/0), R = monitor(process, P, [{alias, demonitor}]),
                                        R ! a, receive a -> ok end, X = demonitor(R, [info]), R ! b, [X, all()] end},
     {monitor_alias_explicit, fun() -> P = spawn(fun waiter/0), R = monitor(process, P, [{alias, explicit_unalias}]),
                                       R ! a, X = demonitor(R, [info]), R ! b, [X, all(), unalias(R)] end},
     {monitor_alias_down, fun() -> R = monitor(process, dead(), [{alias, reply_demonitor}]), X = down(R), R ! b, [X, all(), unalias(R)] end},
     {monitor_alias_self, fun() -> R = monitor(process, self(), [{alias, explicit_unalias}]), R ! x, [all(), unalias(R)] end},
     {unalias_keeps_monitor, fun() -> P = spawn(fun waiter/0), R = monitor(process, P, [{alias, demonitor}]),
                                      X = unalias(R), P ! stop, [X, down(R)] end},
     {alias_of_other, fun() -> S = self(), {_, R} = spawn_monitor(fun() -> S ! {a, alias()}, waiter() end), _ = R,
                               receive {a, A} -> unalias(A) end end}].

exits() ->
    [{exit_normal_other, fun() -> P = spawn(fun waiter/0), exit(P, normal), is_process_alive(P) end},
     {exit_normal_self, fun() -> exit(self(), normal), not_reached end},
     {exit_signal_normal_self, fun() -> erlang:exit_signal(self(), normal), reached end},
     {exit_kill_self, fun() -> process_flag(trap_exit, true), exit(self(), kill), not_reached end},
     {exit_self_trap, fun() -> process_flag(trap_exit, true), [exit(self(), normal), exit(self(), x), all()] end},
     {exit_other, fun() -> P = spawn(fun waiter/0), R = monitor(process, P), [exit(P, boo), down(R)] end},
     {exit_killed, fun() -> P = spawn(fun waiter/0), R = monitor(process, P), exit(P, kill), down(R) end},
     {exit_dead, fun() -> exit(dead(), kill) end},
     {exit_alias, fun() -> process_flag(trap_exit, true), A = alias(), B = alias([reply]), R = monitor(process, spawn(fun waiter/0), [{alias, demonitor}]),
                           Sent = [run(fun() -> exit(X, y) end) || X <- [A, B, B, R]], Came = until_done(),
                           unalias(A), demonitor(R), More = [run(fun() -> exit(X, z) end) || X <- [A, B, R]], [Sent, Came, More, until_done()] end},
     {exit_alias_normal, fun() -> [run(fun() -> exit(alias(), normal) end), until_done()] end},
     {exit_alias_self, fun() -> {_, R} = spawn_monitor(fun() -> true = run(fun() -> exit(alias(), y) end), waiter() end), down(R) =:= y end},
     {exit_alias_other, fun() -> S = self(), {_, R} = spawn_monitor(fun() -> S ! {a, alias()}, waiter() end),
                                 receive {a, A} -> [run(fun() -> exit(A, boo) end), [down(R) || erlang:system_info(otp_release) >= "28"]] end end},
     {exit_bad, fun() -> [run(fun() -> exit(X, y) end) || X <- [a, 1, make_ref()]] end},
     {killed_is_dead, fun() -> P = spawn(fun waiter/0), exit(P, kill), [is_process_alive(P), process_info(P)] end},
     {uncaught_error, fun() -> {_, R} = spawn_monitor(fun() -> error(boo) end), element(1, down(R)) end},
     {uncaught_throw, fun() -> {_, R} = spawn_monitor(fun() -> throw(boo) end), element(1, down(R)) end},
     {uncaught_exit, fun() -> {_, R} = spawn_monitor(fun() -> exit({a, b}) end), down(R) end}].

names() ->
    [{register, fun() -> [register(my_name, self()), whereis(my_name) =:= self(), process_info(self(), registered_name),
                          unregister(my_name), whereis(my_name)] end},
     {register_twice, fun() -> register(my_name, self()), [run(fun() -> register(my_name, self()) end),
                                                         run(fun() -> register(my_other, self()) end)] end},
     {register_taken, fun() -> register(my_name, spawn(fun waiter/0)), X = run(fun() -> register(my_name, self()) end),
                               exit(whereis(my_name), kill), X end},
     {register_bad, fun() -> [run(fun() -> register(N, P) end) || {N, P} <- [{undefined, self()}, {1, self()}, {a, 1}, {a, dead()}]] end},
     {unregister_bad, fun() -> [run(fun() -> unregister(N) end) || N <- [nobody_has_this_name, 1]] end},
     {whereis_bad, fun() -> [whereis(nobody_has_this_name), run(fun() -> whereis(1) end)] end},
     {name_freed, fun() -> {P, R} = spawn_monitor(fun waiter/0), register(my_name, P), P ! stop, down(R), whereis(my_name) end},
     {registered, fun() -> register(my_name, self()), [lists:member(N, registered()) || N <- [my_name, user, nope]] end}].

infos() ->
    [{same, fun() -> L = lists:seq(1, 3), [erts_debug:same(L, L), erts_debug:same(L, [L]), erts_debug:same(1, 1)] end},
     {size_shared, fun() -> L = lists:seq(1, 3), erts_debug:size_shared({L, L}) end},
     {counters_info, fun() -> maps:get(size, erts_internal:counters_info(erts_internal:counters_new(3))) end},
     {info_sensitive, fun sensitive/0}, {info_catchlevel, fun catchlevel/0},
     {info_dead, fun() -> [process_info(dead()), process_info(dead(), status), process_info(dead(), [])] end},
     {info_bad, fun() -> [run(fun() -> process_info(P, I) end) || {P, I} <- [{self(), foo}, {self(), [status, foo]}, {self(), [status | x]},
                                                                          {a, status}, {self(), 1}]] end},
     {info_1_bad, fun() -> run(fun() -> process_info(a) end) end},
     {info_1_keys, fun() -> [K || {K, _} <- process_info(self())] end},
     {info_name, fun() -> [process_info(self(), registered_name), process_info(self(), [registered_name])] end},
     {info_messages, fun() -> self() ! a, self() ! b, process_info(self(), [messages, message_queue_len]) end},
     {info_other_messages, fun() -> P = spawn(fun waiter/0), P ! a, P ! b, process_info(P, [message_queue_len, messages]) end},
     {info_status, fun() -> P = spawn(fun waiter/0), settle(P), [process_info(P, status), process_info(self(), status)] end},
     {info_function, fun() -> P = spawn(fun waiter/0), settle(P), process_info(P, current_function) end},
     {info_location, fun() -> P = spawn(fun waiter/0), settle(P), {current_location, {M, F, A, [{file, N}, {line, L}]}} =
                                  process_info(P, current_location), {M, F, A, filename:basename(N), is_integer(L)} end},
     {info_stack, fun() -> P = spawn(fun waiter/0), settle(P), {current_stacktrace, [{M, F, A, _} | _]} =
                               process_info(P, current_stacktrace), {M, F, A} end},
     {info_own_function, fun() -> {current_function, {M, _, A}} = process_info(self(), current_function), {M, A} end},
     {info_dictionary, fun() -> put(a, 1), [process_info(self(), dictionary)] end},
     {info_flags, fun() -> process_flag(trap_exit, true),
                           process_info(self(), [trap_exit, priority, error_handler, fullsweep_after, min_heap_size,
                                                 min_bin_vheap_size, max_heap_size, message_queue_data, trace, suspending,
                                                 sequential_trace_token, last_calls]) end},
     {info_gc, fun() -> {garbage_collection, L} = process_info(self(), garbage_collection), [K || {K, _} <- L] end},
     {info_gc_info, fun() -> {garbage_collection_info, L} = process_info(self(), garbage_collection_info), [K || {K, _} <- L] end},
     {info_types, fun() -> [is_integer(element(2, process_info(self(), I))) || I <- [heap_size, total_heap_size, stack_size, reductions, memory, catchlevel]] end},
     {info_group_leader, fun() -> {group_leader, G} = process_info(self(), group_leader), G =:= group_leader() end},
     {alive, fun() -> [is_process_alive(self()), is_process_alive(dead()), run(fun() -> is_process_alive(x) end)] end},
     {processes, fun() -> L = processes(), [lists:member(self(), L), lists:member(dead(), L), length(L) =:= length(lists:usort(L))] end},
     {group_leader, fun() -> S = self(), P = spawn(fun waiter/0), [group_leader(S, P), process_info(P, group_leader) =:= {group_leader, S},
                                                              run(fun() -> group_leader(S, dead()) end), run(fun() -> group_leader(a, S) end),
                                                              run(fun() -> group_leader(S, a) end)] end}].

sensitive() ->
    P = spawn(fun() -> process_flag(sensitive, true), put(a, b), receive go -> ok end end),
    P ! x,
    settle(P),
    [process_info(P, Item) || Item <- [messages, dictionary, message_queue_len]].

catchlevel() ->
    P = spawn(fun() -> {catch (try receive go -> 1 end of X -> X after ok end), 2} end),
    settle(P),
    process_info(P, catchlevel).

flags() ->
    [{flag_trap, fun() -> [process_flag(trap_exit, true), process_flag(trap_exit, false), run(fun() -> process_flag(trap_exit, x) end)] end},
     {flag_priority, fun() -> [process_flag(priority, high), process_flag(priority, normal), run(fun() -> process_flag(priority, x) end)] end},
     {flag_sizes, fun() -> [process_flag(min_heap_size, 1000), process_flag(min_heap_size, 1), process_flag(min_heap_size, 300000),
                            process_flag(min_heap_size, 233), process_flag(min_bin_vheap_size, 50000), process_flag(min_bin_vheap_size, 1)] end},
     {flag_max, fun() -> [process_flag(max_heap_size, #{size => 0, kill => false}), process_flag(max_heap_size, 0),
                          [run(fun() -> process_flag(max_heap_size, X) end) || X <- [-1, 100, #{}, #{size => a}, x]]] end},
     {flag_others, fun() -> [process_flag(fullsweep_after, 7), process_flag(fullsweep_after, 65535), process_flag(sensitive, true),
                             process_flag(sensitive, false), process_flag(message_queue_data, off_heap),
                             process_flag(message_queue_data, on_heap), process_flag(save_calls, 5), process_flag(save_calls, 0),
                             process_flag(error_handler, error_handler), process_flag(scheduler, 0)] end},
     {flag_bad, fun() -> [run(fun() -> process_flag(F, V) end) || {F, V} <- [{foo, 1}, {save_calls, -1}, {save_calls, 10001}, {fullsweep_after, -1},
                                                                         {sensitive, 1}, {message_queue_data, 1}, {error_handler, 1}, {{a, b}, 1}]] end},
     {flag_other, fun() -> P = spawn(fun waiter/0), [process_flag(P, save_calls, 4), process_flag(P, save_calls, 0), process_flag(self(), save_calls, 0),
                                                     run(fun() -> process_flag(P, trap_exit, true) end), run(fun() -> process_flag(x, save_calls, 0) end)] end}].

timers() ->
    [{send_after, fun() -> erlang:send_after(0, self(), x), receive M -> M end end},
     {start_timer, fun() -> R = erlang:start_timer(0, self(), x), receive {timeout, R, M} -> M end end},
     {timer_name, fun() -> register(my_timer_name, self()), erlang:send_after(0, my_timer_name, x), receive M -> M end end},
     {timer_cancel, fun() -> R = erlang:send_after(100000, self(), x), L = erlang:cancel_timer(R), [is_integer(L), L > 0, erlang:cancel_timer(R)] end},
     {timer_read, fun() -> R = erlang:send_after(100000, self(), x), L = erlang:read_timer(R), [is_integer(L), erlang:read_timer(make_ref())] end},
     {timer_async, fun() -> R = erlang:send_after(100000, self(), x), A = erlang:cancel_timer(R, [{async, true}]),
                            receive {cancel_timer, R, L} -> [A, is_integer(L)] end end},
     {timer_async_read, fun() -> R = erlang:send_after(100000, self(), x), A = erlang:read_timer(R, [{async, true}]),
                                 receive {read_timer, R, L} -> [A, is_integer(L)] end end},
     {timer_async_none, fun() -> R = make_ref(), A = erlang:cancel_timer(R, [{async, true}]), receive {cancel_timer, R, L} -> [A, L] end end},
     {timer_no_info, fun() -> R = erlang:send_after(100000, self(), x), [erlang:cancel_timer(R, [{info, false}]), next()] end},
     {timer_no_info_async, fun() -> R = erlang:send_after(100000, self(), x), [erlang:cancel_timer(R, [{info, false}, {async, true}]), next()] end},
     {timer_bad_time, fun() -> [run(fun() -> erlang:send_after(T, self(), x) end) || T <- [-1, a, 1.0, 1 bsl 70, 1 bsl 58]] end},
     {timer_bad_target, fun() -> [run(fun() -> erlang:start_timer(1, T, x) end) || T <- [1, "a", {a, b}]] end},
     {timer_bad_options, fun() -> [run(fun() -> erlang:send_after(1, self(), x, O) end) || O <- [[x], [{abs, 1}], [{async, true}], x]] end},
     {timer_bad_cancel, fun() -> [run(fun() -> erlang:cancel_timer(R) end) || R <- [x, 1]] end},
     {timer_bad_cancel_options, fun() -> [run(fun() -> erlang:cancel_timer(make_ref(), O) end) || O <- [[x], [{abs, true}], x]] end},
     {timer_bad_read_options, fun() -> [run(fun() -> erlang:read_timer(make_ref(), O) end) || O <- [[x], [{info, true}], x]] end},
     {timer_dead, fun() -> R = erlang:send_after(100000, dead(), x), [is_reference(R), erlang:cancel_timer(R)] end},
     {timer_absolute, fun() -> T = erlang:monotonic_time(millisecond), R = erlang:send_after(T + 100000, self(), x, [{abs, true}]),
                               L = erlang:cancel_timer(R), [L > 90000, L =< 100000] end},
     {timer_past, fun() -> erlang:start_timer(erlang:monotonic_time(millisecond) - 10, self(), x, [{abs, true}]), receive {timeout, _, M} -> M end end},
     {timer_of_dead_target, fun() -> {P, M} = spawn_monitor(fun waiter/0), R = erlang:send_after(100000, P, x), P ! stop, down(M), erlang:read_timer(R) end},
     {after_0, fun() -> self() ! x, receive y -> y after 0 -> [nothing, all()] end end}].

dictionaries() ->
    [{put_get, fun() -> [put(a, 1), put(a, 2), get(a), get(b), erase(a), erase(a), get(a)] end},
     {get_all, fun() -> put(a, 1), put(b, 2), lists:sort(get()) end},
     {get_keys, fun() -> put(a, 1), put(b, 1), put(c, 1.0), [lists:sort(get_keys()), lists:sort(get_keys(1)), get_keys(2)] end},
     {erase_all, fun() -> put(a, 1), put(b, 2), [lists:sort(erase()), get()] end},
     {put_exact, fun() -> put(1, a), put(1.0, b), [get(1), get(1.0)] end},
     {many, fun() -> [put(N, N * N) || N <- lists:seq(1, 100)], [length(get()), get(77), lists:sum(get_keys())] end}].

times() ->
    [{units, fun() -> [run(fun() -> is_integer(erlang:F(U)) end) || F <- [monotonic_time, system_time, time_offset],
                                                             U <- [second, millisecond, microsecond, nanosecond, native, seconds, milli_seconds,
                                                                   micro_seconds, nano_seconds, perf_counter, 17, 1 bsl 70, 0, -1, x, 1.0]] end},
     {offset, fun() -> S = erlang:system_time(), M = erlang:monotonic_time() + erlang:time_offset(), abs(S - M) < 1000000000 end},
     {convert, fun() -> [erlang:convert_time_unit(1234567, native, U) || U <- [second, millisecond, microsecond, 7]] end},
     {time_unit, fun() -> [erts_internal:time_unit(), erts_internal:perf_counter_unit()] end},
     {now, fun() -> A = now(), B = now(), A < B end},
     {shapes, fun() -> {{_, _, _}, {_, _, _}} = erlang:localtime(), {_, _, _} = date(), {_, _, _} = time(), {_, _, _} = os:timestamp(), {_, _, _} = erlang:timestamp(), ok end},
     {to_local, fun() -> [run(fun() -> erlang:localtime_to_universaltime(T, D) end) || {T, D} <- [{{{2020, 13, 1}, {0, 0, 0}}, false}, {a, false},
                                                                                     {{{2020, 2, 30}, {0, 0, 0}}, false}, {{{2020, 2, 29}, {0, 0, 0}}, x},
                                                                                     {{{2020, 2, 29}, {24, 0, 0}}, true}]] end},
     {unique, fun() -> A = erlang:unique_integer(), B = erlang:unique_integer([positive]), [A =:= B, B > 0, run(fun() -> erlang:unique_integer([x]) end),
                       run(fun() -> erlang:unique_integer([positive | x]) end), run(fun() -> erlang:unique_integer(x) end)] end},
     {monotonic, fun() -> A = erlang:unique_integer([monotonic]), B = erlang:unique_integer([monotonic, positive]), _ = B,
                          C = erlang:unique_integer([monotonic]), A < C end}].

systems() ->
    [{info, fun() -> [erlang:system_info(I) || I <- [otp_release, version, machine, wordsize, schedulers, process_limit, port_limit, endian, heap_type,
                                                    smp_support, threads, time_warp_mode, time_offset, compat_rel, creation, dist_ctrl, os_type,
                                                    min_heap_size, max_heap_size, min_bin_vheap_size, fullsweep_after, garbage_collection,
                                                    context_reductions, message_queue_data, ets_limit, atom_limit, nif_version, driver_version,
                                                    {wordsize, internal}, {wordsize, external}, system_architecture, scheduler_bind_type,
                                                    schedulers_online, run_queues, schedulers_state, sequential_tracer]] ++ [element(1, erlang:system_info(c_compiler_used))] end},
     {heap_sizes, fun() -> lists:sublist(erlang:system_info(heap_sizes), 28) end},
     {info_bad, fun() -> [run(fun() -> erlang:system_info(I) end) || I <- [foo, 1, {wordsize, x}, {foo, bar}, "x"]] end},
     {statistics, fun() -> [tuple_size(erlang:statistics(I)) || I <- [context_switches, garbage_collection, reductions, exact_reductions, runtime, wall_clock, io]] end},
     {statistics_bad, fun() -> run(fun() -> erlang:statistics(foo) end) end},
     {system_flag, fun() -> [erlang:system_flag(backtrace_depth, 8), erlang:system_flag(fullsweep_after, 65535), erlang:system_flag(min_heap_size, 233),
                             erlang:system_flag(scheduler_wall_time, false), run(fun() -> erlang:system_flag(foo, 1) end),
                             run(fun() -> erlang:system_flag(fullsweep_after, x) end)] end},
     {nodes, fun() -> [node(), nodes(), nodes(this), nodes(known), nodes(hidden), nodes([visible, this]), run(fun() -> nodes(foo) end),
                       nodes(this, #{node_type => true, connection_id => true}), run(fun() -> nodes(this, #{a => true}) end)] end},
     {modules, fun() -> [erlang:module_loaded(lists), erlang:module_loaded(no_such_module), run(fun() -> erlang:module_loaded("a") end),
                         erlang:function_exported(lists, map, 2), erlang:function_exported(lists, map, 9), erlang:function_exported(erlang, abs, 1),
                         erlang:function_exported(?MODULE, main, 0), run(fun() -> erlang:function_exported(1, a, 0) end), erlang:check_old_code(lists)] end},
     {module_info, fun() -> [lists:sort(?MODULE:module_info(exports)), ?MODULE:module_info(module), ?MODULE:module_info(native), [K || {K, _} <- ?MODULE:module_info()],
                             is_binary(?MODULE:module_info(md5)), run(fun() -> erlang:get_module_info(?MODULE, foo) end),
                             run(fun() -> erlang:get_module_info(no_such_module) end), ?MODULE:module_info(md5) =:= erlang:get_module_info(?MODULE, md5),
                             ?MODULE:module_info(attributes)] end},
     {pre_loaded, fun() -> erlang:pre_loaded() end},
     {env, fun() -> [os:getenv("NO_SUCH_VARIABLE"), run(fun() -> os:getenv(a) end), run(fun() -> os:getenv(["A" | b]) end)] end},
     {environment, fun() -> N = "RAVEL_TEST_VARIABLE",
                           [os:unsetenv(N), os:putenv(N, "a=b"), os:getenv(N), os:getenv(N, "c"), lists:keyfind(N, 1, os:env()), os:putenv(N, [8364, 233]),
                            os:getenv(N), os:putenv(N, ""), os:getenv(N), os:unsetenv(N), os:getenv(N), os:getenv(N, "c")] ++
                           [run(F) || F <- [fun() -> os:putenv("a=b", "c") end, fun() -> os:putenv("a", [b]) end, fun() -> os:putenv("a", [0]) end,
                                            fun() -> os:putenv(a, "b") end, fun() -> os:unsetenv("=") end, fun() -> os:unsetenv([a]) end,
                                            fun() -> os:getenv("=") end]] end},
    {device_names, fun() -> D = whereis(standard_error), [is_pid(D), unregister(standard_error), whereis(standard_error), run(fun() -> unregister(standard_error) end),
                            lists:member(standard_error, registered()), run(fun() -> register(other_name, whereis(user)) end),
                            register(standard_error, self()), whereis(standard_error) =:= self(), lists:member(standard_error, registered()),
                            unregister(standard_error), whereis(standard_error), register(standard_error, D), whereis(standard_error) =:= D,
                            lists:member(standard_error, registered()), run(fun() -> register(standard_error, D) end)] end},
    {names, fun() -> [prim_file:internal_name2native("aä"), list_to_tuple(prim_file:internal_native2name(<<"a", 195, 164>>)), prim_file:internal_native2name(<<255>>),
                       prim_file:is_translatable(<<255>>), list_to_tuple(prim_file:internal_normalize_utf8(<<"a", 195, 164>>)), run(fun() -> prim_file:internal_name2native(a) end),
                       file:native_name_encoding()] end},
     {halt_bad, fun() -> [run(fun() -> halt(A, B) end) || {A, B} <- [{x, []}, {0, [x]}, {0, x}, {[a], []}, {1.0, []}]] end},
     {dt, fun() -> [erlang:dt_get_tag(), erlang:dt_put_tag(<<"a">>), erlang:dt_spread_tag(true), erlang:dt_restore_tag(true), erlang:dt_append_vm_tag_data("a")] end},
     {io_questions, fun() -> [io:printable_range(), net_kernel:dflag_unicode_io(self()), error_logger:warning_map()] end}].

others() ->
    [{gc, fun() -> [garbage_collect(), garbage_collect(self()), garbage_collect(dead()), erlang:garbage_collect(self(), [{type, minor}]),
                    run(fun() -> garbage_collect(x) end)] end},
     {check_process_code, fun() -> [erlang:check_process_code(self(), lists), run(fun() -> erlang:check_process_code(self(), 1) end)] end},
     {bump, fun() -> [erlang:bump_reductions(10), run(fun() -> erlang:bump_reductions(-1) end), erlang:yield()] end},
     {hibernate, fun() -> P = spawn(fun() -> proc_lib:hibernate(?MODULE, waiter, []) end), R = monitor(process, P), P ! stop, down(R) end},
     {io_error, fun() -> [run(fun() -> io:format(hd(["~z"])) end), run(fun() -> io:put_chars(foo) end), run(fun() -> io:format(no_such_device, "x", []) end)] end},
     {io_get, fun() -> [io:columns(), io:rows()] end},
     {gen_server_like, fun() -> {P, R} = spawn_monitor(fun() -> receive {call, F, X} -> F ! {F, X * 2} end end), P ! {call, self(), 21},
                                [receive {_, Y} -> Y end, down(R)] end}].
