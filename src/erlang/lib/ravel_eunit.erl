%% Runs the tests of an EUnit suite one by one, as the search needs them.
%%
%% What a suite means is left to eunit_data, which reads generators, fixtures and titles, and whose positions name the
%% tests here: the path [2,1] below a generator is the first test of the second item that it gives. What runs them is
%% this module instead of eunit_proc: there are no supervisors of processes, no group leaders and no clocks, but the
%% processes that a suite can see are the same. Setups, generators and cleanups run in the process that EUnit runs them
%% in, the body of a fixture in a process of its own unless it is `local`, and so do `spawn` and what is `inparallel`.
%%
%% Nothing is caught: a test that fails takes its process with it, which ends the execution. So there is no cleanup
%% after a failure. What EUnit gives a name (setup_failed, ...) is raised as {ravel_eunit, Name, Class, Reason}, where
%% Class is that of the exception behind it, or `none`. There are no timeouts: a test that waits for ever is seen
%% to do so.
-module(ravel_eunit).

-export([list/3, run/3]).
-export([task/1]). % spawned

%% As in eunit_data of Erlang/OTP.
-record(test, {function, title, timeout, location, line}).
-record(group, {title, options, order, timeout, context, spawn, tests}).
-record(context, {setup, cleanup, process}).

-type path() :: [pos_integer()].
-type item() :: {test | unit | fixture | broken, path(), [binary()], non_neg_integer()}.

%% Ends with the reason {ravel_eunit_list, Items}: what is at or below a path, each with the titles of its groups and
%% its own, and its line or 0. Tests are not run. A `unit` is a group that runs in parallel, which is one test here; a
%% `fixture` has to be listed by a call of its own, so that its setup finds what it expects; something `broken` fails
%% when it is run. Items is no_such_test if nothing has this path.
-spec list(module(), atom(), path()) -> no_return().
list(Module, Function, Path) ->
    exit({ravel_eunit_list, list_at(root(Module, Function), [], Path, [])}).

%% Runs what is at a path: a test, or a group with all its tests.
-spec run(module(), atom(), path()) -> ok.
run(Module, Function, Path) ->
    run_at(root(Module, Function), [], Path, inorder).

root(Module, eunit_wrapper_) -> eunit_data:get_module_tests(Module, [exact_execution]);
root(Module, Generator) -> {generator, Module, Generator}.

%% ---- Listing

-spec list_at(term(), path(), path(), [binary()]) -> [item()] | no_such_test.
list_at(Tests, Id, [], Titles) ->
    list_items(iterator(Tests, Id), Titles);
list_at(Tests, Id, [Position | Path], Titles) ->
    case item_at(iterator(Tests, Id), Position) of
        none -> no_such_test;
        #test{} = Test when Path =:= [] -> [listed(test, Id ++ [Position], Titles, Test)];
        #test{} -> no_such_test;
        #group{order = {inparallel, _}} = Group when Path =:= [] ->
            [listed(unit, Id ++ [Position], Titles, Group)];
        #group{} = Group ->
            Below = titles(Titles, Group),
            in_group(Group, fun(Inner) -> list_at(Inner, Id ++ [Position], Path, Below) end)
    end.

list_items(Iterator, Titles) ->
    try eunit_data:iter_next(Iterator) of
        {Item, Rest} -> list_item(Item, eunit_data:iter_id(Rest), Titles) ++ list_items(Rest, Titles);
        none -> []
    catch
        throw:_ ->
            [Position | Above] = lists:reverse(eunit_data:iter_id(Iterator)),
            [{broken, lists:reverse(Above, [Position + 1]), Titles, 0}]
    end.

