%% Services of the system and of stdlib that are processes or talk to some: timer, pg, global, rpc, sys, gen_event, proc_lib,
%% supervisor_bridge, applications, code.
-module(diff_services).
-behaviour(supervisor_bridge).
-export([main/0, main/2]).
-export([server/1, starter/3, log_event/3, start/2, stop/1, prep_stop/1, config_change/3, start_phase/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_event/2, handle_call/2, terminate/2, code_change/3]).
-import(diff_support, [range/2, pick/1, term/1, evaluate/1]).

main() -> main(1, 250).

main(Seed, Count) ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    diff_support:run(Seed, Count, fun test/0).

test() ->
    A = term(1), N = range(0, 12),
    Way = pick([timer, timer, pg, global, rpc, rpc, sys, sys, sys, event, event, event, start, start, start, initial_call, bridge, application,
                application, environment, code, supervisor]),
    {{Way, A, N}, fun() -> {evaluate(fun() -> do(Way, A, N) end), rest()} end}.

rest() -> receive {'EXIT', _, Reason} -> [{exit, Reason} | rest()]; Any -> [Any | rest()] after 0 -> [] end.

next() -> receive {'EXIT', _, Reason} -> {exit, Reason}; Any -> Any after 10000 -> nothing end.

down(Ref) -> receive {'DOWN', Ref, _, _, Reason} -> Reason after 10000 -> nothing end.

is_done({ok, {Tag, _}}) when is_reference(Tag); is_atom(Tag) -> {ok, tref};
is_done(Other) -> Other.

do(timer, A, N) ->
    Self = self(),
    case N of
        0 -> {is_done(timer:send_after(1, A)), next()};
        1 -> {is_done(timer:send_after(1, Self, A)), next()};
        2 -> {is_done(timer:apply_after(1, erlang, send, [Self, A])), next()};
        3 -> {ok, T} = timer:send_interval(1, A), R = [next(), next()], {R, timer:cancel(T), flush(A)};
        4 -> {ok, T} = timer:send_after(10000, A), {timer:cancel(T), timer:cancel(T)};
        5 -> {timer:send_after(A, Self, x), timer:send_after(-1, x), timer:apply_after(1, A, 1, []), timer:cancel(A)};
        6 -> {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end), {is_done(timer:kill_after(1, Pid)), down(Ref)};
        7 -> {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end), {is_done(timer:exit_after(1, Pid, A)), down(Ref)};
        8 -> {V, X} = timer:tc(fun() -> A end), {V >= 0, X, timer:sleep(1), timer:hms(1, 2, 3), timer:seconds(N)};
        9 -> register(diff_receiver, Self), R = {is_done(timer:send_after(1, diff_receiver, A)), next()}, unregister(diff_receiver), R;
        10 -> {ok, T} = timer:apply_interval(1, erlang, send, [Self, A]), R = next(), {R, timer:cancel(T), flush(A)};
        11 -> {is_done(timer:send_after(0, A)), next()};
        12 -> {Pid, Ref} = spawn_monitor(fun() -> Self ! timer:send_interval(1, Self, A), receive go -> ok end end),
              {ok, T} = receive {ok, _} = Made -> Made end,
              R = next(), Pid ! go, {R, down(Ref), timer:cancel(T), flush(A)}
    end;
do(pg, A, N) ->
    Scope = pick([pg, diff_scope]),
    {ok, Pid} = case pg:start(Scope) of {ok, P} -> {ok, P}; {error, {already_started, P}} -> {ok, P} end,
    Child = spawn(fun() -> receive stop -> ok end end),
    Joined = [pg:join(Scope, A, Child), pg:join(Scope, other, [self(), Child]), evaluate(fun() -> pg:join(Scope, A, N) end)],
    Seen = [length(pg:get_members(Scope, A)), length(pg:get_local_members(Scope, other)), lists:sort(pg:which_groups(Scope))],
    Left = [pg:leave(Scope, other, self()), pg:leave(Scope, other, self()), pg:leave(Scope, none, Child)],
    Ref = monitor(process, Child),
    Child ! stop,
    Reason = down(Ref),
    sys:get_state(Pid),
    {Joined, Seen, Left, Reason, pg:get_members(Scope, A), pg:which_groups(Scope)};
