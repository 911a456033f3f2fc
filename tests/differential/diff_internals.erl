%% Functions that are inside of the emulator: OTP's own code calls them. Here each is called by itself.
-module(diff_internals).
-export([main/0, main/2]).
-import(diff_support, [range/2, pick/1, term/1, wrong/0, evaluate/1]).

main() -> main(1, 300).

main(Seed, Count) ->
    process_flag(trap_exit, true),
    diff_support:run(Seed, Count, fun test/0).

test() ->
    Way = pick([children, system_task, other_task, delete_all, request_all]),
    A = pick([fun() -> term(1) end, fun() -> wrong() end]),
    N = range(0, 12),
    Value = A(),
    {{Way, Value, N}, fun() -> {evaluate(fun() -> do(Way, Value, N) end), rest()} end}.

rest() -> receive Any -> [Any | rest()] after 0 -> [] end.

%% Which nodes a large map has is the emulator's business; that they hold all its pairs is not.
do(children, A, N) when N < 4 -> erts_internal:map_hashmap_children(A);
do(children, _, N) ->
    Map = maps:from_list([{K, x} || K <- lists:seq(1, 30 + N)]),
    case evaluate(fun() -> erts_internal:map_hashmap_children(Map) end) of
        Children when is_list(Children); is_tuple(Children) -> N > 2;
        Other -> Other
    end;
do(system_task, A, N) ->
    Ref = make_ref(),
    Request = pick([{garbage_collect, Ref}, {garbage_collect, Ref, major}, {garbage_collect, Ref, minor}, {check_process_code, Ref, no_such_module}, A]),
    Priority = pick([normal, high, low, max, inherit, A]),
    Asked = evaluate(fun() -> erts_internal:request_system_task(pick([self(), self(), A]), Priority, Request) end),
    {N, Asked, case Asked of ok -> receive {_, Ref, Answer} -> Answer after 100 -> nothing end; _ -> none end};
do(other_task, A, N) ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Ref = make_ref(),
    Asked = evaluate(fun() -> erts_internal:request_system_task(self(), Pid, normal, {pick([garbage_collect, check_process_code]), Ref, pick([major, lists, A])}) end),
    Answer = case Asked of ok -> receive {_, Ref, Done} -> Done after 100 -> nothing end; _ -> none end,
    Down = monitor(process, Pid),
    Pid ! stop,
    {N, Asked, Answer, receive {'DOWN', Down, _, _, Reason} -> Reason end};
do(delete_all, A, N) ->
    T = ets:new(t, [pick([set, ordered_set, duplicate_bag])]),
    ets:insert(T, [{K} || K <- lists:seq(1, N)]),
    R = [evaluate(fun() -> ets:internal_delete_all(T, pick([undefined, A])) end), ets:info(T, size), evaluate(fun() -> ets:internal_delete_all(A, undefined) end)],
    ets:delete(T),
    R;
do(request_all, _, N) ->
    T = ets:new(t, []),
    Ref = ets:internal_request_all(),
    Parts = erlang:system_info(schedulers),
    Tables = lists:append([receive {Ref, Part} -> Part after 100 -> [] end || _ <- lists:seq(1, Parts)]),
    R = {N, is_reference(Ref), lists:member(T, Tables), lists:sort(Tables) =:= lists:sort(ets:all())},
    ets:delete(T),
    R.
