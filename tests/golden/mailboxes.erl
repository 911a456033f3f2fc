%% A property of mailboxes is concerned by every step.
%% options: --property mailbox_longer_than(2)
%% expect: mailboxes:three_messages dfs bug property
%% expect: mailboxes:two_messages dfs pass
%% expect: mailboxes:taken_in_time dfs pass
%% expect: mailboxes:taken_too_late dfs bug property
-module(mailboxes).
-export([three_messages/0, two_messages/0, taken_in_time/0, taken_too_late/0]).

%% Takes so many messages.
taker(Count) -> spawn(fun() -> [receive M -> M end || _ <- lists:seq(1, Count)] end).

three_messages() ->
    Taker = taker(3),
    [Taker ! I || I <- [1, 2, 3]].

two_messages() ->
    Taker = taker(2),
    [Taker ! I || I <- [1, 2]].

taken_in_time() ->
    Self = self(),
    Taker = spawn(fun() -> [receive M -> Self ! M end || _ <- [1, 2, 3]] end),
    [begin Taker ! I, receive I -> ok end end || I <- [1, 2, 3]].

taken_too_late() ->
    Taker = taker(4),
    [spawn(fun() -> Taker ! 1, Taker ! 2 end) || _ <- [1, 2]].
