%% Tests of the registration server, step_10; see ../expected.tsv for what each must give.
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

multiple_concurrent_stops_test() ->
    Self = self(),
    reg_server:start(),
    spawn(fun() -> Self ! reg_server:stop() end),
    spawn(fun() -> Self ! reg_server:stop() end),
    ?assertEqual([ok, server_down],
                 lists:sort(receive_two())).

receive_two() ->
    receive
        Result1 ->
            receive
                Result2 -> [Result1, Result2]
            end
    end.
