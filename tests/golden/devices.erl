%% Who prints where: group leaders that another process changes, and devices whose names somebody takes.
%% options: --time idle
%% rules: default
-module(devices).
-export([leader_changes_between/0, leader_is_inherited/0, own_leader/0, name_is_taken_between/0, name_is_given_back/0]).

%% expect: devices:leader_changes_between dfs bug abnormal_exit
leader_changes_between() ->
    Self = self(),
    Other = spawn(fun() -> receive stop -> ok end end),
    Worker = spawn(fun() -> Self ! started, Self ! {leader, group_leader()} end),
    receive started -> group_leader(Other, Worker) end,
    receive {leader, Leader} -> true = Leader =/= Other end.

%% expect: devices:leader_is_inherited dfs pass
leader_is_inherited() ->
    Self = self(),
    Other = spawn(fun() -> receive stop -> ok end end),
    group_leader(Other, self()),
    spawn(fun() -> Self ! {leader, group_leader()} end),
    receive {leader, Leader} -> Other = Leader end.

%% Nobody else has a part in it.
%% expect: devices:own_leader dfs pass schedules=1
own_leader() ->
    Leader = group_leader(),
    group_leader(self(), self()),
    true = group_leader() =:= self(),
    group_leader(Leader, self()).

%% What is printed may come to who takes the name meanwhile.
%% expect: devices:name_is_taken_between dfs bug abnormal_exit
name_is_taken_between() ->
    Self = self(),
    spawn(fun() -> Self ! started, io:put_chars(standard_error, "") end),
    receive started -> ok end,
    unregister(standard_error),
    register(standard_error, self()),
    receive {io_request, From, As, _} -> From ! {io_reply, As, ok}, exit(printed_here) after 10 -> ok end.

%% expect: devices:name_is_given_back dfs pass
name_is_given_back() ->
    Device = whereis(standard_error),
    unregister(standard_error),
    register(standard_error, Device),
    ok = io:put_chars(standard_error, "").
