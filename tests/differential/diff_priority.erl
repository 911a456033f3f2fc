%% Priority messages (OTP 28), as a single process can tell: what it sends to itself, and what it hears of
%% others that end one after the other. Before OTP 28 the options are badarg and the functions undef.
-module(diff_priority).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, pick/1, evaluate/1]).

main() -> main(1, 1200).

main(Seed, Count) -> diff_support:run(Seed, Count, fun make/0).

make() ->
    Steps = [step() || _ <- lists:seq(1, 3 + rnd(9))],
    {Steps, fun() ->
                    {_, Reference} = spawn_monitor(fun() -> exit({done, run(Steps)}) end),
                    receive {'DOWN', Reference, process, _, Reason} -> Reason end
            end}.

options() -> pick([[], [priority], [priority], [priority], [priority, priority], [x], [priority | x]]).
alias_options() ->
    pick([[], [priority], [priority], [priority, reply], [reply, priority], [explicit_unalias, priority],
          [priority, x]]).
send_options() ->
    pick([[], [priority], [priority], [priority], [nosuspend, priority], [priority, noconnect],
          [priority, x]]).
monitor_options() ->
    pick([[], [priority], [priority], [priority, {tag, tag}], [{tag, tag}], [priority, {alias, demonitor}],
          [{alias, explicit_unalias}, priority], [priority, {tag}]]).
target() -> pick([self, {alias, rnd(3)}, {alias, rnd(3)}, {alias, rnd(3)}]).
reason() -> pick([normal, shutdown, boom, boom]).

step() ->
    case rnd(20) of
        0 -> {alias, alias_options()};
        1 -> {alias, alias_options()};
        2 -> {alias, [priority]};
        3 -> {unalias, rnd(3)};
        4 -> {send, target(), send_options()};
        5 -> {send, target(), [priority]};
        6 -> {send, target(), [priority]};
        7 -> {send, self, []};
        8 -> {send, self, []};
        9 -> {exit, pick([exit, exit_signal]), target(), reason(), options()};
        10 -> {exit, exit, target(), boom, [priority]};
        11 -> {take, pick([any, even, exit, down])};
        12 -> {take, pick([any, even, even])};
        13 -> info;
        14 -> {ended, monitor, monitor_options(), reason()};
        15 -> {ended, link, options(), reason()};
        16 -> {ended, pick([spawn_monitor, spawn_request]), monitor_options(), reason()};
        17 -> {ended, spawn_link, options(), reason()};
        18 -> {ended, pick([link_then_link, link_then_priority, link_then_unlink]), [], reason()};
        19 -> {dead, pick([monitor, link]), pick([[], [priority]])}
    end.

run(Steps) ->
    process_flag(trap_exit, true),
    put(aliases, []),
    put(number, 0),
    Results = [one_step(Step) || Step <- Steps],
    {[plain(Result) || Result <- Results], rest()}.

one_step(Step) ->
    Result = evaluate(fun() -> do(Step) end),
    receive_signals(),
    Result.

%% Whoever counts the messages receives all that has been sent, also what the process has sent to itself.
receive_signals() -> process_info(self(), message_queue_len).

do({alias, Options}) -> put(aliases, [alias(Options) | get(aliases)]), ok;
do({unalias, I}) -> unalias(the_alias(I));
do({send, Target, Options}) -> erlang:send(address(Target), next_number(), Options);
do({exit, Function, Target, Reason, Options}) -> apply(erlang, Function, [address(Target), Reason, Options]);
do({take, Pattern}) -> plain(take(Pattern));
do(info) -> process_info(self(), priority_messages);
do({ended, How, Options, Reason}) ->
    {message_queue_len, Before} = process_info(self(), message_queue_len),
    Child = fun() -> receive go -> exit(Reason) end end,
    {Pid, Messages} = tie(How, Child, Options),
    Info = try process_info(self(), priority_messages) catch error:badarg -> none end,
    Pid ! go,
    wait_for(Before + Messages),
    Info;
do({dead, How, Options}) ->
    {Pid, Reference} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Reference, process, Pid, _} -> ok end,
    {message_queue_len, Before} = process_info(self(), message_queue_len),
    case How of
        monitor -> _ = monitor(process, Pid, Options);
        link -> apply(erlang, link, [Pid, Options])
    end,
    wait_for(Before + 1).

%% The pid, and how many messages its end will be.
tie(spawn_monitor, Child, Options) -> {Pid, _} = spawn_opt(Child, [{monitor, Options}]), {Pid, 1};
tie(spawn_link, Child, Options) -> {spawn_opt(Child, [{link, Options}]), 1};
tie(spawn_request, Child, Options) ->
    Reference = spawn_request(Child, [{monitor, Options}]),
    receive {spawn_reply, Reference, ok, Pid} -> {Pid, 1};
            {spawn_reply, Reference, error, Reason} -> error(Reason)
    end;
tie(How, Child, Options) ->
    Pid = spawn(Child),
    try {Pid, tie_with(How, Pid, Options)}
    catch Class:Reason -> unlink(Pid), exit(Pid, kill), erlang:Class(Reason)
    end.

tie_with(monitor, Pid, Options) -> _ = monitor(process, Pid, Options), 1;
tie_with(link, Pid, Options) -> apply(erlang, link, [Pid, Options]), 1;
tie_with(link_then_link, Pid, _) -> apply(erlang, link, [Pid, [priority]]), link(Pid), 1;
tie_with(link_then_priority, Pid, _) -> link(Pid), apply(erlang, link, [Pid, [priority]]), 1;
tie_with(link_then_unlink, Pid, _) -> apply(erlang, link, [Pid, [priority]]), unlink(Pid), 0.

wait_for(Count) ->
    case process_info(self(), message_queue_len) of
        {message_queue_len, Count} -> ok;
        _ -> receive after 1 -> wait_for(Count) end
    end.

next_number() -> put(number, get(number) + 1) + 1.

the_alias(I) ->
    case get(aliases) of
        [] -> make_ref();
        Aliases -> lists:nth(1 + I rem length(Aliases), Aliases)
    end.

address(self) -> self();
address({alias, I}) -> the_alias(I).

take(any) -> receive M -> M after 0 -> none end;
take(even) -> receive M when is_integer(M), M rem 2 =:= 0 -> M after 0 -> none end;
take(exit) -> receive {'EXIT', _, _} = M -> M after 0 -> none end;
take(down) -> receive {_, _, process, _, _} = M -> M after 0 -> none end.

rest() -> receive M -> [plain(M) | rest()] after 0 -> [] end.

%% Without pids and references.
plain({'EXIT', From, Reason}) -> {exit, From =:= self(), Reason};
plain({Tag, Reference, process, _, Reason}) when is_reference(Reference) -> {Tag, Reason};
plain({error, Reason, _}) -> {error, Reason};
plain(Other) -> Other.
