%% Tests of the registration server, step_01; see ../expected.tsv for what each must give.
-module(reg_server_tests).

-include_lib("eunit/include/eunit.hrl").

start_test() ->
    ?assertEqual(ok, reg_server:start()).
