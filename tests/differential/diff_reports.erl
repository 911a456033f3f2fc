%% What handlers of logger see, and how logger_formatter writes it: events of the program's own, reports of crashes, of
%% supervisors and of the behaviours, error_logger's functions, filters and levels.
-module(diff_reports).
-export([main/0, main/2]).
-export([log/2, server/2, add_seven/2, reversed/1]).
-export([init/1, handle_event/2, handle_call/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2, terminate/3, callback_mode/0, state/3]).
-import(diff_support, [range/2, pick/1, term/1, evaluate/1, atom/0, string/0]).

main() -> main(1, 400).

main(Seed, Count) ->
    logger:remove_handler(default),
    process_flag(trap_exit, true),
    diff_support:run(Seed, Count, fun test/0).

test() ->
    A = term(1), N = range(0, 12), S = string(),
    Level = pick([debug, info, notice, warning, error, critical, alert, emergency]),
    Way = pick([own, own, own, format, format, format, format, server, server, server, event_handler, statem, process, process,
                supervisor, supervisor, supervisor, error_logger, error_logger, filters, filters, levels, metadata, configuration]),
    {{Way, Level, N}, fun() -> with_handler(fun() -> evaluate(fun() -> do(Way, Level, A, N, S) end) end) end}.

%% The result, then all that the handler has seen.
with_handler(Fun) ->
    logger:set_primary_config(level, all),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self(), level => all}),
    Result = Fun(),
    logger:remove_handler(?MODULE),
    logger:set_primary_config(level, none),
    {Result, seen()}.

