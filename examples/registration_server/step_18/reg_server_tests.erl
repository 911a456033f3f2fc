%% Tests of the registration server, step_18; see ../expected.tsv for what each must give.
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

ping_failure_test() ->
    ?assertEqual(server_down, reg_server:ping()),
    reg_server:start(),
    reg_server:stop(),
    ?assertEqual(server_down, reg_server:ping()).

ping_failure_2_test() ->
    reg_server:start(),
    spawn(fun() ->
                  Result = reg_server:ping(),
                  ?assertEqual(true,
                               lists:member(Result, [pong, server_down]))
          end),
    reg_server:stop().

multiple_starts_test() ->
    reg_server:start(),
    ?assertEqual(already_started, reg_server:start()),
    reg_server:stop().

multiple_concurrent_starts_test() ->
    Self = self(),
    spawn(fun() -> Self ! reg_server:start() end),
    spawn(fun() -> Self ! reg_server:start() end),
    ?assertEqual([already_started, ok],
                 lists:sort(receive_two())),
    reg_server:stop().

attach_test() ->
    Self = self(),
    reg_server:start(),
    RegNum1 = reg_server:attach(),
    spawn(fun() ->
                  RegNum2 = reg_server:attach(),
                  ?assertEqual(RegNum2, reg_server:ping()),
                  ?assertEqual(false, RegNum1 == RegNum2),
                  Self ! done
          end),
    ?assertEqual(RegNum1, reg_server:ping()),
    receive done -> reg_server:stop() end.
