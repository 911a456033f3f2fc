%% Elixir's application `logger`, as it is here: what is logged goes through OTP's logger, in the process that logs.
%%
%% Elixir's own hands each event to a process, which prints it some time later, and looks at a counter now and then: every
%% execution would have some steps more for each event, and none would end. Without it the macros of Logger, its levels and
%% metadata are what they are; backends are refused, because the process Logger is (Machine::named_process).
-module(ravel_elixir_logger).
-behaviour(application).
-behaviour(supervisor).

-export([load/0]).
-export([start/2, stop/1]).  % application
-export([init/1]).  % supervisor
-export([configure/1, flush/0]).  % Elixir.Logger

%% Before anybody starts it.
-spec load() -> ok.
load() ->
    case ravel_code:locate('Elixir.Logger.App') of
        undefined -> ok;
        Beam ->
            File = filename:join(filename:dirname(unicode:characters_to_list(Beam)), "logger.app"),
            {ok, [{application, logger, Properties}]} = file:consult(File),
            application:load({application, logger, lists:keystore(mod, 1, Properties, {mod, {?MODULE, []}})})
    end.

%% As with Elixir's, all levels are logged from now on unless somebody has said otherwise. OTP's handler leaves out what
%% belongs to another domain.
start(_Type, []) ->
    #{level := Level} = logger:get_primary_config(),
    case application:get_env(logger, level) of
        {ok, Wanted} -> set_level(Wanted);
        undefined when Level =:= notice -> set_level(debug);
        undefined -> ok
    end,
    Filter = {fun logger_filters:domain/2, {log, super, [elixir]}},
    _ = logger:add_handler_filter(default, elixir, Filter),
    case supervisor:start_link(?MODULE, []) of
        {ok, Supervisor} -> {ok, Supervisor, Level}
    end.

stop(Level) ->
    _ = logger:remove_handler_filter(default, elixir),
    set_level(Level).

init([]) -> {ok, {#{}, []}}.

configure(Options) ->
    lists:foreach(fun({level, Level}) -> set_level(Level);
                     ({Key, Value}) -> application:set_env(logger, Key, Value)
                  end, Options).

flush() -> ok.

set_level(warn) -> set_level(warning);
set_level(Level) -> ok = logger:set_primary_config(level, Level).
