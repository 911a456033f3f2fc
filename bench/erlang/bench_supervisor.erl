%% A supervisor: each iteration starts ten children, lets one crash and be restarted, and stops all.
-module(bench_supervisor).
-behaviour(supervisor).
-export([run/1, start_child/0]).
-export([init/1]).

run(N) ->
    logger:set_primary_config(level, none),
    {ok, Supervisor} = supervisor:start_link(?MODULE, []),
    loop(N, Supervisor),
    unlink(Supervisor),
    exit(Supervisor, shutdown),
    ok.

loop(0, _Supervisor) -> ok;
loop(N, Supervisor) ->
    Children = [start(Supervisor, Id) || Id <- lists:seq(1, 10)],
    exit(hd(Children), crash),
    10 = proplists:get_value(specs, supervisor:count_children(Supervisor)),
    [ok = stop(Supervisor, Id) || Id <- lists:seq(1, 10)],
    loop(N - 1, Supervisor).

start(Supervisor, Id) ->
    {ok, Pid} = supervisor:start_child(Supervisor, #{id => Id, start => {?MODULE, start_child, []}}),
    Pid.

stop(Supervisor, Id) ->
    ok = supervisor:terminate_child(Supervisor, Id),
    supervisor:delete_child(Supervisor, Id).

start_child() -> {ok, proc_lib:spawn_link(fun() -> receive stop -> ok end end)}.

init([]) -> {ok, {#{intensity => 1000000, period => 1}, []}}.
