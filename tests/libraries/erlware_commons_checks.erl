%% library: erlware_commons
%% Lists that several processes work on.
-module(erlware_commons_checks).
-export([mapped/0, failed/0]).
%% options: --after-infinite 1000

%% expect: erlware_commons_checks:mapped dpor pass
mapped() -> [2, 3, 4] = ec_plists:map(fun(N) -> N + 1 end, [1, 2, 3]).

%% A function that fails does so in the process that has asked, and in none else.
%% expect: erlware_commons_checks:failed dpor bug abnormal_exit
failed() ->
    oops = try ec_plists:map(fun(_) -> throw(oops) end, [1, 2]) catch throw:Thrown -> Thrown end.
