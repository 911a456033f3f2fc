%% Runs the test cases of a Common Test suite one by one, as the search needs them.
%%
%% What a suite means is left to Common Test itself: ct_framework and ct_groups read all/0 and groups/0, and before and
%% after each function ct_framework merges its info, its saved configuration and its hooks, on data that
%% ravel_ct_server keeps in the dictionary of the process instead of in ct_util_server. What runs the functions is this
%% module instead of test_server, but the processes that a suite can see are the same: one for init_per_suite, one for
%% each init_per_group, one for a test case with its init_per_testcase and end_per_testcase, and so on. Each ends when
%% its function has returned, and takes with it what is linked to it.
%%
%% A test case that fails takes its process with it, which ends the execution: so nothing runs after a failure, and
%% tc_status is `ok` or `skipped`. As in Common Test, the result of a test case is not changed by an end_per_* that
%% fails, which is only printed.
-module(ravel_ct).

-export([list/3, run/3, prepare/0]).
-export([task/2]). % spawned

-type item() :: {test | unit | skipped, binary(), binary()}.

-record(group, {name, properties, init, items, 'end', path}).
-record(testcase, {name, module, function}).

%% The folder for a suite's own files, which is there in each execution and not on the host. While the system starts.
-spec prepare() -> ok.
prepare() ->
    filelib:ensure_dir(filename:join(priv_dir(), "x")).

priv_dir() ->
    {ok, Folder} = file:get_cwd(),
    filename:join(Folder, "ct_priv_dir").

%% ---- Listing

