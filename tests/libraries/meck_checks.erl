%% library: meck
%% It compiles and loads modules while the test runs, which is refused: --stub puts a module in the place of another.
-module(meck_checks).
-export([mocked/0]).

%% expect: meck_checks:mocked dpor unsupported
mocked() ->
    ok = meck:new(nobody, [non_strict]),
    ok = meck:expect(nobody, f, fun(X) -> X end).
