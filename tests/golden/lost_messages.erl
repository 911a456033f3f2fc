%% Messages that are lost on their way, at most one in each execution. Signals of links, monitors and exits are
%% not.
%% rules: default
%% options: --time idle --delivery channels --drop 1
-module(lost_messages).
-export([one_is_needed/0, one_of_two/0, order_stays/0, ends_are_told/0, exits_arrive/0, to_itself/0, asks_again/0]).

%% expect: lost_messages:one_is_needed dfs bug deadlock
one_is_needed() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), hello} end),
    receive {Pid, hello} -> ok end.

%% expect: lost_messages:one_of_two dfs pass
one_of_two() ->
    Self = self(),
    spawn(fun() -> Self ! hello, Self ! hello end),
    receive hello -> ok end.

%% expect: lost_messages:order_stays dfs pass
order_stays() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> [Self ! N || N <- [1, 2, 3]] end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    Got = received(),
    true = length(Got) >= 2,
    Got = lists:sort(Got).

received() -> receive N when is_integer(N) -> [N | received()] after 0 -> [] end.

%% expect: lost_messages:ends_are_told dfs pass
ends_are_told() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

%% expect: lost_messages:exits_arrive dfs pass
exits_arrive() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(Pid, shutdown),
    receive {'DOWN', Ref, process, Pid, shutdown} -> ok end.

%% expect: lost_messages:to_itself dfs pass
to_itself() -> self() ! hello, receive hello -> ok end.

%% expect: lost_messages:asks_again dfs pass
asks_again() ->
    Pid = spawn(fun answer/0),
    pong = ask(Pid).

answer() ->
    receive {From, ping} -> From ! {self(), pong} end,
    answer().

ask(Pid) ->
    Pid ! {self(), ping},
    receive {Pid, pong} -> pong after 100 -> ask(Pid) end.
