%% Priority messages go ahead of all others in the mailbox, in the order in which they come.
%% since: 28
-module(priority_messages).
-include_lib("eunit/include/eunit.hrl").
-export([ahead/0, both_have_to_say_so/0, withdrawn/0, reply/0, race/0, race_with_one_another/0, no_race/0,
         three/0, sent_after_another/0, caused_by_another/0, looks_again/0, down/0, down_at_once/0, linked/0,
         exit_to_alias/0, flush/0, one_sender/0, timeout/0, stop_soon/0]).

send_first(Alias, Message) -> erlang:send(Alias, Message, [priority]).
take() -> receive Message -> Message end.

%% So many messages lie in the mailbox: on the real machine also what is sent to oneself needs its time.
wait_for(Count) ->
    case process_info(self(), message_queue_len) of
        {message_queue_len, Count} -> ok;
        _ -> receive after 1 -> wait_for(Count) end
    end.

%% expect: priority_messages:ahead dfs pass schedules=1
ahead() ->
    Alias = alias([priority]),
    self() ! one,
    send_first(Alias, first),
    self() ! two,
    send_first(Alias, second),
    [first, second, one, two] = [take() || _ <- [1, 2, 3, 4]].

%% expect: priority_messages:both_have_to_say_so dfs pass schedules=1
both_have_to_say_so() ->
    Alias = alias([priority]),
    {priority_messages, true} = process_info(self(), priority_messages),
    self() ! one,
    Alias ! two,
    send_first(alias(), three),
    send_first(self(), four),
    send_first(Alias, first),
    [first, one, two, three, four] = [take() || _ <- [1, 2, 3, 4, 5]].

%% expect: priority_messages:withdrawn dfs pass schedules=1
withdrawn() ->
    Alias = alias([priority]),
    self() ! one,
    send_first(Alias, first),
    wait_for(2),
    unalias(Alias),
    {priority_messages, false} = process_info(self(), priority_messages),
    send_first(Alias, dropped),
    self() ! two,
    [first, one, two] = [take() || _ <- [1, 2, 3]],
    receive _ -> error(dropped_message) after 0 -> ok end.

%% expect: priority_messages:reply dfs pass schedules=1
reply() ->
    Alias = alias([priority, reply]),
    self() ! one,
    send_first(Alias, first),
    send_first(Alias, dropped),
    [first, one] = [take(), take()],
    receive _ -> error(dropped_message) after 0 -> ok end.

%% The first receive takes either message: the ordinary one if it comes before the other message is there.
%% expect: priority_messages:race dpor pass schedules=2
%% expect: priority_messages:race dfs pass
race() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! ordinary end),
    spawn(fun() -> send_first(Alias, first) end),
    _ = take(),
    _ = take().

%% As two ordinary messages.
%% expect: priority_messages:race_with_one_another dpor pass schedules=2
race_with_one_another() ->
    Alias = alias([priority]),
    [spawn(fun() -> send_first(Alias, I) end) || I <- [1, 2]],
    _ = take(),
    _ = take().

%% Nobody can tell the order.
%% expect: priority_messages:no_race dpor pass schedules=1
no_race() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! ordinary end),
    spawn(fun() -> send_first(Alias, first) end),
    receive ordinary -> ok end,
    receive first -> ok end.

%% The first receive takes one of three messages, the second one of the two that are left.
%% expect: priority_messages:three dpor pass schedules=6
three() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! ordinary end),
    [spawn(fun() -> send_first(Alias, I) end) || I <- [1, 2]],
    _ = take(),
    _ = take(),
    _ = take().

%% Of two messages of one sender the later one may be received first.
%% expect: priority_messages:sent_after_another dpor pass schedules=2
%% expect: priority_messages:one_sender dfs bug assertion
sent_after_another() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! one, send_first(Alias, two) end),
    _ = take(),
    _ = take().

one_sender() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! one, send_first(Alias, two) end),
    ?assertEqual(one, take()).

%% Here one message has been received because of another one, which waits in the mailbox.
%% expect: priority_messages:caused_by_another dpor pass schedules=2
caused_by_another() ->
    Self = self(),
    Alias = alias([priority]),
    Other = spawn(fun() -> receive go -> send_first(Alias, first) end end),
    spawn(fun() -> Self ! one, Other ! go end),
    _ = take(),
    _ = take().

%% A receive that has looked at an ordinary message looks at a priority message that comes then.
%% expect: priority_messages:looks_again dfs pass
%% expect: priority_messages:looks_again dpor pass schedules=1
looks_again() ->
    Alias = alias([priority]),
    self() ! one,
    spawn(fun() -> send_first(Alias, first) end),
    receive first -> ok end,
    one = take().

%% expect: priority_messages:down dfs pass
down() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    First = monitor(process, Pid, [priority]),
    {priority_messages, true} = process_info(self(), priority_messages),
    Last = monitor(process, Pid, [{tag, last}]),
    self() ! one,
    Pid ! stop,
    receive {last, Last, process, Pid, normal} -> ok end,
    wait_for(2),
    {priority_messages, false} = process_info(self(), priority_messages),
    {'DOWN', First, process, Pid, normal} = take(),
    one = take().

%% expect: priority_messages:down_at_once dfs pass
down_at_once() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    self() ! one,
    Late = monitor(process, Pid, [priority, {tag, late}, {alias, demonitor}]),
    wait_for(2),
    {late, Late, process, Pid, noproc} = take(),
    one = take().

%% For the one of the two who has asked for it.
%% expect: priority_messages:linked dfs pass
linked() ->
    process_flag(trap_exit, true),
    {Pid, Ref} = spawn_opt(fun() -> receive stop -> ok end end, [{link, [priority]}, monitor]),
    Other = spawn_link(fun() -> receive stop -> ok end end),
    link(Other, [priority]),
    link(Other),
    self() ! one,
    Pid ! stop,
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    wait_for(2),
    {'EXIT', Pid, normal} = take(),
    OtherRef = monitor(process, Other),
    Other ! stop,
    receive {'DOWN', OtherRef, process, Other, normal} -> ok end,
    one = take(),
    {'EXIT', Other, normal} = take().

%% expect: priority_messages:exit_to_alias dfs pass schedules=1
exit_to_alias() ->
    process_flag(trap_exit, true),
    Alias = alias([priority]),
    Self = self(),
    self() ! one,
    exit(Alias, a, []),
    exit(self(), b, [priority]),
    exit(Alias, c, [priority]),
    [{'EXIT', Self, c}, one, {'EXIT', Self, a}, {'EXIT', Self, b}] = [take() || _ <- [1, 2, 3, 4]].

%% A message that has come before its monitor is taken back is thrown away, wherever it lies.
%% expect: priority_messages:flush dfs pass
flush() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid, [priority]),
    self() ! one,
    demonitor(Ref, [flush]),
    one = take(),
    receive _ -> error(not_flushed) after 0 -> ok end.

%% It goes on without a message, or takes one of two.
%% expect: priority_messages:timeout dpor pass schedules=3
timeout() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! ordinary end),
    spawn(fun() -> send_first(Alias, first) end),
    receive _ -> ok after 10 -> ok end.

%% What they are made for: whoever has much to do hears of what is urgent as soon as it comes.
%% expect: priority_messages:stop_soon dfs pass
stop_soon() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {control, alias([priority])}, work() end),
    Alias = receive {control, Given} -> Given end,
    Ref = monitor(process, Pid),
    send_first(Alias, stop),
    [Pid ! {job, I} || I <- [1, 2]],
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.

work() -> receive {job, _} -> work(); stop -> ok end.
