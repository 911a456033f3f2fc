%% library: meck
%% Mocks are compiled and loaded while the test runs.
%% rules: default
%% options: --time idle
-module(meck_checks).
-export([mocked/0, real_again/0, race/0, passed_through/0, caller_or_mock/0]).
-include_lib("stdlib/include/assert.hrl").

%% expect: meck_checks:mocked dpor pass
mocked() ->
    ok = meck:new(nobody, [non_strict]),
    ok = meck:expect(nobody, f, fun(X) -> {mocked, X} end),
    ?assertEqual({mocked, 1}, nobody:f(1)),
    ?assertEqual(1, meck:num_calls(nobody, f, '_')),
    ?assert(meck:validate(nobody)),
    ok = meck:unload(nobody),
    ?assertError(undef, nobody:f(1)).

%% expect: meck_checks:real_again dpor pass
real_again() ->
    ok = meck:new(queue, [unstick, passthrough]),
    ok = meck:expect(queue, len, fun(_) -> 42 end),
    ?assertEqual(42, queue:len(queue:new())),
    ?assert(queue:is_empty(queue:new())),
    ok = meck:unload(queue),
    ?assertEqual(0, queue:len(queue:new())).

%% expect: meck_checks:passed_through dpor pass
passed_through() ->
    ok = meck:new(orddict, [unstick, passthrough]),
    ok = meck:expect(orddict, size, fun(D) -> meck:passthrough([D]) + 100 end),
    ?assertEqual(101, orddict:size(orddict:store(a, 1, orddict:new()))),
    ?assertMatch([{_, {orddict, store, [a, 1, []]}, [{a, 1}]} | _], [Entry || {_, {_, store, _}, _} = Entry <- meck:history(orddict)]),
    meck:unload().


%% Two processes call a mock: in any order, and each call is seen.
%% expect: meck_checks:race dpor pass
race() ->
    ok = meck:new(nobody, [non_strict]),
    ok = meck:expect(nobody, f, fun(X) -> X end),
    Self = self(),
    [spawn(fun() -> Self ! nobody:f(N) end) || N <- [1, 2]],
    [receive N -> ok end || N <- [1, 2]],
    ?assertEqual(2, meck:num_calls(nobody, f, '_')).

%% A process that calls the module while the mock is taken away gets the real answer or the mock's.
%% expect: meck_checks:caller_or_mock dpor bug assertion
caller_or_mock() ->
    ok = meck:new(orddict, [unstick, passthrough]),
    ok = meck:expect(orddict, size, fun(_) -> 42 end),
    Self = self(),
    spawn(fun() -> Self ! {size, catch orddict:size([])} end),
    meck:unload(orddict),
    receive {size, Size} -> ?assertEqual(42, Size) end.