%% Ends with the reason {ravel_ct_list, Items}: the test cases at or below a name, in order. A `unit` is a group whose
%% cases run in parallel, with all of them.
-spec list(module(), atom(), []) -> no_return().
list(Suite, Name, _) ->
    start_state(Suite, self()),
    Items =
        case tree(Suite) of
            {skip, Reason} -> [{skipped, <<>>, text(Reason)}];
            {error, _} -> [{test, <<>>, <<"the suite cannot be read">>}];
            Tree when Name =:= all -> items(Tree);
            Tree ->
                case find(Tree, atom_to_binary(Name)) of
                    {#testcase{}, _} -> [{test, atom_to_binary(Name), <<>>}];
                    {#group{items = Below} = Group, _} -> unit(Group) ++ items(Below);
                    none -> no_such_test
                end
        end,
    exit({ravel_ct_list, Items}).

-spec items([#group{} | #testcase{}]) -> [item()].
items(Items) -> lists:flatmap(fun item/1, Items).

item(#testcase{name = Name}) -> [{test, Name, <<>>}];
item(#group{items = Items} = Group) -> items(Items) ++ unit(Group).

unit(#group{properties = Properties, items = Items, path = Path}) ->
    case is_parallel(Properties) andalso length([1 || #testcase{} <- Items]) of
        Count when is_integer(Count), Count > 1 ->
            [{unit, Path, iolist_to_binary(io_lib:format("its ~w cases at the same time", [Count]))}];
        _ -> []
    end.

text(Reason) ->
    case io_lib:printable_unicode_list(Reason) of
        true -> unicode:characters_to_binary(Reason);
        false -> unicode:characters_to_binary(io_lib:format("~0tp", [Reason]))
    end.

%% ---- The suite as a tree

tree(Suite) ->
    case ct_framework:get_suite(Suite, all) of
        {skip, _} = Skip -> Skip;
        [{ct_framework, error_in_suite, [[{error, Reason}]]}] -> {error, Reason};
        [{ct_framework, error_in_suite, [[Reason]]}] -> {error, Reason};
        Tests -> without_copies(branch(lists:flatten(Tests), Suite, <<>>))
    end.

branch(Tests, Suite, Above) -> [node(Test, Suite, Above) || Test <- Tests].

node({conf, Properties, Init, Tests, End}, Suite, Above) ->
    Name = proplists:get_value(name, Properties),
    Path = joined(Above, atom_to_binary(Name)),
    Module = proplists:get_value(suite, Properties, Suite),
    #group{name = Name, properties = Properties, init = Init, 'end' = End, path = Path,
           items = without_copies(branch(lists:flatten(Tests), Module, Path))};
node({repeat, Test, _}, Suite, Above) -> node(Test, Suite, Above);
node({Suite, Function}, Suite, Above) -> node(Function, Suite, Above);
node({Module, Function}, _Suite, Above) ->
    Name = <<(atom_to_binary(Module))/binary, $:, (atom_to_binary(Function))/binary>>,
    #testcase{name = joined(Above, Name), module = Module, function = Function};
node(Function, Suite, Above) when is_atom(Function) ->
    #testcase{name = joined(Above, atom_to_binary(Function)), module = Suite, function = Function}.

joined(<<>>, Name) -> Name;
joined(Above, Name) -> <<Above/binary, $/, Name/binary>>.

%% A test case, or a group, that is listed several times is one test.
without_copies(Items) ->
    lists:foldl(fun(Item, Kept) ->
        case lists:any(fun(Other) -> name(Other) =:= name(Item) end, Kept) of
            true -> Kept;
            false -> Kept ++ [Item]
        end
    end, [], Items).

name(#testcase{name = Name}) -> Name;
name(#group{path = Path}) -> Path.

%% What has this name, with the groups around it, the outermost one first.
find(Items, Name) -> find(Items, Name, []).

find([Item | Items], Name, Above) ->
    case name(Item) =:= Name of
        true -> {Item, lists:reverse(Above)};
        false ->
            Below = case Item of
                        #group{items = Inner} -> find(Inner, Name, [Item | Above]);
                        #testcase{} -> none
                    end,
            case Below of
                none -> find(Items, Name, Above);
                Found -> Found
            end
    end;
find([], _Name, _Above) -> none.

%% ---- Running

%% Runs a test case, or a group with all that is in it (the suite is the group `all`), from init_per_suite to
%% end_per_suite.
-spec run(module(), atom(), []) -> ok.
run(Suite, Name, _) ->
    start_state(Suite, self()),
    run_named(Suite, Name),
    case ravel_ct_server:skip_reason() of
        undefined -> ok;
        Reason -> exit({ravel_ct_skipped, text(Reason)})
    end.

run_named(Suite, Name) ->
    case tree(Suite) of
        {skip, Reason} -> skipped(Reason);
        {error, Reason} -> erlang:error({ravel_ct, error_in_suite, Reason});
        Tree when Name =:= all -> in_suite(Suite, fun(Config) -> run_items(Tree, Config, [[]], inorder) end);
        Tree ->
            case find(Tree, atom_to_binary(Name)) of
                none -> erlang:error({ravel_ct, no_such_test, Name});
                {Item, Groups} -> in_suite(Suite, fun(Config) -> in_groups(Groups, Item, Config, [[]]) end)
            end
    end.

start_state(Suite, Runner) ->
    ravel_ct_server:start(Suite, Runner),
    case ct_hooks:init([{enable_builtin_hooks, false}, {ct_hooks, ravel_ct_server:hooks()}]) of
        {fail, Reason} -> erlang:error({ravel_ct, hooks, Reason});
        _ -> ok
    end.

in_suite(Suite, Body) ->
    {Init, End} =
        case erlang:function_exported(Suite, init_per_suite, 1) orelse erlang:function_exported(Suite, end_per_suite, 1) of
            true -> {{Suite, init_per_suite}, {Suite, end_per_suite}};
            false -> {{ct_framework, init_per_suite}, {ct_framework, end_per_suite}}
        end,
    Given = folders(Suite) ++ [{tc_group_path, []}, {tc_group_properties, []}],
    case configure(Suite, Init, [], Given) of
        {ok, Config} ->
            Body(Config),
            clean_up(Suite, End, [], folders(Suite) ++ [{tc_group_properties, []} | without(Config, [tc_group_properties])]);
        {skip, Reason} -> skipped(Reason)
    end.

%% `Path` has the properties of the groups around, the innermost one first; the last is that of the suite.
in_groups([], #testcase{} = Test, Config, [Properties | _]) -> run_case(Test, Config, Properties);
in_groups([], #group{} = Group, Config, Path) -> run_group(Group, Config, Path);
in_groups([Group | Groups], Item, Config, Path) ->
    in_group(Group, Config, Path, fun(Inner, Below) -> in_groups(Groups, Item, Inner, Below) end).

run_group(#group{items = Items, properties = Properties} = Group, Config, Path) ->
    Order = case is_parallel(Properties) of true -> parallel; false -> inorder end,
    in_group(Group, Config, Path, fun(Inner, Below) -> run_items(Items, Inner, Below, Order) end).

in_group(#group{properties = Properties, init = {Module, _} = Init, name = Name, 'end' = End}, Config, Path, Body) ->
    Suite = suite(Module, Properties),
    Around = [Above || Above <- Path, Above =/= []],
    Given = folders(Suite) ++ [{tc_group_path, Around}, {tc_group_properties, Properties} |
                               without(Config, [tc_group_path, tc_group_properties, data_dir, priv_dir])],
    case configure(Suite, Init, [Name], Given) of
        {ok, Inner} ->
            Body(Inner, [Properties | Path]),
            clean_up(Suite, End, [Name], [{tc_group_result, [{ok, []}, {skipped, []}, {failed, []}]} | Inner]);
        {skip, Reason} -> skipped(Reason)
    end.

suite(ct_framework, Properties) -> proplists:get_value(suite, Properties);
suite(Module, _Properties) -> Module.

is_parallel(Properties) -> proplists:is_defined(parallel, Properties).

run_items(Items, Config, [Properties | _] = Path, inorder) ->
    lists:foreach(fun(#testcase{} = Test) -> run_case(Test, Config, Properties);
                     (#group{} = Group) -> run_group(Group, Config, Path)
                  end, Items);
run_items(Items, Config, [Properties | _] = Path, parallel) ->
    Running = lists:flatmap(fun(#testcase{} = Test) -> [start(case_function(Test, Config, Properties))];
                               (#group{} = Group) -> run_group(Group, Config, Path), []
                            end, Items),
    _ = [await(Task) || Task <- Running],
    ok.

folders(Suite) ->
    [{priv_dir, priv_dir() ++ "/"}, {data_dir, filename:join(filename:dirname(code:which(Suite)), atom_to_list(Suite) ++ "_data") ++ "/"}].

without(Config, Keys) -> [Pair || Pair <- Config, not lists:member(element(1, Pair), Keys)].

%% A test in which something was skipped ends with a reason that says so, which is no failure (common_test_suite.h).
-spec skipped(term()) -> ok.
skipped(Reason) ->
    ravel_ct_server:note_skip(Reason).

%% ---- Functions of configuration

configure(Suite, {Module, Function}, Names, Given) ->
    perform(fun() -> configure_here(Suite, Module, Function, Names, Given) end).

configure_here(Suite, Module, Function, Names, Given) ->
    case ct_framework:init_tc(Suite, Function, [Given]) of
        {ok, [Config]} ->
            Returned = catching_skips(fun() -> apply(Module, Function, Names ++ [Config]) end),
            case finish(Suite, Function, Config, Returned) of
                {Skip, Reason} when Skip =:= skip; Skip =:= skipped; Skip =:= auto_skip -> {skip, Reason};
                {Fail, Reason} when Fail =:= fail; Fail =:= failed; Fail =:= 'EXIT' -> failed(Function, Reason);
                New when is_list(New) ->
                    case Function =:= init_per_suite andalso [Bad || Bad <- New, not is_pair(Bad)] of
                        [_ | _] = Bad -> failed(Function, {bad_elements_in_config, Bad});
                        _ -> {ok, New}
                    end;
                Other when Function =:= init_per_suite -> failed(Function, {bad_return_value, Other});
                _ -> {ok, Config}
            end;
        Refusal -> refused(Function, Refusal)
    end.

is_pair({_, _}) -> true;
is_pair(_) -> false.

finish(Suite, Function, Config, {skip_and_save, Reason, Saved}) ->
    finish(Suite, Function, [{save_config, Saved} | Config], {skip, Reason});
finish(Suite, Function, Config, {skipped, Reason}) ->
    finish(Suite, Function, Config, {skip, Reason});
finish(Suite, Function, Config, {skip, _} = Skip) ->
    changed(ct_framework:end_tc(Suite, Function, {Skip, [Config]}, Skip), Skip);
finish(Suite, Function, Config, Returned) ->
    changed(ct_framework:end_tc(Suite, Function, {ok, [Config]}, Returned), Returned).

%% What hooks make of what was returned.
changed(ok, Returned) -> Returned;
changed(New, _Returned) -> New.

clean_up(Suite, {Module, Function}, Names, Given) ->
    perform(fun() -> clean_up_here(Suite, Module, Function, Names, Given) end).

clean_up_here(Suite, Module, Function, Names, Given) ->
    case ct_framework:init_tc(Suite, Function, [Given]) of
        {ok, [Config]} ->
            Returned = warning(Function, fun() -> apply(Module, Function, Names ++ [Config]) end),
            Saved = case Returned of
                        {save_config, Pairs} -> [{save_config, Pairs} | Config];
                        _ -> Config
                    end,
            _ = ct_framework:end_tc(Suite, Function, {ok, [Saved]}, Returned),
            ok;
        _ -> ok
    end.

%% What Common Test tells of a function of clean-up that fails, and does not count.
warning(Function, Body) ->
    try catching_skips(Body)
    catch
        Class:Reason:Trace ->
            io:format("WARNING: ~w failed (~w: ~tp)~n~tp~n", [Function, Class, Reason, Trace]),
            ok
    end.

catching_skips(Body) ->
    try Body()
    catch
        throw:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
        exit:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason}
    end.

refused(_Function, {Skip, Reason}) when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
refused(_Function, {auto_skip, {testcase0_failed, _} = Reason}) -> failed(info, Reason);
refused(_Function, {auto_skip, {group0_failed, _} = Reason}) -> failed(info, Reason);
refused(_Function, {auto_skip, Reason}) -> {skip, Reason};
refused(Function, {_, Reason}) -> failed(Function, Reason).

-spec failed(atom(), term()) -> no_return().
failed(Function, Reason) -> erlang:error({ravel_ct, Function, Reason}).

%% ---- Test cases

run_case(Test, Config, Properties) ->
    case await(start(case_function(Test, Config, Properties))) of
        {skip, Reason} -> skipped(Reason);
        ok -> ok
    end.

case_function(#testcase{module = Module, function = Function}, Config, _Properties) ->
    fun() -> case_here(Module, Function, Config) end.

case_here(Module, Function, Given) ->
    case ct_framework:init_tc(Module, {init_per_testcase, Function}, [Given]) of
        {ok, [Config]} ->
            case init_per_testcase(Module, Function, Config) of
                {ok, New} ->
                    case changed(ct_framework:end_tc(Module, {init_per_testcase, Function}, {ok, [New]}, New), New) of
                        Ready when is_list(Ready) -> test_here(Module, Function, Ready);
                        Refusal -> refused(init_per_testcase, Refusal)
                    end;
                {skip, Reason} ->
                    _ = ct_framework:end_tc(Module, {init_per_testcase, Function},
                                            {{skip, Reason}, [[{tc_status, {skipped, Reason}} | Config]]}, {skip, Reason}),
                    {skip, Reason}
            end;
        Refusal -> refused(Function, Refusal)
    end.

init_per_testcase(Module, Function, Config) ->
    case erlang:function_exported(Module, init_per_testcase, 2) of
        false -> {ok, Config};
        true ->
            case catching_skips(fun() -> Module:init_per_testcase(Function, Config) end) of
                {Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
                {skip_and_save, Reason, _} -> {skip, Reason};
                {fail, Reason} -> failed(init_per_testcase, Reason);
                New when is_list(New) -> {ok, New};
                Other -> failed(init_per_testcase, {bad_return_value, Other})
            end
    end.

test_here(Module, Function, Config) ->
    Returned =
        case catching_skips(fun() -> Module:Function(Config) end) of
            {skipped, Skip} -> {skip, Skip};
            {Fail, Why} when Fail =:= fail; Fail =:= failed; Fail =:= 'EXIT' -> failed(Function, Why);
            Other -> Other
        end,
    {Status, Result, More} =
        case Returned of
            {skip, Reason} -> {{skipped, Reason}, {skip, Reason}, []};
            {skip_and_save, Reason, Pairs} -> {{skipped, Reason}, {skip, Reason}, [{save_config, Pairs}]};
            {save_config, Pairs} -> {ok, ok, [{save_config, Pairs}]};
            _ -> {ok, ok, []}
        end,
    Ending = [{tc_status, Status} | More ++ Config],
    After = case ct_framework:init_tc(Module, {end_per_testcase, Function}, [Ending]) of
                {ok, [Hooked]} when is_list(Hooked) -> Hooked;
                _ -> Ending
            end,
    Saved =
        case end_per_testcase(Module, Function, After) of
            {save_config, Kept} -> [{save_config, Kept} | lists:keydelete(save_config, 1, After)];
            {fail, Problem} -> failed(end_per_testcase, Problem);
            _ -> After
        end,
    case changed(ct_framework:end_tc(Module, {end_per_testcase, Function}, {Result, [Saved]}, Returned), Result) of
        {Skip1, Reason1} when Skip1 =:= skip; Skip1 =:= skipped -> {skip, Reason1};
        {Fail1, Reason1} when Fail1 =:= fail; Fail1 =:= failed -> failed(Function, Reason1);
        _ -> ok
    end.

end_per_testcase(Module, Function, Config) ->
    case erlang:function_exported(Module, end_per_testcase, 2) of
        true -> warning(end_per_testcase, fun() -> Module:end_per_testcase(Function, Config) end);
        false -> ok
    end.

%% ---- Processes

perform(Body) -> await(start(Body)).

%% What a function is to know besides its configuration goes into the dictionary of its process, and comes back.
start(Body) -> erlang:spawn_monitor(?MODULE, task, [Body, ravel_ct_server:state()]).

task(Body, State) ->
    ravel_ct_server:put_state(State),
    Value = Body(),
    exit({ravel_ct, Value, ravel_ct_server:changes(State)}).

await({Process, Monitor}) -> await(Process, Monitor, infinity).

%% A timetrap is the time for which the runner waits.
await(Process, Monitor, Milliseconds) ->
    receive
        {'DOWN', Monitor, process, Process, {ravel_ct, Value, Changes}} ->
            ravel_ct_server:change(Changes),
            Value;
        {'DOWN', Monitor, process, Process, Reason} ->
            exit(Reason);
        {ravel_ct_timetrap, Process, New} ->
            await(Process, Monitor, New)
    after Milliseconds ->
        exit(Process, case process_info(Process, trap_exit) of
                          {trap_exit, true} -> kill;
                          _ -> {timetrap_timeout, Milliseconds}
                      end),
        await(Process, Monitor, infinity)
    end.
