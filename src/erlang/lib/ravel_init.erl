%% The process S, registered as init: starts Erlang/OTP's own system before a test, then waits as init does.
%%
%% It does what OTP's boot script does for the applications kernel and stdlib, with OTP's own modules: logger_server,
%% application_controller, application masters and kernel's supervisor, whose children are chosen in ravel_kernel.
-module(ravel_init).

-export([boot/0, boot_with_elixir/0, boot_with_suites/0]).
-export([applications/0, note_otp_started/0, note_started/0, on_load_modules/0]).  % built-ins
-export([request/1]).  % init

boot() ->
    Kernel = start(),
    ok = note_otp_started(),
    run_on_load(),
    start_applications(),
    serve(Kernel).

%% ... with Elixir and ExUnit, as they are when a test runs.
boot_with_elixir() ->
    Kernel = start(),
    ok = ravel_elixir_logger:load(),
    {ok, _} = application:ensure_all_started(ex_unit),
    ok = ravel_exunit:configure(),
    ok = note_otp_started(),
    run_on_load(),
    start_applications(),
    ok = ravel_exunit:run_helper(),
    serve(Kernel).

%% ... with the folder that Common Test's suites may write to.
boot_with_suites() ->
    Kernel = start(),
    ok = note_otp_started(),
    run_on_load(),
    ok = ravel_ct:prepare(),
    start_applications(),
    serve(Kernel).

serve(Kernel) ->
    ok = note_started(),
    loop(Kernel).

%% Those of a mix project and what they depend on, with its configuration, as `mix test` does it.
start_applications() ->
    Applications = applications(),
    _ = [application:set_env(Application, Key, Value, [{persistent, true}])
         || {Application, Environment} <- environment(), {Key, Value} <- Environment],
    _ = [application:set_env(Application, Key, Value, [{persistent, true}])
         || Applications =/= [], {Application, Environment} <- ravel_exunit:environment(), {Key, Value} <- Environment],
    lists:foreach(fun(Application) ->
        case application:ensure_all_started(Application) of
            {ok, _} -> ok;
            {error, Reason} -> exit({application_not_started, Application, Reason})
        end
    end, Applications).

%% What files of configuration say that erl would get by -config.
environment() ->
    case code:ensure_loaded(ravel_ct_configuration) of
        {module, Module} -> Module:environment();
        _ -> []
    end.

-spec applications() -> [atom()].
applications() -> erlang:nif_error(undefined).

-spec note_otp_started() -> ok.
note_otp_started() -> erlang:nif_error(undefined).

-spec note_started() -> ok.
note_started() -> erlang:nif_error(undefined).

%% The on_load functions of the program's modules, each in a process of its own, as code_server does it.
run_on_load() ->
    lists:foreach(fun(Module) ->
        {_, Monitor} = spawn_monitor(fun() -> exit({on_load, Module:'$on_load'()}) end),
        receive
            {'DOWN', Monitor, process, _, {on_load, ok}} -> ok;
            {'DOWN', Monitor, process, _, {on_load, Returned}} -> error({on_load_function_failed, Module, Returned});
            {'DOWN', Monitor, process, _, Reason} -> error({on_load_function_failed, Module, Reason})
        end
    end, on_load_modules()).

-spec on_load_modules() -> [module()].
on_load_modules() -> erlang:nif_error(undefined).

start() ->
    %% Since OTP 27 erl_prim_loader looks there whether it asks a process or reads files itself: ravel_file does it.
    _ = [persistent_term:put(erl_prim_loader, inet) || erlang:function_exported(erl_prim_loader, read_file, 1)],
    register(init, self()),
    process_flag(trap_exit, true),
    {ok, Logger} = logger_server:start_link(),
    {ok, Controller} = application_controller:start(application(kernel)),
    link(Controller),
    ok = application:load(application(stdlib)),
    ok = application:start_boot(kernel, permanent),
    ok = application:start_boot(stdlib, permanent),
    spawn_link(ravel_io, serve, []),
    [{application_controller, Controller}, {logger, Logger}].

