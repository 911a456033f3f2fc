%% Abnormal ends that somebody handles are no bugs; errors are, and exits that nobody hears of.
%% rules: default
%% options: -k
-module(handled_ends).
-export([killed_on_purpose/0, exits_under_monitor/0, exits_under_link/0, passed_on/0, hearer_ends/0, init_stops/0, init_exits/0, init_fails/0, ended_with_its_partner/0, child_exits/0, restart_by_kill/0,
         stops_supervisor/0, server_stops/0]).
-export([unheard/0, error_under_monitor/0, error_in_server/0, throws_under_monitor/0, test_is_killed/0, test_is_linked/0, forged_error/0,
         flag_comes_late/0, unlinks_before/0, partner_ends/0, assertion_elsewhere/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% ---- Handled

%% expect: handled_ends:killed_on_purpose dpor pass
killed_on_purpose() ->
    exit(spawn(fun() -> receive never -> ok end end), kill).

%% expect: handled_ends:exits_under_monitor dpor pass
exits_under_monitor() ->
    {_, Ref} = spawn_monitor(fun() -> exit(enough) end),
    receive {'DOWN', Ref, process, _, enough} -> ok end.

%% expect: handled_ends:exits_under_link dpor pass
exits_under_link() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(enough) end),
    receive {'EXIT', Pid, enough} -> ok end.

%% By way of a process that does not trap exits.
%% expect: handled_ends:passed_on dpor pass
passed_on() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> spawn_link(fun() -> exit(enough) end), receive never -> ok end end),
    receive {'EXIT', Pid, enough} -> ok end.

%% expect: handled_ends:ended_with_its_partner dpor pass
ended_with_its_partner() ->
    Pid = spawn(fun() -> spawn_link(fun() -> receive never -> ok end end), receive never -> ok end end),
    exit(Pid, enough).

%% Who would have heard of it may end before.
%% expect: handled_ends:hearer_ends dpor pass
hearer_ends() ->
    Self = self(),
    spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! spawn_link(fun() -> receive go -> exit(enough) end end)
    end),
    receive Child -> Child ! go end.

init(children) -> {ok, {#{intensity => 3}, [#{id => one, start => {gen_server, start_link, [{local, one}, ?MODULE, server, []]}}]}};
init(server) -> {ok, none};
init({stops, Reason}) -> {stop, Reason};
init({exits, Reason}) -> exit(Reason);
init({fails, Reason}) -> error(Reason).
handle_call(_, _From, State) -> {reply, ok, State}.
handle_cast({exit, Reason}, _) -> exit(Reason);
handle_cast({stop, Reason}, State) -> {stop, Reason, State};
handle_cast({error, Reason}, _) -> error(Reason).

with_server(Do) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, children),
    [{one, Server, _, _}] = supervisor:which_children(Supervisor),
    Ref = monitor(process, Server),
    Do(Server),
    receive {'DOWN', Ref, process, Server, Reason} -> Reason end.

%% Whoever starts it is told.
%% expect: handled_ends:init_stops dpor pass
init_stops() -> {error, enough} = gen_server:start(?MODULE, {stops, enough}, []).

%% expect: handled_ends:init_exits dpor pass
init_exits() -> {error, enough} = gen_server:start(?MODULE, {exits, enough}, []).

%% expect: handled_ends:child_exits dpor pass
child_exits() -> with_server(fun(Server) -> gen_server:cast(Server, {exit, enough}) end).

%% expect: handled_ends:server_stops dpor pass
server_stops() -> with_server(fun(Server) -> gen_server:cast(Server, {stop, enough}) end).

%% expect: handled_ends:restart_by_kill dpor pass
restart_by_kill() -> with_server(fun(Server) -> exit(Server, kill) end).

%% expect: handled_ends:stops_supervisor dpor pass
stops_supervisor() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, children),
    unlink(Supervisor),
    exit(Supervisor, shutdown).

%% ---- Bugs

%% expect: handled_ends:unheard dpor bug abnormal_exit
unheard() -> spawn(fun() -> exit(enough) end).

%% expect: handled_ends:error_under_monitor dpor bug abnormal_exit
error_under_monitor() ->
    {_, Ref} = spawn_monitor(fun() -> error(enough) end),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% proc_lib ends it by exit/1, with the error in the reason.
%% expect: handled_ends:error_in_server dpor bug abnormal_exit
error_in_server() -> with_server(fun(Server) -> gen_server:cast(Server, {error, enough}) end).

%% expect: handled_ends:init_fails dpor bug abnormal_exit
init_fails() -> {error, {enough, _}} = gen_server:start(?MODULE, {fails, enough}, []).

%% expect: handled_ends:throws_under_monitor dpor bug abnormal_exit
throws_under_monitor() ->
    {_, Ref} = spawn_monitor(fun() -> throw(enough) end),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% What only looks like the reason of an error is an exit.
%% expect: handled_ends:forged_error dpor pass
forged_error() ->
    {_, Ref} = spawn_monitor(fun() -> exit({enough, [{some, function, 1, []}]}) end),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% expect: handled_ends:test_is_killed dpor bug abnormal_exit
test_is_killed() ->
    Self = self(),
    spawn(fun() -> exit(Self, enough) end),
    receive never -> ok end.

%% A monitor does not help if it takes the test's process with it.
%% expect: handled_ends:test_is_linked dpor bug abnormal_exit
test_is_linked() ->
    {_, Ref} = spawn_opt(fun() -> exit(enough) end, [link, monitor]),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% expect: handled_ends:flag_comes_late dpor bug abnormal_exit
flag_comes_late() ->
    spawn(fun() ->
        Child = spawn_link(fun() -> exit(enough) end),
        process_flag(trap_exit, true),
        receive {'EXIT', Child, enough} -> ok end
    end).

%% expect: handled_ends:unlinks_before dpor bug abnormal_exit
unlinks_before() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> exit(enough) end),
    unlink(Child).

%% One that does not trap exits has not handled it, also if it has ended before.
%% expect: handled_ends:partner_ends dpor bug abnormal_exit
partner_ends() ->
    Self = self(),
    spawn(fun() -> Self ! spawn_link(fun() -> receive go -> exit(enough) end end) end),
    receive Child -> Child ! go end.

%% expect: handled_ends:assertion_elsewhere dpor bug assertion
assertion_elsewhere() ->
    {_, Ref} = spawn_monitor(fun() -> error({assertEqual, [{module, ?MODULE}, {line, ?LINE}, {expression, "1"}, {expected, 2}, {value, 1}]}) end),
    receive {'DOWN', Ref, process, _, _} -> ok end.
