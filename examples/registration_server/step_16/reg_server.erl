%% Registration server, step_16 (listings 6.17 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% A server that loses the race for the name is told to exit.
-module(reg_server).

-export([ping/0, start/0, stop/0]).

-define(REG_NAME, reg_server).
-define(REG_REQUEST, reg_request).
-define(REG_REPLY, reg_reply).

start() ->
    case whereis(?REG_NAME) of
        undefined ->
            Pid = spawn(fun() -> loop() end),
            try register(?REG_NAME, Pid) of
                true -> ok
            catch
                error:badarg ->
                    Pid ! {?REG_REQUEST, kill},
                    already_started
            end;
        _Pid -> already_started
    end.

stop() ->
    request(stop).

ping() ->
    request(ping).

loop() ->
    receive
        {?REG_REQUEST, Target, ping} ->
            reply(Target, pong),
            loop();
        {?REG_REQUEST, Target, stop} ->
            unregister(?REG_NAME),
            reply(Target, ok);
        {?REG_REQUEST, kill} -> killed
    end.

request(Request) ->
    case whereis(?REG_NAME) of
        undefined -> server_down;
        Pid ->
            Ref = monitor(process, Pid),
            Pid ! {?REG_REQUEST, self(), Request},
            receive
                {?REG_REPLY, Reply} ->
                    demonitor(Ref, [flush]),
                    Reply;
                {'DOWN', Ref, process, Pid, _Reason} -> server_down
            end
    end.

reply(Target, Reply) ->
    Target ! {?REG_REPLY, Reply}.
