%% Registration server, step_04 (listings 6.5, 6.6 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% stop/0 ends the server at the end of each test.
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
    ?REG_NAME ! {?REG_REQUEST, self(), stop},
    receive
        {?REG_REPLY, Reply} -> Reply
    end.

ping() ->
    ?REG_NAME ! {?REG_REQUEST, self(), ping},
    receive
        {?REG_REPLY, Reply} -> Reply
    end.

loop() ->
    receive
        {?REG_REQUEST, Target, ping} ->
            Target ! {?REG_REPLY, pong},
            loop();
        {?REG_REQUEST, Target, stop} ->
            Target ! {?REG_REPLY, ok}
    end.
