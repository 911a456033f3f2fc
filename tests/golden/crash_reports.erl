%% The emulator reports the crash of a process that no behaviour has started: a log event of logger_proxy's.
-module(crash_reports).
-export([crash/0, exits/0, two_crashes/0, two_told/0, only_the_first_told/0, only_the_second_told/0, log/2]).
%% options: --normal oops --after-infinite 1000

log(Event, #{config := Test}) -> Test ! Event.

event(Crash) ->
    ok = logger:add_handler(told, ?MODULE, #{config => self(), filter_default => log}),
    ok = logger:remove_handler(default),
    Pid = spawn(Crash),
    Leader = group_leader(),
    receive
        #{level := error, meta := #{pid := Pid, gl := Leader, error_logger := #{emulator := true, tag := error}},
          msg := {"Error in process ~p with exit value:~n~p~n", [Pid, Reason]}} -> Reason
    end.

%% expect: crash_reports:crash dpor pass
crash() -> {oops, [{?MODULE, _, 0, _} | _]} = event(fun() -> error(oops) end).

%% Who exits has not crashed.
%% expect: crash_reports:exits dpor bug deadlock
exits() -> event(fun() -> exit(oops) end).

%% The reports are printed in one order or the other.
%% expect: crash_reports:two_crashes dpor pass schedules=1
two_crashes() ->
    spawn(fun() -> error(oops) end),
    spawn(fun() -> error(oops) end).

%% The handler could tell.
%% expect: crash_reports:two_told dpor pass schedules=2
two_told() ->
    ok = logger:add_handler(told, ?MODULE, #{config => self(), filter_default => log}),
    two_crashes().

%% Which reports come before the handler matters, too.
%% expect: crash_reports:only_the_first_told dpor bug abnormal_exit
only_the_first_told() -> meanwhile(fun(First, Second) -> {First, Second} end).

%% expect: crash_reports:only_the_second_told dpor bug abnormal_exit
only_the_second_told() -> meanwhile(fun(First, Second) -> {Second, First} end).

%% Exits if only the one process is told of, and the report of the other one has been dealt with.
meanwhile(Choose) ->
    {Told, Untold} = Choose(spawn(fun() -> error(oops) end), spawn(fun() -> error(oops) end)),
    ok = logger:add_handler(told, ?MODULE, #{config => self(), filter_default => log}),
    receive #{meta := #{pid := Told}} -> ok after 100 -> exit(normal) end,
    is_process_alive(Untold) andalso exit(normal),
    case process_info(whereis(logger_proxy), [message_queue_len, status]) of
        [{message_queue_len, 0}, {status, waiting}] -> ok;
        _ -> exit(normal)
    end,
    receive #{meta := #{pid := Untold}} -> ok after 0 -> exit(only_one) end.
