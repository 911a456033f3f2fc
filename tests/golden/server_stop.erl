%% A server that answers before it gives its name up.
-module(server_stop).
-export([reply_first/0, name_first/0]).

%% The second request may find that the name is free by then. (Nobody waits for its answer.)
%% expect: server_stop:reply_first dfs bug abnormal_exit schedules=5
reply_first() -> stop_twice(fun(From) -> From ! stopped end).

%% expect: server_stop:name_first dfs pass schedules=4
name_first() -> stop_twice(fun(From) -> unregister(server), From ! stopped end).

stop_twice(Stop) ->
    register(server, spawn(fun() -> receive {From, stop} -> Stop(From) end end)),
    server ! {self(), stop},
    receive stopped -> ok end,
    case whereis(server) of
        undefined -> ok;
        _ -> server ! {self(), stop}
    end.
