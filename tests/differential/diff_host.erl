%% Built-ins that tell of the emulator and its host: what they answer differs from one to the other, so that the shape of
%% an answer is compared, what must hold of it, and what wrong arguments give.
-module(diff_host).
-export([main/0, main/2, rest_of_life/1]).
-compile([{nowarn_deprecated_function, [{erlang, now, 0}]}]).
-import(diff_support, [evaluate/1]).

main() -> main(1, length(cases())).

main(Seed, Count) ->
    Cases = list_to_tuple(cases()),
    put(turn, 0),
    diff_support:run(Seed, Count, fun() ->
        Turn = get(turn),
        put(turn, Turn + 1),
        {Name, Fun} = element(Turn rem tuple_size(Cases) + 1, Cases),
        {Name, Fun}
    end).

shape(Value) when is_integer(Value) -> integer;
shape(Value) when is_tuple(Value) -> list_to_tuple([shape(Element) || Element <- tuple_to_list(Value)]);
shape([]) -> [];
shape(Value) when is_list(Value) -> list;
shape(Value) when is_atom(Value) -> Value;
shape(_) -> other.

each(Fun, Arguments) -> [evaluate(fun() -> Fun(Argument) end) || Argument <- Arguments].

cases() -> [
    {dates, fun() -> [shape(F()) || F <- [fun date/0, fun time/0, fun erlang:localtime/0, fun erlang:universaltime/0, fun erlang:now/0,
                                          fun os:timestamp/0, fun erlang:timestamp/0]] end},
    {local_to_universal, fun() -> [shape(erlang:localtime_to_universaltime({{2020, 2, 29}, {1, 2, 3}}, Is)) || Is <- [true, false, undefined]] end},
    {wrong_local_time, fun() -> [evaluate(fun() -> erlang:localtime_to_universaltime(D, Is) end)
                                 || {D, Is} <- [{{{2021, 2, 29}, {1, 2, 3}}, true}, {x, false}, {{{2020, 1, 1}, {25, 0, 0}}, undefined},
                                                {{{2020, 1, 1}, {1, 0, 0}}, x}]] end},
    {nows_grow, fun() -> A = erlang:now(), B = erlang:now(), A < B end},
    {offsets, fun() -> {shape(erlang:time_offset()), each(fun(U) -> shape(erlang:time_offset(U)) end, [second, native, 1000, 0, x, perf_counter]),
                        erlang:time_offset() =:= erlang:time_offset()} end},
    {system_times, fun() -> {shape(erlang:system_time()), shape(os:system_time()), erlang:system_time() > 0, shape(os:perf_counter()),
                             each(fun(U) -> shape(os:system_time(U)) end, [second, 0, x])} end},
    {unique, fun() -> L = [erlang:unique_integer() || _ <- [1, 2, 3]], {length(lists:usort(L)), each(fun(M) -> shape(erlang:unique_integer(M)) end,
                      [[], [positive], [monotonic], [monotonic, positive], [x], x, [positive | x]])} end},
    {positive, fun() -> erlang:unique_integer([positive]) > 0 end},
    {monotonic, fun() -> erlang:unique_integer([monotonic]) < erlang:unique_integer([monotonic]) end},
    {statistics, fun() -> [shape(evaluate(fun() -> erlang:statistics(Item) end))
                           || Item <- [context_switches, exact_reductions, garbage_collection, io, reductions, run_queue, runtime, wall_clock,
                                       total_run_queue_lengths]] end},
    {wrong_statistics, fun() -> each(fun(Item) -> erlang:statistics(Item) end, [nothing, 1, []]) end},
    {flags, fun() -> each(fun(Value) -> shape(erlang:system_flag(backtrace_depth, Value)) end, [8]) end},
    {wrong_flags, fun() -> each(fun({F, V}) -> erlang:system_flag(F, V) end, [{nothing, 1}, {1, 1}, {fullsweep_after, x}, {max_heap_size, x}]) end},
    {monitors_of_the_system, fun() -> {erlang:system_monitor(), erlang:system_profile()} end},
    {ports, fun() -> {is_list(erlang:ports()), evaluate(fun() -> erlang:port_to_list(x) end), is_list(erlang:port_to_list(list_to_port("#Port<0.1>")))} end},
    {nodes, fun() -> each(fun(What) -> erlang:nodes(What) end, [this, visible, hidden, connected, known, [this, hidden], [], x, [x]]) end},
    {names, fun() -> L = registered(), {lists:member(init, L), lists:member(nobody_at_all, L), L =:= lists:usort(L) orelse is_list(L)} end},
    {built_in, fun() -> [evaluate(fun() -> erlang:is_builtin(M, F, A) end) || {M, F, A} <- [{erlang, self, 0}, {erlang, self, 1}, {lists, map, 2},
                         {lists, reverse, 2}, {?MODULE, main, 0}, {nothing, x, 0}, {x, 1, 0}, {x, y, -1}]] end},
    {module_info, fun() -> {lists:keyfind(main, 1, erlang:get_module_info(?MODULE, exports)), is_list(erlang:get_module_info(?MODULE)),
                            evaluate(fun() -> erlang:get_module_info(no_such_module) end), evaluate(fun() -> erlang:get_module_info(?MODULE, x) end)} end},
    {old_code, fun() -> {erlang:check_old_code(?MODULE), erlang:check_old_code(no_such_module), evaluate(fun() -> erlang:check_old_code(1) end)} end},
    {process_code, fun() -> {evaluate(fun() -> erts_internal:check_process_code(no_such_module) end), evaluate(fun() -> erts_internal:check_process_code(1) end)} end},
    {bumps, fun() -> each(fun(N) -> erlang:bump_reductions(N) end, [1, 4000, 0, x, -1]) end},
    {display, fun() -> [erlang:display({a, "b", 1.5, <<"c">>}), erlang:display_string("text\n"), [erlang:display_nl() || erlang:function_exported(erlang, display_nl, 0)],
                        evaluate(fun() -> erlang:display_string(x) end), erts_debug:display(x) =/= nothing] end},
    {tags, fun() -> {erlang:dt_get_tag(), erlang:dt_get_tag_data(), erlang:dt_put_tag(undefined), erlang:dt_append_vm_tag_data("data"),
                     erlang:dt_prepend_vm_tag_data("data")} end},
    {sequential, fun() -> [evaluate(F) || F <- [fun() -> erlang:seq_trace_info(send) end, fun() -> erlang:seq_trace_info(label) end,
                           fun() -> erlang:seq_trace_info(serial) end, fun() -> erlang:seq_trace_info(nothing) end,
                           fun() -> erlang:seq_trace_print(x) end, fun() -> erlang:seq_trace_print(0, x) end, fun() -> erlang:seq_trace_print([], x) end]] end},
    {same, fun() -> A = {self()}, {erts_debug:same(A, A), erts_debug:same(A, {other}), erts_debug:size_shared([self()])} end},
    {inner, fun() -> {erts_internal:get_creation(), erts_internal:is_process_executing_dirty(self()),
                      erts_internal:is_system_process(self()), is_integer(erts_internal:perf_counter_unit())} end},
    {inner_requests, fun() ->
         Pid = spawn(?MODULE, rest_of_life, [self()]),
         Ref = make_ref(), Other = make_ref(),
         Asked = {evaluate(fun() -> erts_internal:is_process_alive(Pid, Ref) end), receive {Ref, Is} -> Is after 100 -> nothing end,
                  evaluate(fun() -> erts_internal:group_leader(group_leader(), Pid, Other) end),
                  receive {Other, Done} -> Done after 100 -> nothing end},
         exit(Pid, kill),
         Asked
     end},
    {inner_flags, fun() ->
         Pid = spawn(?MODULE, rest_of_life, [self()]),
         Asked = erts_internal:process_flag(Pid, save_calls, 0),
         Answer = case Asked of
                      Ref when is_reference(Ref) -> receive {Ref, Old} -> Old after 100 -> nothing end;
                      Old -> Old
                  end,
         exit(Pid, kill),
         Answer
     end},
    {persistent, fun() ->  % the system's own are put back
         All = persistent_term:get(),
         Erased = {erts_internal:erase_persistent_terms(), persistent_term:get()},
         [persistent_term:put(Key, Value) || {Key, Value} <- All],
         {Erased, length(All) =:= length(persistent_term:get())}
     end},
    {environment, fun() -> {is_list(os:env()), is_list(os:getpid()), lists:all(fun(C) -> C >= $0 andalso C =< $9 end, os:getpid())} end},
    {file_names, fun() -> {prim_file:internal_normalize_utf8(<<"abc">>), prim_file:is_translatable(<<"abc">>)} end},
    {patterns, fun() -> {shape(re:compile("a+")), shape(re:compile("A+", [caseless])), element(1, re:compile("(")),
                         evaluate(fun() -> re:compile(x) end), evaluate(fun() -> re:compile("a", [x]) end), is_binary(re:version())} end}
].

rest_of_life(_) -> receive stop -> ok end.
