%% Registration server, step_08 (listings 6.10 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% The server gives its name up before it replies to stop.
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
        _Pid ->
            ?REG_NAME ! {?REG_REQUEST, self(), Request},
            receive
                {?REG_REPLY, Reply} -> Reply
            end
    end.

reply(Target, Reply) ->
    Target ! {?REG_REPLY, Reply}.
