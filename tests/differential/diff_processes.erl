%% Processes with one possible outcome: the parent waits for everything that it compares. Exit reasons as links and monitors
%% show them, message order, selective receive, timeouts of zero, flags and information about oneself.
-module(diff_processes).
-export([main/0, main/2, child/2]).
-import(diff_support, [rnd/1, range/2, pick/1, list/2, small_integer/0, wrong/0, term/1, evaluate/1]).

main() ->

    main(1, 1200).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    A = term(1), N = range(0, 12), L = list(10, fun() -> small_integer() end),
    Way = pick([monitored, linked, reason_by_spawn, crash, killed, exit_signal, exit_normal_signal, trap_self, order, selective, after_zero, noproc,
                link_noproc, register, info, flags, chain, mfa, badly_spawned, demonitor, unlink, dictionary, group_leader, nested, alias, many, exit_in_link,
                timer, send_after_cancel, messages_left]),
    {{Way, A, N, L}, fun() ->
                             Result = evaluate(fun() -> do(Way, A, N, L) end),
                             process_flag(trap_exit, false),
                             {Result, rest()}
                     end}.

%% Whatever is left in the mailbox is part of the result.
rest() -> receive Any -> [Any | rest()] after 0 -> [] end.

down(Ref) -> receive {'DOWN', Ref, process, _, Reason} -> trim(Reason) end.

exited(Pid) -> receive {'EXIT', Pid, Reason} -> trim(Reason) end.

%% The frames of a process's own start differ from machine to machine as little as those of main/0 do: none is cut.
trim(Reason) -> Reason.

child(What, Arguments) -> apply(fun(_) -> exit({What, Arguments}) end, [1]).

do(monitored, A, _, _) -> {_, Ref} = spawn_monitor(fun() -> exit(A) end), down(Ref);
do(linked, A, _, _) ->
    process_flag(trap_exit, true),
    exited(spawn_link(fun() -> exit(A) end));
do(reason_by_spawn, A, N, _) ->
    {_, Ref} = spawn_monitor(fun() -> case N rem 4 of 0 -> A; 1 -> throw(A); 2 -> error(A); 3 -> exit(A) end end),
    down(Ref);
do(crash, A, N, L) ->
    {_, Ref} = spawn_monitor(fun() ->
                                     case N rem 7 of
                                         0 -> {x, A} = L;
                                         1 -> lists:nth(N, [A]);
                                         2 -> A + 1;
                                         3 -> case A of {} -> ok end;
                                         4 -> apply(A, L);
                                         5 -> no_such_module:f(A);
                                         6 -> hd(A)
                                     end
                             end),
    down(Ref);
do(killed, _, N, _) ->
    {Pid, Ref} = spawn_monitor(fun() -> process_flag(trap_exit, N > 5), receive never -> ok end end),
    exit(Pid, kill),
    down(Ref);
do(exit_signal, A, _, _) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(Pid, {reason, A}),
    down(Ref);
do(exit_normal_signal, _, _, _) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive stop -> exit(stopped) end end),
    exit(Pid, normal),
    Pid ! stop,
    down(Ref);
do(trap_self, A, _, _) ->
    process_flag(trap_exit, true),
    exit(self(), A),
    receive {'EXIT', From, Reason} -> {From =:= self(), Reason} end;
do(order, _, _, L) ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() -> [Self ! {m, X} || X <- L] end),
    Messages = [receive {m, X} -> X end || _ <- L],
    {Messages, down(Ref)};
do(selective, _, N, L) ->
    [self() ! {X, I} || {X, I} <- lists:zip(L, lists:seq(1, length(L)))],
    Large = drain(fun(X) -> X > N end),
    {Large, rest()};
do(after_zero, A, _, _) ->
    self() ! A,
    R = receive A -> got after 0 -> timeout end,
    {R, receive _ -> more after 0 -> none end, receive after 0 -> ok end};
do(noproc, _, _, _) ->
    Pid = dead(),
    Ref = monitor(process, Pid),
    {down(Ref), is_process_alive(Pid), Pid ! hello, exit(Pid, kill), process_info(Pid), erlang:demonitor(Ref, [info])};
do(link_noproc, _, N, _) ->
    process_flag(trap_exit, N > 5),
    Pid = dead(),
    R = evaluate(fun() -> link(Pid) end),
    {R, case N > 5 of true -> exited(Pid); false -> none end, unlink(Pid)};
do(register, A, _, _) ->
    Name = pick_name(A),
    R = evaluate(fun() -> register(Name, self()) end),
    S = evaluate(fun() -> register(Name, self()) end),
    Name ! named,
    {R, S, whereis(Name) =:= self(), process_info(self(), registered_name), unregister(Name), evaluate(fun() -> Name ! gone end),
     evaluate(fun() -> unregister(Name) end), whereis(Name), rest()};
