%% library: gproc
%% A registry of processes.
-module(gproc_checks).
-export([one_owner/0, awaited/0]).
%% options: --after-infinite 1000 --normal shutdown

with_gproc(Do) ->
    {ok, Server} = gproc:start_link(),
    Do(),
    unlink(Server),
    Monitor = monitor(process, Server),
    exit(Server, shutdown),
    receive {'DOWN', Monitor, process, Server, _} -> ok end.

%% A name has one owner.
%% expect: gproc_checks:one_owner dpor pass
one_owner() ->
    with_gproc(fun() ->
        Self = self(),
        Register = fun() -> try gproc:reg({n, l, name}) catch error:badarg -> taken end end,
        Second = spawn_link(fun() -> Self ! {other, Register()}, receive stop -> ok end end),
        Mine = Register(),
        Other = receive {other, Result} -> Result end,
        [taken, true] = lists:sort([Mine, Other]),
        Second ! stop
    end).

%% Who waits for a name gets it, whether it comes before or after.
%% expect: gproc_checks:awaited dpor pass
awaited() ->
    with_gproc(fun() ->
        Registered = spawn_link(fun() -> true = gproc:reg({n, l, name}, value), receive stop -> ok end end),
        {Registered, value} = gproc:await({n, l, name}, infinity),
        Registered ! stop
    end).
