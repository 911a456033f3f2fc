%% Questions about another process, in a race with its end.
-module(alive).
-export([is_alive/0, registered_name/0, both_answers/0]).

%% expect: alive:is_alive dfs bug abnormal_exit schedules=3
is_alive() ->
    Pid = spawn(fun() -> ok end),
    true = is_process_alive(Pid).

%% expect: alive:both_answers dfs pass schedules=3
both_answers() ->
    Pid = spawn(fun() -> ok end),
    true = is_boolean(is_process_alive(Pid)).

%% expect: alive:registered_name dfs pass
registered_name() ->
    register(known, self()),
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), process_info(Self, registered_name)} end),
    receive {Pid, {registered_name, known}} -> ok end,
    unregister(known).
