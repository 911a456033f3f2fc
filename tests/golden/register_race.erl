%% Names against the life of the process they stand for.
-module(register_race).
-export([late_register/0, two_registrars/0, caught/0, whereis_then_send/0]).

%% The child may end before it gets its name.
%% expect: register_race:late_register dfs bug abnormal_exit schedules=7
late_register() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! done end),
    register(worker, Pid),
    receive done -> ok end.

%% Two processes want one name; the loser fails, unless the winner has ended by then.
%% expect: register_race:two_registrars dfs bug abnormal_exit
two_registrars() ->
    Claim = fun() -> register(only_one, self()) end,
    spawn(Claim),
    spawn(Claim),
    ok.

%% The same, prepared for it.
%% expect: register_race:caught dfs pass
caught() ->
    Claim = fun() -> catch register(only_one, self()) end,
    spawn(Claim),
    spawn(Claim),
    ok.

%% The name is there when asked for, and gone when used.
%% expect: register_race:whereis_then_send dfs bug abnormal_exit
whereis_then_send() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    register(server, Pid),
    spawn(fun() -> Pid ! stop end),
    case whereis(server) of
        undefined -> ok;
        _ -> server ! stop
    end.