do(global, A, N) ->
    Name = {diff, A},
    Child = spawn(fun() -> receive stop -> ok end end),
    R = [global:register_name(Name, Child), global:register_name(Name, self()), global:whereis_name(Name) =:= Child,
         evaluate(fun() -> global:send(Name, nothing) end), global:re_register_name(Name, self()), global:send(Name, N) =:= self(), next(),
         lists:member(Name, global:registered_names()), global:unregister_name(Name), global:whereis_name(Name),
         evaluate(fun() -> global:send(Name, N) end)],
    Lock = {A, self()},
    Locks = [global:set_lock(Lock), global:set_lock(Lock, [node()], 0), global:set_lock({A, other}, [node()], 0), global:del_lock(Lock),
             global:trans(Lock, fun() -> N end)],
    yes = global:register_name(Name, Child),
    Ref = monitor(process, Child),
    Child ! stop,
    {R, Locks, down(Ref), element(1, sys:get_state(global_name_server)), global:whereis_name(Name)};
do(rpc, A, N) ->
    case N rem 9 of
        0 -> {rpc:call(node(), erlang, element, [1, {A}]), rpc:call(node(), erlang, error, [A])};
        1 -> {rpc:call(node(), erlang, exit, [A]), rpc:call(node(), erlang, throw, [A]), rpc:call(node(), no_module, f, [])};
        2 -> {rpc:cast(node(), erlang, send, [self(), A]), next()};
        3 -> Key = rpc:async_call(node(), lists, reverse, [[1, A]]), rpc:yield(Key);
        4 -> {evaluate(fun() -> erpc:call(node(), erlang, element, [1, {A}]) end), evaluate(fun() -> erpc:call(node(), erlang, error, [A]) end)};
        5 -> {evaluate(fun() -> erpc:call(node(), fun() -> exit(A) end) end), evaluate(fun() -> erpc:call(node(), fun() -> throw(A) end) end)};
        6 -> {rpc:multicall([node()], lists, seq, [1, N]), rpc:eval_everywhere(erlang, send, [self(), A]), next()};
        7 -> {rpc:block_call(node(), erlang, hd, [[A]]), rpc:pmap({lists, duplicate}, [A], [1, 2])};
        8 -> R = erpc:send_request(node(), erlang, hd, [[A]]), {erpc:receive_response(R, 1000), erpc:multicall([node()], erlang, hd, [[A]])}
    end;
do(sys, A, N) ->
    {ok, Pid} = gen_server:start(?MODULE, A, []),
    R = case N of
            0 -> {sys:get_state(Pid), sys:replace_state(Pid, fun(S) -> {S, N} end), sys:get_state(Pid)};
            1 -> evaluate(fun() -> sys:replace_state(Pid, fun(_) -> error(A) end) end);
            2 -> sys:suspend(Pid), Ref = gen_server:send_request(Pid, ask), W = gen_server:wait_response(Ref, 0), sys:resume(Pid),
                 {W, gen_server:wait_response(Ref, 1000)};
            3 -> sys:statistics(Pid, true), gen_server:call(Pid, ask), gen_server:cast(Pid, x),
                 {ok, Stats} = sys:statistics(Pid, get), {lists:keydelete(start_time, 1, lists:keydelete(current_time, 1, without_reductions(Stats))),
                                                          sys:statistics(Pid, false), sys:statistics(Pid, get)};
            4 -> sys:log(Pid, true), gen_server:call(Pid, ask), {ok, L} = sys:log(Pid, get), {L, sys:log(Pid, false), sys:log(Pid, get)};
            5 -> sys:log(Pid, {true, 1}), gen_server:cast(Pid, A), gen_server:call(Pid, ask), R5 = sys:log(Pid, get), sys:no_debug(Pid), R5;
            6 -> Self = self(), sys:install(Pid, {fun(F, E, _) -> Self ! {traced, F, E}, F + 1 end, 0}), gen_server:call(Pid, ask),
                 {[next(), next()], sys:remove(Pid, fun(F, _, _) -> F end)};
            7 -> {status, _, {module, M}, [_, Running, _, Debug, _]} = sys:get_status(Pid), {M, Running, Debug};
            8 -> sys:suspend(Pid), C = sys:change_code(Pid, ?MODULE, old, A), sys:resume(Pid), {C, sys:get_state(Pid)};
            9 -> {sys:terminate(Pid, {because, A}), receive after 1 -> is_process_alive(Pid) end};
            10 -> {evaluate(fun() -> sys:get_state(no_such_server) end), evaluate(fun() -> sys:suspend(self(), 0) end)};
            11 -> sys:suspend(Pid), sys:suspend(Pid), sys:resume(Pid), gen_server:call(Pid, ask);
            12 -> {sys:trace(Pid, false), sys:no_debug(Pid), sys:log_to_file(Pid, false)}
        end,
    exit(Pid, kill),
    R;
