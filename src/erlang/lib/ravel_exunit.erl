%% Runs the tests of an ExUnit case one by one, as the search needs them.
%%
%% What a case means is left to ExUnit: its modules list their tests and run their setups (__ex_unit__/0,2), and
%% ExUnit.OnExitHandler keeps what on_exit and start_supervised leave. What runs them is this module instead of
%% ExUnit.Runner and its servers, but the processes that a test can see are the same: one for setup_all, which lives as
%% long as the test, one for the test, and the one of on_exit callbacks.
%%
%% Nothing is caught: a test that fails takes its process with it, which ends the execution. So nothing runs after a
%% failure. There are no timeouts of tests: one that waits for ever is seen to do so.
-module(ravel_exunit).

-export([configure/0, environment/0, list/3, run/3, run_helper/0, attempt/3]).
-export([setup_all/3, test/3]). % spawned

%% Before any test: what test_helper.exs has configured, which was noted when it was compiled. An assert_receive
%% without a timeout of its own waits as long as it takes.
-spec configure() -> ok.
configure() ->
    _ = [application:set_env(ex_unit, Key, Value) || {Key, Value} <- configuration()],
    case application:get_env(ex_unit, assert_receive_timeout, usual_timeout()) =:= usual_timeout() of
        true -> application:set_env(ex_unit, assert_receive_timeout, infinity);
        false -> ok
    end.

%% What nobody has asked for: a system's package may have a number of its own.
usual_timeout() ->
    case code:where_is_file("ex_unit.app") of
        non_existing -> 100;
        File ->
            {ok, [{application, ex_unit, Properties}]} = file:consult(File),
            proplists:get_value(assert_receive_timeout, proplists:get_value(env, Properties, []), 100)
    end.

configuration() ->
    case code:ensure_loaded(ravel_exunit_configuration) of
        {module, Module} -> Module:list();
        _ -> []
    end.

%% What the project's configuration files say: [{Application, [{Key, Value}]}].
-spec environment() -> [{atom(), [{atom(), term()}]}].
environment() ->
    case code:ensure_loaded(ravel_exunit_configuration) of
        {module, Module} -> Module:environment();
        _ -> []
    end.

%% What stands in test_helper.exs besides modules: elixir_installation.cc has made a function of it.
-spec run_helper() -> ok.
run_helper() ->
    case code:ensure_loaded(ravel_exunit_helper) of
        {module, Module} -> Module:run(), ok;
        _ -> ok
    end.

%% An expression of test_helper.exs, which stands on these lines. It is left out if it cannot be run here, which was found
%% out when the system was started before (erlang_system.cc).
-spec attempt(non_neg_integer(), pos_integer(), fun(() -> term())) -> term().
attempt(First, Last, Expression) ->
    case [Line || Line <- left_out(), Line >= First, Line =< Last] of
        [] ->
            try Expression()
            catch Class:Reason:Trace ->
                io:format(standard_error, "test_helper.exs:~w fails: ~w ~tp~n~tp~n", [First, Class, Reason, Trace]),
                nil
            end;
        _ -> nil
    end.

left_out() ->
    case prim_file:read_file(filename:join(filename:dirname(code:which(ravel_exunit_helper)), "left_out_of_helper")) of
        {ok, Text} -> [binary_to_integer(Line) || Line <- binary:split(Text, <<"\n">>, [global, trim_all])];
        {error, _} -> []
    end.

