%% whereis, spawn, register: the usual way to start something once, and the usual mistake.
-module(start_race).
-export([unguarded/0, guarded/0]).

%% expect: start_race:unguarded preemption bug abnormal_exit
unguarded() ->
    run(fun() ->
                case whereis(once) of
                    undefined -> register(once, spawn(fun server/0)), ok;
                    _ -> ok
                end
        end).

%% The loser stops the server that it made.
%% expect: start_race:guarded preemption pass
guarded() ->
    run(fun() ->
                case whereis(once) of
                    undefined ->
                        Pid = spawn(fun server/0),
                        try register(once, Pid) of
                            true -> ok
                        catch
                            error:badarg -> Pid ! stop, ok
                        end;
                    _ -> ok
                end
        end).

run(Start) ->
    Self = self(),
    [spawn(fun() -> Self ! Start() end) || _ <- [1, 2]],
    [receive ok -> ok end || _ <- [1, 2]],
    once ! stop.

server() -> receive stop -> ok end.