do(info, _, _, L) ->
    [self() ! X || X <- L],
    {process_info(self(), message_queue_len), process_info(self(), messages), process_info(self(), trap_exit), process_info(self(), monitors),
     process_info(self(), [message_queue_len, trap_exit]), evaluate(fun() -> process_info(self(), no_such_item) end)};
do(flags, _, _, _) ->
    {process_flag(trap_exit, true), process_flag(trap_exit, false), process_flag(priority, high), process_flag(priority, normal),
     evaluate(fun() -> process_flag(trap_exit, maybe_not) end), evaluate(fun() -> process_flag(no_flag, 1) end)};
do(chain, A, N, _) ->
    process_flag(trap_exit, true),
    exited(spawn_link(fun() -> chain(N, A) end));
do(mfa, A, _, L) -> {_, Ref} = erlang:spawn_monitor(?MODULE, child, [A, L]), down(Ref);
do(badly_spawned, A, N, _) ->
    case N rem 4 of
        0 -> evaluate(fun() -> spawn(A) end);
        1 -> evaluate(fun() -> spawn(?MODULE, child, A) end);
        2 -> {_, Ref} = erlang:spawn_monitor(?MODULE, no_such_function, []), down(Ref);
        3 -> evaluate(fun() -> spawn_opt(fun() -> ok end, [A]) end)
    end;
do(demonitor, _, N, _) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    Removed = erlang:demonitor(Ref, pick_options(N)),
    Ref2 = monitor(process, Pid),
    Pid ! stop,
    {Removed, down(Ref2), erlang:demonitor(Ref, [info]), evaluate(fun() -> erlang:demonitor(Ref, [bad]) end)};
do(unlink, _, _, _) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive stop -> exit(boom) end end),
    unlink(Pid),
    Ref = monitor(process, Pid),
    Pid ! stop,
    down(Ref);
do(dictionary, A, _, _) ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() -> put(k, A), Self ! {get(), get(diff_seed)} end),
    {receive {_, _} = D -> D end, down(Ref)};
do(group_leader, _, _, _) ->
    Self = self(),
    Leader = group_leader(),
    {_, Ref} = spawn_monitor(fun() -> Self ! {same, group_leader() =:= Leader} end),
    {receive {same, S} -> S end, down(Ref)};
do(nested, A, N, _) ->
    {_, Ref} = spawn_monitor(fun() -> {_, R} = spawn_monitor(fun() -> exit({inner, A, N}) end), exit({outer, down(R)}) end),
    down(Ref);
do(alias, A, N, _) ->
    Alias = case N rem 2 of 0 -> erlang:alias(); 1 -> erlang:alias([reply]) end,
    Alias ! {first, A},
    Alias ! {second, A},
    {rest(), erlang:unalias(Alias), Alias ! third, rest(), erlang:unalias(Alias)};
do(many, _, N, _) ->
    Self = self(),
    Children = [spawn_monitor(fun() -> receive {go, From} when From =:= Self -> exit({child, I}) end end) || I <- lists:seq(1, N)],
    [P ! {go, Self} || {P, _} <- lists:reverse(Children)],
    [down(R) || {_, R} <- Children];
do(exit_in_link, A, _, _) ->
    {_, Ref} = spawn_monitor(fun() -> spawn_link(fun() -> exit({linked, A}) end), receive never -> ok end end),
    down(Ref);
do(timer, A, N, _) ->
    case N rem 2 of
        0 -> erlang:send_after(0, self(), A), receive A -> got end;
        1 -> R = erlang:start_timer(1, self(), A), receive {timeout, R, A} -> got end
    end;
do(send_after_cancel, A, _, _) ->
    R = erlang:send_after(1000000, self(), A),
    {is_integer(erlang:read_timer(R)), is_integer(erlang:cancel_timer(R)), erlang:cancel_timer(R), erlang:read_timer(R)};
do(messages_left, _, _, L) ->
    [self() ! X || X <- L],
    [X || X <- L, receive X -> true after 0 -> false end, X > 0].

chain(0, A) -> exit({end_of_chain, A});
chain(N, A) -> spawn_link(fun() -> chain(N - 1, A) end), receive never -> ok end.

drain(Wanted) ->
    receive
        {X, I} when X > 5 -> [{X, I, Wanted(X)} | drain(Wanted)]
    after 0 -> []
    end.

dead() -> {Pid, Ref} = spawn_monitor(fun() -> ok end), receive {'DOWN', Ref, process, Pid, normal} -> Pid end.

pick_name(A) when is_atom(A), A =/= undefined, A =/= error -> A;
pick_name(_) -> some_name.

pick_options(N) -> lists:nth(N rem 3 + 1, [[], [flush], [flush, info]]).
