%% rebar3 ravel: builds the project and what it depends on for its tests, and has Ravel check these.
-module(rebar3_ravel).

-export([init/1, do/1, format_error/1]).

-define(DESCRIPTION,
    "Checks the tests of this project under all schedules that matter. All arguments are those of "
    "`ravel check`, and `ravel check --help` explains them. Options for every call are in rebar.config: "
    "{ravel, [{executable, \"ravel\"}, {arguments, [\"--budget\", \"60s\"]}]}."
).

-spec init(rebar_state:t()) -> {ok, rebar_state:t()}.
init(State) ->
    Provider = providers:create([
        {name, ravel},
        {module, ?MODULE},
        {bare, true},
        {deps, [{default, compile}]},
        {profiles, [test]},
        {example, "rebar3 ravel -t my_server_tests --budget 60s"},
        {short_desc, "Finds concurrency bugs in the tests of the project."},
        {desc, ?DESCRIPTION},
        {opts, accepted(init:get_plain_arguments())}
    ]),
    {ok, rebar_state:add_provider(State, Provider)}.

%% rebar3 refuses options that a plugin has not declared. Those of Ravel are known to Ravel, which
%% refuses others itself: so all that the command line has are declared.
accepted(Arguments) ->
    lists:usort(lists:flatmap(fun flags/1, Arguments)).

flags("--" ++ [First | _] = Argument) when First =/= $= ->
    case string:split(string:slice(Argument, 2), "=") of
        [Long, _] -> [{list_to_atom(Long), undefined, Long, string, "an option of ravel check"}];
        [Long] -> [{list_to_atom(Long), undefined, Long, undefined, "an option of ravel check"}]
    end;
flags([$- | Letters]) ->
    [{list_to_atom([Letter]), Letter, undefined, undefined, "an option of ravel check"} || Letter <- Letters];
flags(_) ->
    [].

-spec do(rebar_state:t()) -> {ok, rebar_state:t()} | {error, {module(), term()}}.
do(State) ->
    Options = rebar_state:get(State, ravel, []),
    Arguments = proplists:get_value(arguments, Options, []) ++ rebar_state:command_args(State),
    Name = proplists:get_value(executable, Options, "ravel"),
    case os:find_executable(Name) of
        false -> {error, {?MODULE, {no_ravel, Name}}};
        Ravel -> run(Ravel, ["check" | Arguments], State)
    end.

%% The exit status of Ravel is that of rebar3, so that scripts can tell a bug (1) from a search that
%% was not complete (3).
run(Ravel, Arguments, State) ->
    %% Without its standard output: Ravel writes to the terminal, or the file, of rebar3 itself.
    Port = open_port(
        {spawn_executable, Ravel},
        [{args, Arguments}, {cd, rebar_state:dir(State)}, exit_status, nouse_stdio]
    ),
    receive
        {Port, {exit_status, 0}} -> {ok, State};
        {Port, {exit_status, Status}} -> halt(Status)
    end.

-spec format_error(term()) -> iolist().
format_error({no_ravel, Name}) ->
    io_lib:format(
        "ravel is not installed: there is no program ~ts in PATH. Install its package, or name it in "
        "rebar.config: {ravel, [{executable, \"/path/to/ravel\"}]}.",
        [Name]
    ).
