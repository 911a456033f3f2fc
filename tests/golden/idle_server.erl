%% A server that nobody stops waits for ever, which is a deadlock too.
-module(idle_server).
-export([left_behind/0, stopped/0]).

%% expect: idle_server:left_behind dfs bug deadlock
left_behind() ->
    Server = spawn(fun loop/0),
    Server ! {self(), ping},
    receive {Server, pong} -> ok end.

%% expect: idle_server:stopped dfs pass
stopped() ->
    Server = spawn(fun loop/0),
    Server ! {self(), ping},
    receive {Server, pong} -> ok end,
    Server ! stop.

loop() ->
    receive
        {From, ping} -> From ! {self(), pong}, loop();
        stop -> ok
    end.
