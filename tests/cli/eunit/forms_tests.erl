%% Every form of test that EUnit knows. eunit_listing.erl says what EUnit itself makes of them.
-module(forms_tests).
-export([not_exported_test/1]).
-include_lib("eunit/include/eunit.hrl").

not_exported_test(_) -> error(arity).

%% ---- Test functions

plain_test() -> ?assertEqual(2, 1 + 1).
assertion_test() -> ?assertEqual(3, length(lists:seq(1, 2))).
error_test() -> error(oops).
throw_test() -> throw(oops).
exit_test() -> exit(oops).
exit_normal_test() -> exit(normal).
value_test() -> false.
asserts_test() ->
    ?assert(true),
    ?assertNot(false),
    ?assertMatch({ok, _}, {ok, 1}),
    ?assertError(badarith, 1 / zero()),
    ?assertExit(normal, exit(normal)),
    ?assertThrow(x, throw(x)),
    ?assertException(error, badarg, error(badarg)).
zero() -> 0.

%% ---- Generators

one_test_() -> ?_assert(true).
list_test_() -> [?_assertEqual(4, 2 + 2), ?_assertMatch({ok, _}, {ok, 1}), ?_assertNot(is_atom(a)), []].
deep_list_test_() -> [[?_assert(true), [?_assert(true)]], [], ?_assert(true)].
lazy_list_test_() -> [?_assert(true) | fun() -> [?_assert(is_list(a))] end].
generators_test_() ->
    [{generator, fun() -> [?_assert(true), ?_assert(is_list(a))] end}, {generator, ?MODULE, list_test_}].
functions_test_() ->
    [fun plain_test/0, {?MODULE, plain_test}, {test, ?MODULE, assertion_test}, {test, ?MODULE, nope},
     {test, nope, nope}, {17, fun plain_test/0}].
with_test_() -> {with, 3, [fun(X) -> ?assertEqual(3, X) end, fun(X) -> ?assertEqual(4, X) end]}.

%% ---- Titles and control

title_test_() -> {"a title", ?_assert(true)}.
titles_test_() ->
    {"outer", [{"one", ?_assert(true)}, {<<"two">>, [?_assert(true), {"deep", fun plain_test/0}]},
               {"alone", [?_assert(true)]}]}.
unicode_title_test_() -> {[955, 8364], ?_assert(true)}.
tuple_title_test_() -> {"in order", inorder, [?_assert(true), ?_assert(true)]}.
timeout_test_() -> [{timeout, 10, ?_assert(true)}, {timeout, 10, [?_assert(true), ?_assert(is_list(a))]}].
spawn_test_() -> {spawn, [?_assert(true), ?_assert(is_list(a))]}.
spawn_title_test_() -> [{spawn, {"in spawn", ?_assert(true)}}, {"titled spawn", {spawn, ?_assert(true)}}].
inorder_test_() -> {inorder, [?_assert(true), ?_assert(is_list(a))]}.
parallel_test_() -> {"parallel", {inparallel, [?_assert(true), {"named", ?_assert(true)}]}}.
parallel_limit_test_() -> {inparallel, 2, [?_assert(true), ?_assert(true), {setup, fun() -> 1 end, [?_assert(true)]}]}.
parallel_alone_test_() -> {inparallel, ?_assert(true)}.

%% ---- Fixtures

setup_test_() ->
    {setup, fun() -> self() end, fun(P) -> ?assertEqual(P, self()) end,
     fun(P) -> [?_assertNotEqual(P, self()), {"second", ?_assert(is_pid(P))}] end}.
setup_local_test_() ->
    {setup, local, fun() -> self() end, fun(P) -> ?assertEqual(P, self()) end, fun(P) -> [?_assertEqual(P, self())] end}.
setup_spawn_test_() -> {setup, spawn, fun() -> put(key, here) end, fun(_) -> ?_assertEqual(undefined, get(key)) end}.
setup_without_cleanup_test_() -> {setup, fun() -> 5 end, {"all", [?_assert(true), ?_assert(is_list(a))]}}.
setup_function_test_() -> {setup, fun() -> ok end, fun(_) -> ok end, fun() -> ok end}.
setup_with_test_() -> {setup, fun() -> 1 end, {with, [fun(X) -> ?assertEqual(1, X) end]}}.
setup_list_test_() ->
    {setup, [{a, fun() -> 1 end, fun(1) -> ok end}, {b, fun() -> 2 end}], fun([A, B]) -> [?_assertEqual(3, A + B)] end}.
setup_in_setup_test_() ->
    {"outer", setup, fun() -> 1 end,
     fun(A) -> {"inner", {setup, fun() -> 2 end, fun(B) -> {"both", ?_assertEqual(3, A + B)} end}} end}.
node_test_() -> {setup, {spawn, node()}, fun() -> ok end, fun(_) -> ?_assert(true) end}.

%% The body stops what the setup starts: each setup finds it gone, as the tests have run between them.
foreach_test_() ->
    {foreach, fun() -> register(forms, spawn(fun() -> receive stop -> ok end end)) end,
     [fun(_) -> ?_test(stop()) end, fun(_) -> {"titled", ?_test(stop())} end, fun(_) -> ?_test(begin stop(), stop() end) end]}.

stop() ->
    Monitor = monitor(process, forms),
    forms ! stop,
    receive {'DOWN', Monitor, _, _, _} -> ok end.

foreachx_test_() ->
    {foreachx, fun(X) -> X * 2 end, fun(_, _) -> ok end,
     [{1, fun(X, R) -> ?_assertEqual(2 * X, R) end}, {2, fun(X, R) -> {"x", ?_assertEqual(X, R)} end}]}.

%% ---- What cannot be run

setup_fails_test_() -> {"first", {setup, fun() -> error(no_setup) end, fun(_) -> ok end, [?_assert(true)]}}.
setup_fails_between_test_() ->
    [?_assert(true), {"middle", setup, fun() -> throw(no_setup) end, [?_assert(true)]}, {"last", ?_assert(true)}].
instantiation_fails_test_() -> {setup, fun() -> ok end, fun(_) -> ok end, fun(_) -> error(no_test) end}.
bad_instantiator_test_() -> {setup, fun() -> ok end, fun(_) -> ok end, fun(_) -> true end}.
bad_test_() -> [?_assert(true), {no, test, at, all}, ?_assert(true)].
bad_generator_test_() -> 17.
generator_fails_test_() -> error(generator).
no_module_test_() -> nope.
