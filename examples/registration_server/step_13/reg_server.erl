%% Registration server, step_13 (listings 6.14 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% Defect: a second start/0 registers a name that is taken.
-module(reg_server).

-export([ping/0, start/0, stop/0]).

-define(REG_NAME, reg_server).
-define(REG_REQUEST, reg_request).
-define(REG_REPLY, reg_reply).

start() ->
    Pid = spawn(fun() -> loop() end),
    register(?REG_NAME, Pid),
    ok.

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
            reply(Target, ok)
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
