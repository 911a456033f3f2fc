%% Messages of one sender stay in order; those of two senders do not.
-module(message_order).
-export([one_sender/0, two_senders/0, to_self/0, through_a_third/0]).

%% expect: message_order:one_sender dfs pass schedules=7
one_sender() ->
    Self = self(),
    spawn(fun() -> Self ! 1, Self ! 2 end),
    [1, 2] = [receive M -> M end || _ <- [a, b]].

%% expect: message_order:two_senders dfs bug abnormal_exit
two_senders() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    [1, 2] = [receive M -> M end || _ <- [a, b]].

%% expect: message_order:to_self dfs pass schedules=1
to_self() ->
    self() ! 1,
    self() ! 2,
    [1, 2] = [receive M -> M end || _ <- [a, b]].

%% A causes B's message: with instant delivery A's own comes first.
%% expect: message_order:through_a_third dfs pass
through_a_third() ->
    Self = self(),
    B = spawn(fun() -> receive go -> Self ! second end end),
    spawn(fun() -> Self ! first, B ! go end),
    [first, second] = [receive M -> M end || _ <- [a, b]].
