%% Programs without an end.
-module(endless).
-export([loop/0, child_loop/0, ping_pong/0, polling/0, behind_a_crash/0]).

%% Computes for ever without an operation.
%% expect: endless:loop dfs bug no_progress
loop() -> loop().

%% expect: endless:child_loop dfs bug no_progress
child_loop() ->
    spawn(fun loop/0),
    ok.

%% Every step is progress, but there is no end.
%% expect: endless:ping_pong dfs bug event_bound
ping_pong() ->
    Pid = spawn(fun() -> bounce() end),
    Pid ! {ball, self()},
    bounce().

bounce() ->
    receive {ball, From} -> From ! {ball, self()} end,
    bounce().

%% Asks for a name that nobody registers.
%% expect: endless:polling dfs bug event_bound
polling() ->
    case whereis(somebody) of
        undefined -> polling();
        Pid -> Pid
    end.

%% A search goes on behind the crash, and reaches no end.
%% expect: endless:behind_a_crash dfs bug abnormal_exit
%% expect: endless:behind_a_crash dpor bug abnormal_exit
%% expect: endless:behind_a_crash variants bug abnormal_exit
behind_a_crash() ->
    {_, Ref} = spawn_monitor(fun() -> exit(crash) end),
    receive {'DOWN', Ref, _, _, _} -> polling() end.
