%% Tests that leave all the traces they can, and one that looks for traces of others (resting_machines_test.cc).
-module(neighbours).
-export([look_test/0, load_test/0, name_test/0, spawn_test/0, crash_test/0, halt_test/0, refused_test/0, share_test/0,
         configure_test/0, decode_test/0]).

look_test() ->
    Existing = [Name || Name <- ["neighbour" ++ [C] || C <- "abcdefg"] ++ ["illegal_escape_in_base64", "digraph_utils"],
                        is_list(catch list_to_existing_atom(Name)) =:= false, is_atom(catch list_to_existing_atom(Name))],
    Modules = [Module || Module <- [queue, gb_trees, base64, calendar, digraph, ordsets, string], erlang:module_loaded(Module)],
    io:format("~p ~p ~p~n", [Existing, Modules, erlang:function_exported(queue, new, 0)]),
    Table = ets:new(mine, []),
    ets:insert(Table, {self(), make_ref()}),
    Child = spawn(fun() -> receive stop -> ok end end),
    io:format("~p ~p ~p ~p ~p~n", [Child, make_ref(), Table, fun look_test/0, fun() -> Child end]),
    io:format("~p ~p ~p~n", [ets:all(), registered(), processes()]),
    io:format("~p ~p~n", [erlang:unique_integer(), erlang:unique_integer([monotonic])]),
    io:format("~p ~p~n", [persistent_term:get(), logger:get_primary_config()]),
    io:format("~p ~p~n", [application:get_all_env(kernel), application:which_applications(infinity)]),
    io:format("~p ~p~n", [erlang:phash2({Child, Table}), term_to_binary({Child, self(), fun() -> ok end})]),
    Child ! stop,
    queue:new().

load_test() -> {queue:new(), gb_trees:empty(), base64:encode(<<"a">>), digraph:new(), calendar:local_time()}.

name_test() -> [list_to_atom("neighbour" ++ [C]) || C <- "abcdefg"], register(math, self()).

spawn_test() ->
    Self = self(),
    [spawn(fun() -> Self ! {N, make_ref(), spawn_link(fun() -> ok end)} end) || N <- [1, 2, 3]],
    [receive {N, _, _} -> ok end || N <- [3, 2, 1]],
    ok.

crash_test() -> gen_server:start(missing_module, [], []), missing_module:call(some_argument).

halt_test() -> erlang:send_after(10, self(), tick), halt(3).

refused_test() -> gen_tcp:connect("example.org", 80, []).

share_test() ->
    ets:new(shared, [named_table, public, ordered_set]),
    ets:insert(shared, [{N, lists:duplicate(N, x)} || N <- lists:seq(1, 200)]),
    persistent_term:put(neighbour, ets:tab2list(shared)),
    counters:add(counters:new(3, []), 1, 7),
    receive never -> ok end.

configure_test() ->
    application:set_env(kernel, neighbour, yes),
    ok = logger:set_primary_config(level, debug),
    ok = application:load({application, neighbour, [{vsn, "1"}, {modules, []}, {registered, []}, {applications, []}]}),
    ok = application:start(neighbour),
    exit(application_controller, kill),
    exit(done).

decode_test() ->
    F = binary_to_term(term_to_binary(fun(X) -> {X, self()} end)),
    _ = binary_to_term(<<131, 119, 10, "neighbourz">>),
    exit(F(1)).
