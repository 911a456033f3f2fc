%% Parts of OTP's logger that are one step here.
%%
%% logger_std_h, the module of the default handler, prints in the calling process: the device is the machine's, and
%% printing is no operation (ravel_io). So such a handler needs no process of its own, and no logger_olp that guards it.
%% One that writes to a file does that in the calling process, too: its file has what was logged at once, and who logs is
%% ordered with others by the operations on that file.
%% Looking up what is logged is local too: it happens together with the operation before it. A program that changes the
%% logger's configuration while others log sees all orders of these calls, but none within the look-up.
-module(ravel_logger).

-export([log/2, start/2, filesync/2, removing_handler/1]). % logger_h_common
-export([set_opts/2, cast/2]).                            % logger_olp
-export([allow/1, allow/2, exist/2, get/2, get/3]).       % logger_config
-export([lookup/2, get_term/2]).                          % built-ins: ets:lookup/2, persistent_term:get/2
-export([refuse_file/0]).
-export([init/1]).                                        % logger_sup
-export([start_proxy/0, proxy/1]).

-spec lookup(ets:table(), term()) -> [tuple()].
lookup(_Table, _Key) -> erlang:nif_error(undefined).

-spec get_term(term(), term()) -> term().
get_term(_Key, _Default) -> erlang:nif_error(undefined).

init([]) ->
    Watcher = #{id => logger_handler_watcher, start => {logger_handler_watcher, start_link, []}, shutdown => brutal_kill},
    Proxy = #{id => logger_proxy, start => {ravel_logger, start_proxy, []}, shutdown => brutal_kill},
    {ok, {#{strategy => one_for_one, intensity => 1, period => 5}, [Watcher, Proxy]}}.

%% logger_proxy, which logs what the emulator reports; there are no other nodes whose events it would hand on, and so few
%% that it needs no protection from overload.
start_proxy() -> proc_lib:start_link(?MODULE, proxy, [self()]).

proxy(Parent) ->
    register(logger_proxy, self()),
    proc_lib:init_ack(Parent, {ok, self()}),
    proxy_loop().

proxy_loop() ->
    receive
        {log, Level, Format, Arguments, Meta} ->
            _ = (catch logger:log(Level, Format, Arguments, Meta)),
            proxy_loop();
        _ ->
            proxy_loop()
    end.

%% ---- The handler

start(Options, #{module := logger_std_h, config := #{type := Type} = Own} = Config) ->
    case opened(Type, Own) of
        ok ->
            Merged = maps:merge(maps:merge(Own, logger_olp:get_default_opts()), Options),
            {ok, Config#{config => Merged#{olp => none}}};
        {error, Reason} ->
            {error, {open_failed, maps:get(file, Own), Reason}}
    end;
start(_Options, _Config) -> refuse_file().

opened(file, #{file := Name, modes := Modes}) ->
    case filelib:ensure_dir(Name) of
        ok ->
            case file:open(Name, Modes) of
                {ok, File} -> file:close(File);
                Error -> Error
            end;
        Error -> Error
    end;
opened(_Type, _Own) -> ok.

%% Ends the search: the handler would rename its files, or write to them what disk_log has made.
-spec refuse_file() -> no_return().
refuse_file() -> erlang:nif_error(undefined).

%% What was logged is in the file already.
filesync(Module, Name) when is_atom(Name) ->
    case logger:get_handler_config(Name) of
        {ok, #{module := Module}} -> ok;
        _ -> exit({noproc, {gen_server, call, [list_to_atom(lists:concat([Module, '_', Name])), filesync]}})
    end;
filesync(_Module, Name) -> {error, {badarg, {filesync, [Name]}}}.

removing_handler(_Config) -> ok.
set_opts(_Olp, _Options) -> ok.
cast(_Olp, _Message) -> ok.

log(Event, #{config := #{type := file, max_no_bytes := infinity, file := Name}} = Config) ->
    _ = file:write_file(Name, text(with_report_callback(Event), Config), [append, raw]),
    ok;
log(_Event, #{config := #{type := file}}) ->
    refuse_file();
log(Event, #{config := #{type := Type}} = Config) ->
    Text = text(with_report_callback(Event), Config),
    Device = case Type of
                 standard_io -> user;
                 standard_error -> standard_error;
                 {device, Other} -> Other
             end,
    _ = (catch io:put_chars(Device, Text)),
    ok.

with_report_callback(#{msg := {report, _}, meta := #{report_cb := _}} = Event) -> Event;
with_report_callback(#{msg := {report, _}, meta := Meta} = Event) ->
    Event#{meta => Meta#{report_cb => fun logger:format_otp_report/1}};
with_report_callback(Event) -> Event.

text(Event, Config) ->
    {Formatter, Options} = maps:get(formatter, Config, {logger_formatter, #{legacy_header => true, single_line => false}}),
    try unicode:characters_to_binary(format(Event, Formatter, Options)) of
        Text when is_binary(Text) -> Text;
        _ -> <<"FORMATTER ERROR: bad return value\n">>
    catch
        _:_ -> <<"FORMATTER ERROR: bad return value\n">>
    end.

format(Event, Formatter, Options) ->
    try
        Formatter:format(Event, Options)
    catch
        _:_ when Formatter =:= logger_formatter, Options =:= #{} -> "DEFAULT FORMATTER CRASHED\n";
        _:_ -> format(Event#{msg => {"FORMATTER CRASH: ~tp", [maps:get(msg, Event)]}}, logger_formatter, #{})
    end.

%% ---- The configuration, as logger_config keeps it: levels in persistent terms, the rest in the table `logger`

-define(CACHED, 16).  % a module's own level is stored with this added; what is not is a copy of the primary level
-define(ALL, 10).

allow(Level) -> number(Level) =< primary_level().

allow(Level, Module) ->
    Allowed = case get_term({logger_config, Module}, undefined) of
                  Own when is_integer(Own), Own > ?ALL -> Own - ?CACHED;
                  _ -> primary_level()
              end,
    number(Level) =< Allowed.

primary_level() -> get_term({logger_config, '$primary_config$'}, number(notice)).

exist(Table, What) -> lookup(Table, key(What)) =/= [].

get(Table, What) ->
    case lookup(Table, key(What)) of
        [{_, Config}] -> {ok, Config};
        [] -> {error, {not_found, What}}
    end.

get(Table, What, Level) ->
    case get_term({logger_config, key(What)}, undefined) of
        undefined -> {error, {not_found, What}};
        Allowed ->
            case number(Level) =< Allowed of
                true -> get(Table, What);
                false -> error
            end
    end.

key(proxy) -> '$proxy_config$';
key(primary) -> '$primary_config$';
key(Handler) -> {'$handler_config$', Handler}.

number(emergency) -> 0;
number(alert) -> 1;
number(critical) -> 2;
number(error) -> 3;
number(warning) -> 4;
number(notice) -> 5;
number(info) -> 6;
number(debug) -> 7.
