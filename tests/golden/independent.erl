%% What commutes is one trace, and what does not is as many as there are orders that differ (docs/design/dependence.md).
%% options: --normal killed
-module(independent).
-export([flush_and_end/0, flush_and_end_in_time/0, same_row/0, same_row_again/0, replaced_row/0, same_key/0, unseen_row/0, seen_row/0, additions/0, sums/0, late_kills/0,
         kills/0, message_and_kill/0, last_message_and_kill/0, messages_and_kill/0, exits/0, two_linked_ends/0, taken_name/0, free_name/0, behind_the_first/0, before_the_first/0,
         gone_keys/0, same_value/0, one_that_fits/0, two_that_fit/0]).

%% Runs functions in processes of their own, and waits for each; what they do is all that can happen in several orders.
parallel(Functions) ->
    Self = self(),
    Pids = [spawn(fun() -> F(), Self ! {done, self()} end) || F <- Functions],
    [receive {done, Pid} -> ok end || Pid <- Pids],
    ok.

%% Before or after the end, the monitor tells another reason; taking it back makes no difference.
%% expect: independent:flush_and_end dpor pass schedules=2
flush_and_end() ->
    Reference = monitor(process, spawn(fun() -> ok end)),
    demonitor(Reference, [flush]).

%% expect: independent:flush_and_end_in_time dpor pass schedules=1
flush_and_end_in_time() ->
    {_, Reference} = spawn_monitor(fun() -> ok end),
    demonitor(Reference, [flush]).

%% expect: independent:same_row dpor pass schedules=1
same_row() ->
    T = ets:new(t, [public]),
    parallel([fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:insert(T, {k, 1}) end]).

%% Whichever comes first replaces the row.
%% expect: independent:same_row_again dpor pass schedules=1
same_row_again() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 0}),
    parallel([fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:insert(T, {k, 1}) end]).

%% The selection comes before both, between them in either order, or behind both.
%% expect: independent:replaced_row dpor pass schedules=4
replaced_row() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 0}),
    parallel([fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:match_object(T, {'_', 0}) end]).

%% expect: independent:same_key dpor pass schedules=2
same_key() ->
    T = ets:new(t, [public]),
    parallel([fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:insert(T, {k, 2}) end]).

%% expect: independent:unseen_row dpor pass schedules=1
unseen_row() ->
    T = ets:new(t, [public]),
    parallel([fun() -> ets:insert(T, {k, 1}) end, fun() -> ets:match_object(T, {'_', 2}) end]).

%% expect: independent:seen_row dpor pass schedules=2
seen_row() ->
    T = ets:new(t, [public]),
    parallel([fun() -> ets:insert(T, {k, 2}) end, fun() -> ets:match_object(T, {'_', 2}) end]).

%% expect: independent:additions dpor pass schedules=1
additions() ->
    A = atomics:new(1, []),
    parallel([fun() -> atomics:add(A, 1, 5) end, fun() -> atomics:add(A, 1, 7) end, fun() -> atomics:sub(A, 1, 1) end]),
    11 = atomics:get(A, 1).

%% expect: independent:sums dpor pass schedules=2
sums() ->
    A = atomics:new(1, []),
    parallel([fun() -> atomics:add_get(A, 1, 5) end, fun() -> atomics:add(A, 1, 7) end]).

%% expect: independent:late_kills dpor pass schedules=1
late_kills() ->
    {Pid, Reference} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Reference, _, _, _} -> ok end,
    parallel([fun() -> exit(Pid, kill) end, fun() -> exit(Pid, kill) end]).

%% Who comes first is told as the one who has killed.
%% expect: independent:kills dpor pass schedules=2
kills() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    parallel([fun() -> exit(Pid, kill) end, fun() -> exit(Pid, kill) end]).

%% The message comes too late, or in time for the receive but the kill before that, or it is received: then the kill comes before
%% the end or behind it.
%% expect: independent:message_and_kill dpor pass schedules=4
message_and_kill() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    parallel([fun() -> exit(Pid, kill) end, fun() -> Pid ! stop end]).

%% A process that has done all but end can still be killed.
%% expect: independent:last_message_and_kill dpor bug abnormal_exit
last_message_and_kill() ->
    Self = self(),
    {Pid, Reference} = spawn_monitor(fun() -> Self ! done end),
    spawn(fun() -> exit(Pid, kill) end),
    receive {'DOWN', Reference, process, Pid, Reason} -> ok end,
    receive done when Reason =:= killed -> exit(killed_when_done) after 0 -> ok end.

%% The second receive is lost if the first one is.
%% expect: independent:messages_and_kill dpor pass
messages_and_kill() ->
    Pid = spawn(fun() -> receive one -> ok end, receive two -> ok end, receive three -> ok end end),
    parallel([fun() -> exit(Pid, kill) end, fun() -> Pid ! one end, fun() -> Pid ! two end]).

%% Who comes first is the one who ends it; whether the others come before or after the end makes no difference.
%% expect: independent:exits dpor pass
exits() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    parallel([fun() -> exit(Pid, killed) end, fun() -> exit(Pid, killed) end, fun() -> exit(Pid, killed) end]).

%% expect: independent:two_linked_ends dpor pass schedules=1
two_linked_ends() ->
    spawn_link(fun() -> ok end).

%% expect: independent:taken_name dpor pass schedules=1
taken_name() ->
    register(name, self()),
    parallel([fun() -> catch register(name, self()) end, fun() -> catch register(name, self()) end]).

%% The first one's end frees the name: before or after the second one tries.
%% expect: independent:free_name dpor pass schedules=4
free_name() ->
    parallel([fun() -> catch register(name, self()) end, fun() -> catch register(name, self()) end]).

%% expect: independent:behind_the_first dpor pass schedules=1
behind_the_first() ->
    T = ets:new(t, [public, ordered_set]),
    ets:insert(T, {1, x}),
    parallel([fun() -> ets:insert(T, {2, x}) end, fun() -> ets:first(T) end]).

%% expect: independent:before_the_first dpor pass schedules=2
before_the_first() ->
    T = ets:new(t, [public, ordered_set]),
    ets:insert(T, {1, x}),
    parallel([fun() -> ets:insert(T, {0, x}) end, fun() -> ets:first(T) end]).

%% expect: independent:gone_keys dpor pass schedules=1
gone_keys() ->
    T = ets:new(t, [public]),
    parallel([fun() -> ets:delete(T, k) end, fun() -> ets:delete(T, k) end]).

%% expect: independent:same_value dpor pass schedules=1
same_value() ->
    persistent_term:put(k, 1),
    parallel([fun() -> persistent_term:put(k, 1) end, fun() -> persistent_term:get(k) end]).

%% expect: independent:one_that_fits dpor pass schedules=1
one_that_fits() ->
    Self = self(),
    spawn(fun() -> Self ! {1, a} end),
    spawn(fun() -> Self ! {2, b} end),
    receive {N, _} when N > 1 -> ok end.

%% expect: independent:two_that_fit dpor pass schedules=2
two_that_fit() ->
    Self = self(),
    spawn(fun() -> Self ! {1, a} end),
    spawn(fun() -> Self ! {2, b} end),
    receive {N, _} when N > 0 -> ok end.
