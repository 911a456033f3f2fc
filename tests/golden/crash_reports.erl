%% The emulator reports the crash of a process that no behaviour has started: a log event of logger_proxy's.
-module(crash_reports).
-export([crash/0, exits/0, log/2]).
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