do(event, A, N) ->
    {ok, Pid} = gen_event:start(),
    One = {?MODULE, one}, Two = {?MODULE, two},
    Added = [gen_event:add_handler(Pid, One, {A, self()}), gen_event:add_handler(Pid, One, x), gen_event:add_handler(Pid, Two, {fail, A})],
    R = case N of
            0 -> {gen_event:notify(Pid, A), gen_event:sync_notify(Pid, N), gen_event:call(Pid, One, ask)};
            1 -> gen_event:swap_handler(Pid, {One, swapping}, {Two, {A, self()}});
            2 -> gen_event:delete_handler(Pid, One, because);
            3 -> {gen_event:delete_handler(Pid, Two, x), gen_event:call(Pid, Two, ask), gen_event:which_handlers(Pid)};
            4 -> {gen_event:sync_notify(Pid, {swap, One, Two, A, self()}), gen_event:which_handlers(Pid)};
            5 -> {gen_event:sync_notify(Pid, remove), gen_event:which_handlers(Pid)};
            6 -> {gen_event:sync_notify(Pid, {crash, A}), gen_event:which_handlers(Pid)};
            7 -> {gen_event:call(Pid, One, {crash, A}), gen_event:which_handlers(Pid)};
            8 -> {gen_event:add_sup_handler(Pid, Two, {A, self()}), gen_event:sync_notify(Pid, {crash, A}), next()};
            9 -> {gen_event:swap_sup_handler(Pid, {One, x}, {Two, {A, self()}}), gen_event:delete_handler(Pid, Two, A), next()};
            10 -> Owner = spawn(fun() -> gen_event:add_sup_handler(Pid, Two, {A, none}), receive stop -> exit(A) end end),
                  wait_for(Pid, 3, 1000), Owner ! stop, wait_for(Pid, 2, 1000), gen_event:which_handlers(Pid);
            11 -> Pid ! A, gen_event:call(Pid, One, ask, 1000);
            12 -> {sys:get_state(Pid), sys:replace_state(Pid, fun({M, I, _}) -> {M, I, {replaced, N}} end), sys:get_state(Pid)}
        end,
    {Added, R, gen_event:stop(Pid), is_process_alive(Pid)};
do(start, A, N) ->
    Way = pick([{ack, {ok, A}}, {ack, ignore}, {error, A}, {exit, A}, {throw, A}, return, {exit, normal}, {late, 20}]),
    Start = pick([fun(M, F, Args) -> proc_lib:start(M, F, Args) end, fun(M, F, Args) -> proc_lib:start(M, F, Args, 10) end,
                  fun(M, F, Args) -> proc_lib:start_link(M, F, Args) end, fun(M, F, Args) -> proc_lib:start_link(M, F, Args, 10) end,
                  fun(M, F, Args) -> monitored(proc_lib:start_monitor(M, F, Args)) end,
                  fun(M, F, Args) -> monitored(proc_lib:start_monitor(M, F, Args, 10, [{priority, low}])) end,
                  fun(M, F, Args) -> proc_lib:start(M, F, Args, infinity, [link]) end]),
    Before = processes(),
    R = evaluate(fun() -> Start(?MODULE, starter, [Way, self(), N]) end),
    case Way of {ack, {ok, _}} -> ok; _ -> wait_for_end(Before, 1000) end,
    {Way, N, R};
do(initial_call, A, N) ->
    {ok, Server} = gen_server:start(?MODULE, A, []),
    {ok, Event} = gen_event:start(),
    Plain = proc_lib:spawn(fun() -> receive stop -> ok end end),
    Called = proc_lib:spawn(?MODULE, server, [N]),
    Raw = spawn(?MODULE, server, [N]),
    R = [{proc_lib:initial_call(P), proc_lib:translate_initial_call(P)} || P <- [Server, Event, Plain, Called, Raw, self()]],
    [exit(P, kill) || P <- [Server, Event, Plain, Called, Raw]],
    {R, proc_lib:translate_initial_call(Server)};
