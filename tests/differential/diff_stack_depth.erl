%% Stack traces cut at other depths than the usual eight frames (erlang:system_flag/2), in a module of its own because a
%% machine may refuse to change the flag.
-module(diff_stack_depth).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, pick/1, small_integer/0]).

main() -> main(1, 500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    Depth = rnd(12), Reason = pick(diff_exceptions:reasons()), A = small_integer(),
    {{Depth, Reason, A}, fun() -> diff_support:evaluate(fun() -> diff_exceptions:deep(Depth, Reason, A, 1) end) end}.
