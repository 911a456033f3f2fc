%% A process that has ended tells one after the other of those who are linked with it or watch it.
-module(ends).
-export([told_by_another/0, unlinked_in_time/0, taken_back/0, both_end/0, name_is_free/0]).

%% options: --ends stepwise

%% The watcher that is told first tells the other one before that hears of it itself.
%% expect: ends:told_by_another dpor bug abnormal_exit
%% expect: ends:told_by_another random bug abnormal_exit
%% expect: ends:told_by_another dfs bug abnormal_exit
told_by_another() ->
    Self = self(),
    P = spawn(fun() -> receive stop -> ok end end),
    A = spawn(fun() ->
        R = monitor(process, P),
        Self ! ready,
        receive {'DOWN', R, _, _, _} -> receive {other, B} -> B ! gone end end
    end),
    B = spawn(fun() ->
        R = monitor(process, P),
        Self ! ready,
        receive
            gone -> receive {'DOWN', R, _, _, _} -> ok after 0 -> exit(not_told_yet) end;
            {'DOWN', R, _, _, _} -> ok
        end
    end),
    A ! {other, B},
    receive ready -> ok end,
    receive ready -> ok end,
    P ! stop.

%% Who takes its link back between the end and the signal is not told.
%% expect: ends:unlinked_in_time dpor pass schedules=2
unlinked_in_time() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    unlink(P),
    receive {'EXIT', P, normal} -> ok after 0 -> ok end,
    receive {'EXIT', P, normal} -> error(told_later) after 0 -> ok end.

%% expect: ends:taken_back dpor pass schedules=2
taken_back() ->
    P = spawn(fun() -> ok end),
    R = monitor(process, P),
    demonitor(R, [flush]),
    receive {'DOWN', R, _, _, _} -> error(told_later) after 0 -> ok end.

%% Two linked processes that end: in whatever order, neither minds the other's signal.
%% expect: ends:both_end dpor pass schedules=1
both_end() ->
    Self = self(),
    P = spawn(fun() -> receive {partner, Q} -> link(Q), Self ! linked, receive stop -> ok end end end),
    Q = spawn(fun() -> receive stop -> ok end end),
    P ! {partner, Q},
    receive linked -> ok end,
    Q ! stop,
    P ! stop.

%% Its name is free before anybody is told.
%% expect: ends:name_is_free dpor bug abnormal_exit
%% expect: ends:name_is_free dfs bug abnormal_exit
name_is_free() ->
    process_flag(trap_exit, true),
    register(p, P = spawn_link(fun() -> receive stop -> ok end end)),
    P ! stop,
    case whereis(p) of
        undefined -> receive {'EXIT', P, normal} -> ok after 0 -> exit(not_told_yet) end;
        P -> ok
    end.