do(bridge, A, N) ->
    Started = supervisor_bridge:start_link(?MODULE, {bridge, pick([{ok, N}, ignore, {error, A}, crash]), self()}),
    case Started of
        {ok, Pid} ->
            Inner = next(),
            case N rem 2 of 0 -> exit(Inner, A); 1 -> exit(Pid, A) end,
            {Started, next(), next()};
        _ -> receive after 2 -> Started end
    end;
do(application, A, N) ->
    Name = diff_application,
    Spec = {application, Name, [{description, "for the test"}, {vsn, "1.2"}, {modules, [?MODULE]}, {registered, []}, {applications, [kernel, stdlib]},
                                {env, [{key, A}, {n, N}]}, {mod, {?MODULE, {pick([run, run, run, fail, crash, bad]), A}}}]},
    Loaded = [application:load(Spec), application:load(Spec)],
    application:set_env(Name, own, N),
    Started = application:start(Name, temporary),
    Again = application:start(Name),
    Running = [{App, V} || {App, _, V} <- application:which_applications(), App =:= Name],
    Group = case whereis(diff_application_sup) of
                undefined -> none;
                Pid -> {rpc:call(node(), erlang, is_process_alive, [Pid]), application:get_application(Pid)}
            end,
    Env = lists:sort(application:get_all_env(Name)),
    case N rem 4 of 0 when Group =/= none -> kill(diff_application_sup); _ -> ok end,
    Stopped = application:stop(Name),
    {Loaded, Started, Again, Running, Group, Env, Stopped, application:stop(Name), application:get_key(Name, vsn), application:unload(Name),
     application:unload(Name), application:get_all_key(Name)};
do(environment, A, N) ->
    [application:set_env(diff_env, K, V) || {K, V} <- [{a, A}, {n, N}]],
    R = [application:get_env(diff_env, a), application:get_env(diff_env, none), application:get_env(diff_env, none, A), application:get_env(a),
         application:unset_env(diff_env, a), lists:sort(application:get_all_env(diff_env)), evaluate(fun() -> application:set_env(A, b, c) end),
         application:set_env([{diff_env, [{x, N}]}]), application:get_env(diff_env, x), evaluate(fun() -> application:set_env([A]) end),
         application:get_application(lists), application:get_application(no_module), application:get_key(stdlib, vsn) =/= undefined,
         application:ensure_all_started(no_such_application), application:ensure_started(stdlib), application:ensure_all_started(stdlib)],
    [application:unset_env(diff_env, K) || K <- [a, n, x]],
    R;
do(code, A, N) ->
    case N rem 6 of
        0 -> {code:is_loaded(no_module), element(1, code:is_loaded(lists)), code:which(no_module), filename:basename(code:which(queue))};
        1 -> {code:ensure_loaded(queue), code:ensure_loaded(no_module), code:load_file(no_module), code:module_status(no_module)};
        2 -> {is_list(code:lib_dir(stdlib)), code:lib_dir(no_application), code:priv_dir(no_application), is_list(code:root_dir())};
        3 -> {lists:keymember(erlang, 1, code:all_loaded()), is_list(code:get_path())};
        4 -> {code:get_mode() =/= none, evaluate(fun() -> code:which(A) end), code:is_sticky(no_module), code:where_is_file("no_such_file")};
        5 -> {erlang:function_exported(?MODULE, main, 2), code:get_object_code(no_module), own_object_code(),
              element(1, code:get_object_code(lists)), code:add_path("no such folder"), code:add_patha(no_such_folder),
              code:add_pathz(hd(code:get_path())), code:add_patha(code:lib_dir(stdlib, ebin)), code:add_paths(["no such folder"]),
              code:add_pathsz([filename:join(code:lib_dir(stdlib), "ebin/../ebin/.")])}
    end;