seen() ->
    receive
        {event, #{level := Level, msg := Message, meta := Meta}} ->
            [{Level, sizes(Message), lists:sort(maps:to_list(maps:without([time, gl, error_logger, report_cb], Meta)))} | seen()];
        Other -> [Other | seen()]
    after 0 -> []
    end.

log(Event, #{config := Pid}) -> Pid ! {event, Event}.

%% How much memory a process has differs from machine to machine, and the time from run to run.
sizes([{Size, _} | Rest]) when Size =:= heap_size; Size =:= stack_size; Size =:= reductions -> [Size | sizes(Rest)];
sizes([Head | Tail]) -> [sizes(Head) | sizes(Tail)];
sizes(Tuple) when is_tuple(Tuple) -> list_to_tuple(sizes(tuple_to_list(Tuple)));
sizes(Map) when is_map(Map) -> maps:map(fun(_, Value) -> sizes(Value) end, maps:remove(time, Map));
sizes(Term) -> Term.

%% Pids and the like in texts, too.
plain(Text) ->
    lists:foldl(fun({Pattern, By}, T) -> re:replace(T, Pattern, By, [global, unicode, {return, list}]) end, Text,
                [{"<[PS0-9][.0-9]*>", "PID"}, {"#Ref<[^>]*>", "REF"}, {"#Fun<[^>]*>", "FUN"},
                 {"(heap_size|stack_size|reductions)(: |\\W*)[0-9]+", "\\1\\2N"}]).

do(own, Level, A, N, S) ->
    case N rem 8 of
        0 -> logger:log(Level, S);
        1 -> logger:log(Level, "~p and ~ts", [A, S]);
        2 -> logger:log(Level, #{what => A});
        3 -> logger:log(Level, [{what, A}, {n, N}], #{extra => A});
        4 -> logger:log(Level, fun(X) -> {"~p", [X]} end, A, #{});
        5 -> logger:log(Level, fun(X) -> #{X => A} end, key);
        6 -> logger:error("~p", [A], #{report_cb => fun(_) -> {"never", []} end, pid => not_a_pid});
        7 -> logger:notice(S, #{domain => [diff, reports], mfa => {m, f, N}})
    end;
do(format, Level, A, N, S) ->
    Message = pick([{string, S}, {"~p~n~ts", [A, S]}, {report, #{a => A, "text" => S}}, {report, [{a, A}, single]}, {"~p", []},
                    {report, #{label => {gen_server, terminate}, "a" => A}}]),
    Meta = maps:merge(#{time => 1600000000123456, pid => self(), gl => self()},
                      pick([#{}, #{mfa => {m, f, N}, file => "f.erl", line => N}, #{key => #{inner => A}},
                            #{report_cb => fun(R) -> {"cb ~p", [R]} end},
                            #{report_cb => fun(_, O) -> io_lib:format("~p", [lists:sort(maps:to_list(O))]) end},
                            #{report_cb => fun(_) -> error(A) end}, #{report_cb => fun(_) -> A end},
                            #{domain => [otp, sasl], error_logger => #{tag => error_report, type => supervisor_report}}])),
    Options = pick([#{}, #{single_line => false}, #{depth => 5}, #{max_size => 30}, #{chars_limit => 20}, #{legacy_header => true},
                    #{legacy_header => true, single_line => false},
                    #{template => [level, " ", {pid, ["at ", pid], []}, " ", {[key, inner], ["<", [key, inner], ">"], ["none"]}, " ", msg, "\n"]},
                    #{template => [time, " ", file, ":", line, " ", mfa, " ", {missing, ["never"], ["no"]}, msg]},
                    #{report_cb => fun(_) -> {"formatter's ~p", [A]} end}]),
    Time = pick([#{time_offset => "Z"}, #{time_offset => 3600000000}, #{time_offset => "-01:30", time_designator => $\s}]),
    Event = #{level => Level, msg => Message, meta => Meta},
    {plain(lists:flatten(logger_formatter:format(Event, maps:merge(Options, Time)))), logger_formatter:check_config(Options)};
do(server, _, A, N, _) ->
    {ok, Pid} = gen_server:start(?MODULE, {state, A}, []),
    Ref = monitor(process, Pid),
    Result = case N rem 6 of
                 0 -> gen_server:cast(Pid, {exit, A});
                 1 -> gen_server:cast(Pid, {error, A});
                 2 -> evaluate(fun() -> gen_server:call(Pid, {error, A}) end);
                 3 -> gen_server:cast(Pid, {stop, A});
                 4 -> gen_server:cast(Pid, {throw, A});
                 5 -> gen_server:call(Pid, {bad_return, {no, A}}, 1000)
             end,
    {Result, receive {'DOWN', Ref, _, _, Reason} -> Reason end, texts()};
do(event_handler, _, A, N, _) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, {?MODULE, N}, [A]),
    ok = gen_event:sync_notify(Pid, pick([{exit, A}, {error, A}, {bad_return, A}, remove])),
    {gen_event:which_handlers(Pid), gen_event:stop(Pid), texts()};
do(statem, _, A, _, _) ->
    {ok, Pid} = gen_statem:start(?MODULE, {statem, A}, []),
    Ref = monitor(process, Pid),
    gen_statem:cast(Pid, pick([{exit, A}, {error, A}, {stop, A}, {bad_return, A}])),
    {receive {'DOWN', Ref, _, _, Reason} -> Reason end, texts()};
do(process, _, A, N, _) ->
    Fun = fun() ->
                  put(dictionary, A),
                  self() ! {left, N},
                  case N rem 5 of 0 -> exit(A); 1 -> error(A); 2 -> throw(A); 3 -> exit({shutdown, A}); 4 -> exit(normal) end
          end,
    Start = pick([fun() -> proc_lib:spawn(Fun) end, fun() -> proc_lib:spawn_link(Fun) end,
                  fun() -> proc_lib:spawn(?MODULE, server, [Fun, A]) end]),
    Pid = Start(),
    Ref = monitor(process, Pid),
    {receive {'DOWN', Ref, _, _, Reason} -> {Reason =:= noproc orelse Reason, exits()} end, texts()};
do(supervisor, _, A, N, _) ->
    Restart = pick([permanent, transient, temporary]),
    Child = #{id => N, restart => Restart, shutdown => pick([100, brutal_kill]),
              start => {gen_server, start_link, [?MODULE, pick([{state, A}, {state, A}, {state, A}, {fail, A}, ignore]), []]}},
    {ok, Pid} = supervisor:start_link(?MODULE, {supervisor, pick([one_for_one, one_for_all, rest_for_one]), N rem 3}),
    Started = supervisor:start_child(Pid, Child),
    Ended = case Started of
                {ok, Server} when is_pid(Server) ->
                    Ref = monitor(process, Server),
                    gen_server:cast(Server, pick([{exit, A}, {stop, normal}, {stop, {shutdown, A}}, {stop, A}])),
                    receive {'DOWN', Ref, _, _, Reason} -> Reason end;
                _ -> none
            end,
    Left = evaluate(fun() -> [{Id, is_pid(P), Type} || {Id, P, Type, _} <- supervisor:which_children(Pid)] end),
    unlink(Pid),
    Down = monitor(process, Pid),
    exit(Pid, shutdown),
    receive {'DOWN', Down, _, _, Last} -> ok end,
    {Started, Ended, pick_left(Left), Last =:= noproc orelse Last, exits(), texts()};
do(error_logger, _, A, N, S) ->
    case N of
        0 -> error_logger:error_msg(S);
        1 -> error_logger:error_msg("~p~n", [A]);
        2 -> error_logger:format("~p~n", [A]);
        3 -> error_logger:error_report(A);
        4 -> error_logger:error_report(my_type, [{a, A}]);
        5 -> error_logger:warning_msg("~p", [A]);
        6 -> error_logger:warning_report([{a, A}, S]);
        7 -> error_logger:warning_report(my_type, A);
        8 -> error_logger:info_msg("~ts", [S]);
        9 -> error_logger:info_report(A);
        10 -> error_logger:info_report(my_type, [A]);
        11 -> {error_logger:warning_map(), error_logger:get_format_depth(), error_logger:limit_term(A)};
        12 -> error_logger:error_msg("~p ~p", [A])
    end;
do(filters, Level, A, N, _) ->
    Filter = pick([{fun logger_filters:domain/2, {pick([stop, log]), pick([sub, super, equal, not_equal, undefined]), [diff, reports]}},
                   {fun logger_filters:level/2, {pick([stop, log]), pick([eq, neq, gt, lt, gteq, lteq]), Level}},
                   {fun logger_filters:progress/2, stop}, {fun logger_filters:remote_gl/2, stop},
                   {fun(E, X) -> E#{msg := {string, X}} end, "changed"}, {fun(_, X) -> X end, pick([stop, ignore])},
                   {not_a_fun, A}]),
    Where = pick([fun(I, F) -> logger:add_primary_filter(I, F) end, fun(I, F) -> logger:add_handler_filter(?MODULE, I, F) end]),
    Added = Where(one, Filter),
    Again = Where(one, Filter),
    logger:set_handler_config(?MODULE, filter_default, pick([log, stop])),
    logger:log(warning, "one ~p", [N], #{domain => pick([[diff, reports], [diff, reports, sub], [diff], [other]])}),
    logger:log(Level, "two ~p", [N]),
    {Added, Again, logger:remove_primary_filter(one), logger:remove_handler_filter(?MODULE, one)};
do(levels, Level, A, N, _) ->
    Other = pick([all, none, debug, notice, error, wrong_level]),
    Set = pick([fun() -> logger:set_primary_config(level, Other) end, fun() -> logger:set_module_level(?MODULE, Other) end,
                fun() -> logger:set_handler_config(?MODULE, level, Other) end,
                fun() -> logger:set_application_level(no_such_application, Other) end]),
    Result = evaluate(Set),
    logger:log(Level, "~p", [A]),
    Got = {logger:get_module_level(), logger:allow(Level, ?MODULE), evaluate(fun() -> logger:compare_levels(Level, Other) end), N},
    {Result, Got, logger:unset_module_level(?MODULE), logger:set_primary_config(level, all)};
do(metadata, Level, A, N, _) ->
    logger:set_process_metadata(#{mine => A, n => 1}),
    logger:update_process_metadata(#{n => N}),
    logger:log(Level, "x", [], #{mine => other}),
    {logger:get_process_metadata(), evaluate(fun() -> logger:set_process_metadata(A) end), logger:unset_process_metadata(),
     logger:get_process_metadata()};
do(configuration, _, A, N, _) ->
    case N rem 7 of
        0 -> logger:get_primary_config();
        1 -> {ok, Config} = logger:get_handler_config(?MODULE), maps:without([config], Config);
        2 -> [maps:get(id, H) || H <- logger:get_handler_config()];
        3 -> {logger:add_handler(?MODULE, ?MODULE, #{}), logger:add_handler(second, no_such_module, #{}),
              logger:add_handler(third, ?MODULE, #{level => A}), logger:remove_handler(fourth)};
        4 -> {evaluate(fun() -> logger:update_handler_config(?MODULE, A) end), logger:update_handler_config(?MODULE, #{filter_default => stop}),
              logger:set_handler_config(nobody, level, info)};
        5 -> {evaluate(fun() -> logger:set_primary_config(A) end), logger:update_primary_config(#{metadata => #{all => N}}),
              logger:notice("x"), logger:set_primary_config(metadata, #{})};
        6 -> {logger:get_handler_ids(), logger:timestamp() > 0, logger:format_report(#{a => A})}
    end.

%% Formatted, as well as it was logged; the events stay for seen().
texts() ->
    Events = fun Events() -> receive {event, E} -> [E | Events()] after 0 -> [] end end(),
    [self() ! {event, E} || E <- Events],
    [plain(lists:flatten(logger_formatter:format(E#{meta := maps:with([pid, report_cb, error_logger], Meta)},
                                                 #{template => [level, ":", msg], single_line => N > 1, depth => 20})))
     || {N, #{meta := Meta} = E} <- lists:zip(lists:seq(1, length(Events)), Events)].

exits() -> receive {'EXIT', _, Reason} -> [Reason | exits()] after 0 -> [] end.

%% A supervisor that gives up may have done so before or after the question.
pick_left({exit, _, _}) -> gone;
pick_left(Children) -> Children.

server(Fun, _) -> Fun().
add_seven(A, B) -> {A, B, 7}.
reversed(L) -> lists:reverse(L).

%% A gen_server, a handler of gen_event, a gen_statem, a supervisor.
init({supervisor, Strategy, Intensity}) -> {ok, {#{strategy => Strategy, intensity => Intensity, period => 100}, []}};
init({statem, A}) -> {ok, state, A};
init({fail, A}) -> {stop, {fail, A}};
init(ignore) -> ignore;
init(State) -> {ok, State}.

callback_mode() -> state_functions.
state(_, {exit, A}, _) -> exit(A);
state(_, {error, A}, _) -> error({because, A});
state(_, {stop, A}, _) -> {stop, A};
state(_, {bad_return, A}, _) -> {no, A}.

handle_event({exit, A}, _) -> exit(A);
handle_event({error, A}, _) -> error(A);
handle_event({bad_return, A}, _) -> {bad, A};
handle_event(remove, _) -> remove_handler.

handle_call(_, S) -> {ok, ok, S}.

handle_call({error, A}, _, _) -> error(A);
handle_call({bad_return, A}, _, _) -> A.

handle_cast({exit, A}, _) -> exit(A);
handle_cast({error, A}, _) -> error({because, A});
handle_cast({throw, A}, _) -> throw(A);
handle_cast({stop, A}, S) -> {stop, A, S}.

handle_info(_, S) -> {noreply, S}.

terminate(_, _) -> ok.
terminate(_, _, _) -> ok.
