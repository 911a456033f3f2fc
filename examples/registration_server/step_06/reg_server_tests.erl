%% Tests of the registration server, step_06; see ../expected.tsv for what each must give.
-module(reg_server_tests).

-include_lib("eunit/include/eunit.hrl").

start_stop_test() ->
    ?assertEqual(ok, reg_server:start()),
    ?assertEqual(ok, reg_server:stop()).

ping_test() ->
    reg_server:start(),
    ?assertEqual(pong, reg_server:ping()),
    ?assertEqual(pong, reg_server:ping()),
    reg_server:stop().

multiple_stops_test() ->
    reg_server:start(),
    ?assertEqual(ok, reg_server:stop()),
    ?assertEqual(server_down, reg_server:stop()).
