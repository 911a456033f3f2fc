%% Registration server, step_03 (listings 6.3, 6.4 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% The server exists and answers pings, but nothing ever stops it: it waits for ever after the
%% test.
-module(reg_server).

-export([ping/0, start/0]).

-define(REG_NAME, reg_server).
-define(REG_REQUEST, reg_request).
-define(REG_REPLY, reg_reply).

start() ->
    Pid = spawn(fun() -> loop() end),
    register(?REG_NAME, Pid),
    ok.

ping() ->
    ?REG_NAME ! {?REG_REQUEST, self(), ping},
    receive
        {?REG_REPLY, Reply} -> Reply
    end.

loop() ->
    receive
        {?REG_REQUEST, Target, ping} ->
            Target ! {?REG_REPLY, pong},
            loop()
    end.