do(supervisor, A, N) ->
    {ok, Pid} = supervisor:start_link(?MODULE, {supervisor, pick([one_for_one, simple_one_for_one, rest_for_one])}),
    Child = #{id => N, start => {gen_server, start_link, [?MODULE, A, []]}, restart => pick([permanent, temporary]), shutdown => pick([1000, brutal_kill])},
    R = [evaluate(fun() -> supervisor:start_child(Pid, S) end) || S <- [Child, Child, [], A, Child#{id => 2, start => A}, Child#{restart => A}, maps:remove(start, Child)]],
    More = [supervisor:count_children(Pid), supervisor:get_childspec(Pid, N), supervisor:restart_child(Pid, N), supervisor:terminate_child(Pid, N),
            supervisor:terminate_child(Pid, A), supervisor:restart_child(Pid, N), supervisor:delete_child(Pid, N), supervisor:check_childspecs([Child, A]),
            supervisor:count_children(Pid)],
    exit(Pid, shutdown),
    {R, More, next()}.

without_reductions(Stats) -> lists:keydelete(reductions, 1, Stats).

flush(A) -> receive A -> flush(A) after 5 -> done end.

kill(Name) ->
    Pid = whereis(Name),
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    down(Ref),
    %% The application is over once its controller has heard of it.
    receive after 5 -> ok end.

%% Until whoever was not there before is gone.
wait_for_end(_, 0) -> nothing;
wait_for_end(Before, Rounds) ->
    case processes() -- Before of
        [] -> receive after 2 -> ok end;
        _ -> receive after 1 -> wait_for_end(Before, Rounds - 1) end
    end.

wait_for(_, _, 0) -> nothing;
wait_for(Pid, Count, Rounds) ->
    case length(gen_event:which_handlers(Pid)) of
        Count -> ok;
        _ -> receive after 1 -> wait_for(Pid, Count, Rounds - 1) end
    end.

monitored({Result, Ref}) when is_reference(Ref) ->
    {Result, monitored, receive {'DOWN', Ref, _, _, Reason} -> Reason after 30 -> nothing end};
monitored(Other) -> Other.

server(N) -> receive {stop, N} -> ok end.

starter({ack, {ok, A}}, Parent, N) -> proc_lib:init_ack(Parent, {ok, A}), receive stop -> N end;
starter({ack, What}, _, _) -> proc_lib:init_ack(What);
starter({error, A}, _, _) -> error(A);
starter({exit, A}, _, _) -> exit(A);
starter({throw, A}, _, _) -> throw(A);
starter(return, _, _) -> ok;
starter({late, Time}, Parent, _) -> receive after Time -> proc_lib:init_ack(Parent, {ok, self()}) end.

log_event(_, _, _) -> ok.

%% An application.
start(normal, {run, _}) -> supervisor:start_link({local, diff_application_sup}, ?MODULE, {supervisor, one_for_one});
start(normal, {fail, A}) -> {error, A};
start(normal, {crash, A}) -> error(A);
start(normal, {bad, A}) -> A.
prep_stop(State) -> State.
stop(_) -> ok.
config_change(_, _, _) -> ok.
start_phase(_, _, _) -> ok.

%% A supervisor, a supervisor_bridge, a gen_server, a handler of gen_event.
init({supervisor, simple_one_for_one}) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 10}, [#{id => child, start => {gen_server, start_link, [?MODULE, x, []]}}]}};
init({supervisor, Strategy}) -> {ok, {#{strategy => Strategy, intensity => 10}, []}};
init({bridge, {ok, N}, Parent}) ->
    Pid = spawn_link(fun() -> receive stop -> ok end end),
    Parent ! Pid,
    {ok, Pid, {bridge, N, Parent}};
init({bridge, crash, _}) -> error(crash);
init({bridge, Other, _}) -> Other;
init({fail, A}) -> {error, A};
init({{A, Receiver}, Result}) -> {ok, {A, Receiver, Result}};
init({swap, A}) -> {ok, A};
init(State) -> {ok, State}.

handle_call(ask, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.  % of a gen_server; a handler of gen_event would have to return {ok, S}

handle_event({swap, _, Two, A, Pid}, S) -> {swap_handler, swapped, S, Two, {A, Pid}};
handle_event(remove, _) -> remove_handler;
handle_event({crash, A}, _) -> error(A);
handle_event(_, S) -> {ok, S}.

handle_call(ask, S) -> {ok, S, S};
handle_call({crash, A}, _) -> exit(A).

terminate(Reason, {bridge, N, Parent}) -> Parent ! {bridge_ends, Reason, N};
terminate(Reason, {_, Pid} = S) when is_pid(Pid) -> Pid ! {handler_ends, Reason}, S;
terminate(Reason, S) -> {ended, Reason, S}.

code_change(_, S, Extra) -> {ok, {S, Extra}}.

own_object_code() ->
    {?MODULE, Bytes, File} = code:get_object_code(?MODULE),
    {ok, {Module, _}} = beam_lib:md5(Bytes),
    {Module, filename:basename(File)}.
