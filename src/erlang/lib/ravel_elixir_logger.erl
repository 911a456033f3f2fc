%% Elixir's application `logger`, as it is here: what is logged goes through OTP's logger, in the process that logs.
%%
%% Elixir's own hands each event to a process, which prints it some time later, and looks at a counter now and then: every
%% execution would have some steps more for each event, and none would end. Without it the macros of Logger, its levels and
%% metadata are what they are, and ExUnit.CaptureLog captures with a log handler; other backends are refused, because the
%% process Logger is (Registry::named_process).
-module(ravel_elixir_logger).
-behaviour(application).
-behaviour(supervisor).

-export([load/0]).
-export([start/2, stop/1]).  % application
-export([init/1]).  % supervisor
-export([configure/1, flush/0]).  % Elixir.Logger
-export([add_capture/2, remove_capture/1]).  % Elixir.ExUnit.CaptureLog
-export([log_capture_on/1, log_capture_off/1]).  % Elixir.ExUnit.CaptureServer
-export([log/2, leave_out_sasl/2]).  % logger

%% Before anybody starts it.
%%
%% Since Elixir 1.15 it has no such process any more, but handlers and filters of OTP's logger: then it is Elixir's own.
-spec load() -> ok.
load() ->
    HasOwnProcess = ravel_code:locate('Elixir.Logger.Handler') =/= undefined,
    case ravel_code:locate('Elixir.Logger.App') of
        Beam when Beam =:= undefined; not HasOwnProcess -> ok;
        Beam ->
            File = filename:join(filename:dirname(unicode:characters_to_list(Beam)), "logger.app"),
            {ok, [{application, logger, Properties}]} = file:consult(File),
            application:load({application, logger, lists:keystore(mod, 1, Properties, {mod, {?MODULE, []}})})
    end.

%% As with Elixir's, all levels are logged from now on unless somebody has said otherwise. OTP's handler leaves out what
%% belongs to another domain, and reports of processes and supervisors that Elixir's would leave out.
start(_Type, []) ->
    #{level := Level} = logger:get_primary_config(),
    case application:get_env(logger, level) of
        {ok, Wanted} -> set_level(Wanted);
        undefined when Level =:= notice -> set_level(debug);
        undefined -> ok
    end,
    Filter = {fun logger_filters:domain/2, {log, super, [elixir]}},
    _ = logger:add_handler_filter(default, elixir, Filter),
    _ = [logger:add_handler_filter(default, elixir_sasl, {fun ?MODULE:leave_out_sasl/2, []}) || leaves_out_sasl()],
    case supervisor:start_link(?MODULE, []) of
        {ok, Supervisor} -> {ok, Supervisor, Level}
    end.

stop(Level) ->
    _ = logger:remove_handler_filter(default, elixir),
    _ = logger:remove_handler_filter(default, elixir_sasl),
    set_level(Level).

leaves_out_sasl() -> application:get_env(logger, handle_sasl_reports, false) =:= false.

leave_out_sasl(#{meta := Meta}, []) ->
    case is_sasl_report(Meta) of
        true -> stop;
        false -> ignore
    end.

init([]) -> {ok, {#{}, []}}.

configure(Options) ->
    lists:foreach(fun({level, Level}) -> set_level(Level);
                     ({Key, Value}) -> application:set_env(logger, Key, Value)
                  end, Options).

flush() -> ok.

set_level(warn) -> set_level(warning);
set_level(Level) -> ok = logger:set_primary_config(level, Level).

%% What is logged goes to the device, too, a process that keeps text.
add_capture(Device, Options) ->
    Level = case proplists:get_value(level, Options) of
                nil -> all;
                warn -> warning;
                Wanted -> Wanted
            end,
    logger:add_handler(capture(Device), ?MODULE, #{level => Level, config => #{device => Device, options => Options}}).

remove_capture(Device) -> logger:remove_handler(capture(Device)).

capture(Device) -> list_to_atom("capture_log of " ++ pid_to_list(Device)).

%% Meanwhile ExUnit keeps the log from the screen; here what is printed belongs to the execution.
log_capture_on(_Process) -> make_ref().

%% Since 1.15 the log is captured by log_capture_on/3, which is ExUnit's own, and so is the end of it.
log_capture_off(Reference) ->
    case erlang:function_exported('Elixir.ExUnit.CaptureServer', log_capture_on, 3) of
        true -> 'Elixir.GenServer':call('Elixir.ExUnit.CaptureServer', {log_capture_off, Reference}, infinity);
        false -> ok
    end.

%% As the backend Console formats it.
log(#{level := Level, meta := Meta} = Event, #{config := #{device := Device, options := Options}}) ->
    case text(Event) of
        skip -> ok;
        Text ->
            Pattern = 'Elixir.Logger.Formatter':compile(proplists:get_value(format, Options, nil)),
            Time = 'Elixir.Logger.Utils':timestamp(maps:get(time, Meta), true),
            Shown = case proplists:get_value(metadata, Options, []) of
                        all -> maps:to_list(Meta);
                        Keys -> [{Key, maps:get(Key, Meta)} || Key <- Keys, is_map_key(Key, Meta)]
                    end,
            io:put_chars(Device, 'Elixir.Logger.Formatter':format(Pattern, Level, Text, Time, Shown))
    end.

%% As Elixir's handler makes text of an event, or leaves it out.
text(#{msg := {string, Text}}) -> Text;
text(#{msg := Message, meta := Meta}) ->
    case is_sasl_report(Meta) andalso leaves_out_sasl() of
        true -> skip;
        false -> translated(Message, Meta)
    end.

is_sasl_report(#{domain := [otp, sasl | _]}) -> true;
is_sasl_report(#{domain := [supervisor_report | _]}) -> true;
is_sasl_report(_) -> false.

translated(Message, Meta) ->
    {Kind, Data} =
        case Message of
            {report, #{label := Label, report := Report} = Both} when map_size(Both) =:= 2 -> {report, {Label, Report}};
            {report, #{label := {error_logger, _}, format := Format, args := Arguments}} -> {format, {Format, Arguments}};
            {report, Report} -> {report, {logger, Report}};
            _ -> {format, Message}
        end,
    #{level := Primary} = logger:get_primary_config(),
    Level = case Primary of all -> debug; warning -> warn; _ -> Primary end,
    case translate(application:get_env(logger, translators, []), Level, Kind, Data) of
        none -> untranslated(Message, Meta);
        Text -> Text
    end.

translate([{Module, Function} | Others], Level, Kind, Data) ->
    case Module:Function(Level, error, Kind, Data) of
        {ok, Text, _} -> Text;
        {ok, Text} -> Text;
        skip -> skip;
        none -> translate(Others, Level, Kind, Data)
    end;
translate([], _Level, _Kind, _Data) -> none.

untranslated({report, Report}, #{report_cb := Callback} = Meta) when is_function(Callback, 1) ->
    untranslated(Callback(Report), Meta);
untranslated({report, Report}, #{report_cb := Callback}) when is_function(Callback, 2) ->
    Callback(Report, #{depth => unlimited, chars_limit => unlimited, single_line => false});
untranslated({report, Report}, _Meta) ->
    Options = application:get_env(logger, translator_inspect_opts, []),
    'Elixir.Kernel':inspect(if is_map(Report) -> maps:to_list(Report); true -> Report end, Options);
untranslated({Format, Arguments}, _Meta) ->
    io_lib:build_text('Elixir.Logger.Utils':scan_inspect(Format, Arguments, infinity)).
