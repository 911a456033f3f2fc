%% Tests of the registration server, step_03; see ../expected.tsv for what each must give.
-module(reg_server_tests).

-include_lib("eunit/include/eunit.hrl").

start_test() ->
    ?assertEqual(ok, reg_server:start()).

ping_test() ->
    reg_server:start(),
    ?assertEqual(pong, reg_server:ping()),
    ?assertEqual(pong, reg_server:ping()).
