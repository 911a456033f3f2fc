%% Processes that wait for ever.
-module(deadlock).
-export([alone/0, two/0, dining/0, no_reply/0, two_in_order/0]).

%% expect: deadlock:alone dfs bug deadlock schedules=1
alone() -> receive never -> ok end.

%% Each waits for the other.
%% expect: deadlock:two dfs bug deadlock
two() ->
    Self = self(),
    Pid = spawn(fun() -> receive {ping, From} -> From ! pong end end),
    Pid ! {pong, Self},
    receive pong -> ok end.

%% Two locks, taken in opposite orders: a deadlock in some schedules only.
%% expect: deadlock:dining dfs bug deadlock
%% expect: deadlock:dining preemption bug deadlock
dining() ->
    A = spawn(fun lock/0),
    B = spawn(fun lock/0),
    Self = self(),
    spawn(fun() -> both(A, B), Self ! done end),
    both(B, A),
    receive done -> ok end,
    A ! stop,
    B ! stop.

%% The same locks in one order.
%% expect: deadlock:two_in_order preemption pass
two_in_order() ->
    A = spawn(fun lock/0),
    B = spawn(fun lock/0),
    Self = self(),
    spawn(fun() -> both(A, B), Self ! done end),
    both(A, B),
    receive done -> ok end,
    A ! stop,
    B ! stop.

lock() ->
    receive
        {take, From} ->
            From ! {taken, self()},
            receive {release, From} -> lock() end;
        stop -> ok
    end.

both(First, Second) ->
    [begin L ! {take, self()}, receive {taken, L} -> ok end end || L <- [First, Second]],
    [L ! {release, self()} || L <- [Second, First]].

%% The server ends without an answer.
%% expect: deadlock:no_reply dfs bug deadlock
no_reply() ->
    Server = spawn(fun() -> receive _ -> ok end end),
    Server ! {self(), question},
    receive {Server, Answer} -> Answer end.