list_item(#test{} = Test, Id, Titles) -> [listed(test, Id, Titles, Test)];
list_item(#group{order = {inparallel, _}} = Group, Id, Titles) -> [listed(unit, Id, Titles, Group)];
list_item(#group{context = #context{}} = Group, Id, Titles) -> [listed(fixture, Id, Titles, Group)];
list_item(#group{} = Group, Id, Titles) ->
    Below = titles(Titles, Group),
    in_group(Group, fun(Tests) -> list_items(iterator(Tests, Id), Below) end).

listed(Kind, Id, Titles, #test{line = Line} = Test) -> {Kind, Id, titles(Titles, Test), Line};
listed(Kind, Id, Titles, #group{} = Group) -> {Kind, Id, titles(Titles, Group), 0}.

titles(Titles, #test{title = Title}) -> with_title(Titles, Title);
titles(Titles, #group{title = Title}) -> with_title(Titles, Title).

with_title(Titles, undefined) -> Titles;
with_title(Titles, Title) -> Titles ++ [Title].

%% ---- Running

run_at(Tests, Id, [], Order) ->
    run_items(iterator(Tests, Id), Order);
run_at(Tests, Id, [Position | Path], Order) ->
    case item_at(iterator(Tests, Id), Position) of
        none -> fail(no_such_test, Id ++ [Position]);
        Item when Order =:= inorder -> run_item(Item, Id ++ [Position], Path, Order);
        Item -> await([start(fun() -> run_item(Item, Id ++ [Position], Path, Order) end)])
    end.

run_items(Iterator, inorder) ->
    case next(Iterator) of
        {Item, Rest} ->
            run_item(Item, eunit_data:iter_id(Rest), [], inorder),
            run_items(Rest, inorder);
        none -> ok
    end;
run_items(Iterator, {inparallel, Limit} = Order) ->
    run_in_parallel(Iterator, Order, Limit, []).

%% A limit lets so many tests start and waits for all of them before it lets others start. 0 is no limit.
run_in_parallel(Iterator, {inparallel, Limit} = Order, 0, [_ | _] = Running) when Limit > 0 ->
    await(Running),
    run_in_parallel(Iterator, Order, Limit, []);
run_in_parallel(Iterator, Order, Free, Running) ->
    case next(Iterator) of
        {Item, Rest} ->
            Id = eunit_data:iter_id(Rest),
            Task = start(fun() -> run_item(Item, Id, [], Order) end),
            run_in_parallel(Rest, Order, Free - 1, [Task | Running]);
        none -> await(Running)
    end.

run_item(#test{function = Function}, _Id, [], _Order) ->
    Function(),
    ok;
run_item(#test{}, Id, Path, _Order) ->
    fail(no_such_test, Id ++ Path);
run_item(#group{order = Own} = Group, Id, Path, Outer) ->
    Order = case Own of undefined -> Outer; _ -> Own end,
    in_group(Group, fun(Tests) -> run_at(Tests, Id, Path, Order) end).

%% ---- Groups

iterator(Tests, Id) -> eunit_data:iter_init(Tests, Id, []).

next(Iterator) ->
    try eunit_data:iter_next(Iterator) catch throw:Problem -> fail(Problem) end.

item_at(Iterator, Position) ->
    case next(Iterator) of
        {Item, _Rest} when Position =:= 1 -> Item;
        {_Item, Rest} -> item_at(Rest, Position - 1);
        none -> none
    end.

%% The value of the body, which gets the group's tests and runs where EUnit runs them.
in_group(#group{spawn = undefined} = Group, Body) -> in_context(Group, Body);
in_group(#group{spawn = {remote, Node}}, _Body) when Node =/= node() ->
    fail(no_such_node, Node);
in_group(#group{} = Group, Body) ->
    await([start(fun() -> in_context(Group, Body) end)]).

in_context(#group{context = undefined, tests = Tests}, Body) ->
    Body(Tests);
in_context(#group{context = Context, tests = Instantiator}, Body) ->
    #context{setup = Setup, cleanup = Cleanup, process = Process} = Context,
    State = named(setup_failed, Setup),
    Tests = named(instantiation_failed, fun() -> Instantiator(State) end),
    eunit_lib:is_not_test(Tests) andalso fail(bad_instantiator, Tests),
    Value =
        case Process of
            local -> Body(Tests);
            {spawn, Node} when Node =/= node() -> fail(no_such_node, Node);
            _ -> await([start(fun() -> Body(Tests) end)])
        end,
    named(cleanup_failed, fun() -> Cleanup(State) end),
    Value.

named(Name, Function) ->
    try Function() catch Class:Reason:Trace -> fail(Name, Class, Reason, Trace) end.

%% ---- Processes

start(Function) ->
    erlang:spawn_monitor(?MODULE, task, [Function]).

%% A list is handed on in the exit reason, so that a process that runs a test needs no message to say that it is done.
task(Function) ->
    case Function() of
        ok -> ok;
        Value -> exit({ravel_eunit_value, Value})
    end.

%% Waits for all of them. The value is that of the first.
await([]) -> ok;
await([{Process, Monitor} | Others]) ->
    receive
        {'DOWN', Monitor, process, Process, normal} -> await(Others);
        {'DOWN', Monitor, process, Process, {ravel_eunit_value, Value}} -> Value;
        {'DOWN', Monitor, process, Process, Reason} -> fail(exit, Reason)
    end.

%% ---- Failures by the names that EUnit gives them

-spec fail(tuple()) -> no_return().
fail({generator_failed, {Generator, {Class, Reason, Trace}}}) ->
    fail({generator_failed, Generator}, Class, Reason, Trace);
fail({bad_generator, {Generator, Term}}) -> fail({bad_generator, Generator}, Term);
fail({Name, Term}) -> fail(Name, Term);
fail({file_read_error, Reason, File}) -> fail(file_read_error, {Reason, File}).

-spec fail(term(), term()) -> no_return().
fail(Name, Term) ->
    erlang:error({ravel_eunit, Name, none, Term}).

-spec fail(term(), error | exit | throw, term(), list()) -> no_return().
fail(Name, Class, Reason, Trace) ->
    erlang:raise(error, {ravel_eunit, Name, Class, Reason}, Trace).