%% Ends with the reason {ravel_exunit_list, [Name]}, in the order of the lines: of the whole case ('__ex_unit__') the tests that
%% ExUnit would run, else the named test, whatever its tags. In a case with parameters a test is there once for each of these.
-spec list(module(), atom(), []) -> no_return().
list(Module, Wanted, _) ->
    #{tests := Tests} = Module:'__ex_unit__'(),
    Sorted = lists:sort([{line(Tags), Name, Tags} || #{name := Name, tags := Tags} <- Tests]),
    All = [{with_parameters(Name, Parameters), Name, Tags} || Parameters <- parameters(Module), {_, Name, Tags} <- Sorted],
    Chosen = case Wanted of
                 '__ex_unit__' -> [Listed || {Listed, Name, Tags} <- All, is_chosen(tags(Module, Name, Tags), Tests)];
                 _ -> [Listed || {Listed, Name, _} <- All, Wanted =:= Name orelse Wanted =:= Listed]
             end,
    exit({ravel_exunit_list, Chosen}).

%% Since Elixir 1.18 ExUnit's runner adds async and the group, which no longer come with the test.
tags(Module, Name, Tags) -> maps:merge(added(Module), Tags#{test => Name, module => Module}).

added(Module) ->
    case configuration_of(Module) of
        #{async := Async, group := Group} -> #{async => Async, test_group => Group};
        _ -> #{async => false}
    end.

%% What `use ExUnit.Case` was given, since Elixir 1.18.
configuration_of(Module) ->
    case erlang:function_exported(Module, '__ex_unit__', 1) of
        true -> #{'async?' := Async} = Given = Module:'__ex_unit__'(config), Given#{async => Async};
        false -> #{}
    end.

%% With which maps each test of the case is run (`parameterize:`).
parameters(Module) ->
    case configuration_of(Module) of
        #{parameterize := [_ | _] = Parameters} -> Parameters;
        _ -> [#{}]
    end.

with_parameters(Name, Parameters) when Parameters =:= #{} -> Name;
with_parameters(Name, Parameters) ->
    Text = <<(atom_to_binary(Name))/binary, " ", ('Elixir.Kernel':inspect(Parameters))/binary>>,
    case string:length(Text) =< 255 of
        true -> binary_to_atom(Text);
        false -> binary_to_atom(iolist_to_binary([string:slice(Text, 0, 235), " ... ", integer_to_binary(erlang:phash2(Text)), "}"]))
    end.

%% The name, tags and parameters of a test that was listed.
find(Module, Listed) ->
    #{tests := Tests} = Module:'__ex_unit__'(),
    [Found | _] = [{Name, Tags, Parameters} || Parameters <- parameters(Module), #{name := Name, tags := Tags} <- Tests,
                                               with_parameters(Name, Parameters) =:= Listed],
    Found.

%% Of the whole case: since 1.18 with the tags that all its tests have.
case_context(Module) ->
    case Module:'__ex_unit__'() of
        #{tags := Tags} -> maps:merge(maps:with([async], added(Module)), Tags#{module => Module});
        _ -> #{module => Module, 'case' => Module}
    end.

line(#{line := Line}) -> Line;
line(_) -> 0.

is_chosen(Tags, Tests) ->
    Get = fun(Key) -> proplists:get_value(Key, configuration(), []) end,
    'Elixir.ExUnit.Filters':eval(Get(include), Get(exclude), Tags, Tests) =:= ok.

-spec run(module(), atom(), []) -> ok.
run(Module, Listed, _) ->
    {Name, Tags, Parameters} = find(Module, Listed),
    {Owner, OwnerRef} = spawn_monitor(?MODULE, setup_all, [self(), Module, Parameters]),
    Context = receive {Owner, Result} -> Result end,
    WithFolder = with_folder(Module, Name, Tags, Context),
    {Test, TestRef} = spawn_monitor(?MODULE, test, [Module, Name, maps:merge(tags(Module, Name, Tags), WithFolder)]),
    receive {'DOWN', TestRef, process, Test, _} -> ok end,
    run_on_exit(Test),
    Owner ! {self(), exit},
    receive {'DOWN', OwnerRef, process, Owner, _} -> ok end,
    run_on_exit(Owner).

%% What @tag :tmp_dir asks for, under the name that ExUnit gives it. It is there in this execution only.
with_folder(Module, Name, #{tmp_dir := true}, Context) -> with_folder(Module, Name, #{tmp_dir => <<>>}, Context);
with_folder(Module, Name, #{tmp_dir := Below}, Context) when is_binary(Below) ->
    CaseText = 'Elixir.Kernel':inspect(Module),
    TestText = atom_to_binary(Name),
    <<Hash:8/binary, _/binary>> = 'Elixir.Base':encode16(erlang:md5([CaseText, $/, TestText]), [{'case', lower}]),
    Parts = [<<"tmp">>, in_path(CaseText), <<(in_path(TestText))/binary, $-, Hash/binary>>, Below],
    Folder = 'Elixir.Path':expand('Elixir.Path':join(Parts)),
    'Elixir.File':'rm_rf!'(Folder),
    'Elixir.File':'mkdir_p!'(Folder),
    Context#{tmp_dir => Folder};
with_folder(_Module, _Name, #{tmp_dir := Other}, _Context) when Other =/= false ->
    error('Elixir.ArgumentError':exception(
        [{message, <<"expected :tmp_dir to be a boolean or a string, got: ", ('Elixir.Kernel':inspect(Other))/binary>>}]));
with_folder(_Module, _Name, _Tags, Context) -> Context.

in_path(Text) -> << <<(case lists:member(C, " [~#%&*{}\\:<>?/+|\"]") of true -> $-; false -> C end)>> || <<C>> <= Text >>.

setup_all(Runner, Module, Parameters) ->
    'Elixir.ExUnit.OnExitHandler':register(self()),
    Runner ! {self(), Module:'__ex_unit__'(setup_all, maps:merge(case_context(Module), Parameters))},
    receive {Runner, exit} -> ok end.

test(Module, Name, Context) ->
    'Elixir.ExUnit.OnExitHandler':register(self()),
    rand:seed(exsss, {erlang:phash2(Module), erlang:phash2(Name), 0}),
    Module:Name(Module:'__ex_unit__'(setup, with_pid(Module, Context))),
    exit(shutdown).

with_pid(Module, Context) ->
    case configuration_of(Module) of
        #{async := _} -> Context#{test_pid => self()};
        _ -> Context
    end.

run_on_exit(Pid) ->
    case 'Elixir.ExUnit.OnExitHandler':run(Pid, infinity) of
        ok -> ok;
        {{'EXIT', _}, Reason, _} -> exit(Reason);
        {Kind, Reason, Trace} -> erlang:raise(Kind, Reason, Trace)
    end.