loop(Kernel) ->
    receive
        {stop, Reason} ->
            stop(Reason, Kernel);
        {'EXIT', Pid, Reason} ->
            case lists:keyfind(Pid, 2, Kernel) of
                {Name, Pid} ->
                    Text = io_lib:format("Kernel pid terminated (~w) (~p)", [Name, Reason]),
                    erlang:halt(lists:flatten(Text));
                false ->
                    loop(Kernel)
            end;
        {From, Request} ->
            answer(From, Request),
            loop(Kernel);
        Other ->
            unexpected(Other),
            loop(Kernel)
    end.

%% What module init asks is answered by the caller, but a program may also send the request itself.
answer(From, Request) ->
    try request(Request) of
        Reply -> catch From ! {init, Reply}
    catch
        error:function_clause -> unexpected({From, Request})
    end.

%% As in init: its name stands for a group leader, too.
unexpected(Message) when element(1, Message) =:= io_request -> user ! Message;
unexpected(Message) -> logger:info("init got unexpected: ~p", [Message], #{error_logger => #{tag => info_msg}}).

%% init:stop/0,1. As init does, the applications are shut down before the halt; restart and reboot would start over.
stop(restart, _Kernel) -> init:restart();
stop({restart, _Mode}, _Kernel) -> init:restart();
stop(reboot, _Kernel) -> init:reboot();
stop(Reason, Kernel) ->
    {_, Controller} = lists:keyfind(application_controller, 1, Kernel),
    exit(Controller, shutdown),
    receive {'EXIT', Controller, _} -> ok end,
    case Reason of
        {stop, Status} -> erlang:halt(Status);
        _ -> erlang:halt(0)
    end.

%% The parts of kernel.app and stdlib.app that have a meaning here.
application(Name) ->
    {application, Name, [{description, description(Name)}, {vsn, version(Name)}, {modules, modules(Name)} | details(Name)]}.

description(kernel) -> "ERTS  CXC 138 10";
description(stdlib) -> "ERTS  CXC 138 10".

details(kernel) ->
    [{registered, []}, {applications, []},
     {env, [{logger_level, notice}, {logger_sasl_compatible, false}, {net_tickintensity, 4}, {net_ticktime, 60},
            {prevent_overlapping_partitions, true}, {shell_docs_ansi, auto}]},
     {mod, {kernel, []}}];
details(stdlib) ->
    [{registered, []}, {applications, [kernel]}, {env, []}].

folder(Name) -> ravel_code:otp_dir(atom_to_list(Name)).

version(Name) ->
    {_, Version} = ravel_code:name_and_version(folder(Name)),
    Version.

modules(Name) ->
    {ok, Files} = prim_file:list_dir(filename:join(folder(Name), "ebin")),
    [list_to_atom(filename:rootname(File)) || File <- Files, filename:extension(File) =:= ".beam"].

%% What init would answer, by the caller: how the emulator was started never changes.
request(get_arguments) -> flags();
request(get_plain_arguments) -> [];
request({get_argument, Flag}) ->
    case lists:keyfind(Flag, 1, flags()) of
        {Flag, Values} -> {ok, [Values]};
        false -> error
    end;
request(script_id) -> {"Erlang/OTP", erlang:system_info(otp_release)};
request(get_status) -> {started, started};
request(get_script_name) -> {"", filename:join([unicode:characters_to_list(ravel_code:root()), "bin", "start"])};
request({get_configfd, _Descriptor}) -> none;
request({set_configfd, _Descriptor, _Config}) -> ok;
request(fetch_loaded) -> [{Module, preloaded} || Module <- erlang:pre_loaded()];
request({ensure_loaded, _Module}) -> not_allowed;
request({notify_when_started, _Pid}) -> started;
request({make_permanent, _Boot, _Config}) -> {error, enotsup};
request({set_script_name, _Name}) -> ok.

flags() ->
    Root = unicode:characters_to_list(ravel_code:root()),
    [{root, [Root]}, {bindir, [filename:join([Root, "erts-" ++ erlang:system_info(version), "bin"])]}, {progname, ["erl"]},
     {noshell, []}].
