"""ravel run: one schedule, the program's output as it is, and erl's idea of how it ends."""

import unittest

from support import CommandTest


class Run(CommandTest):
    def run_function(self, status, body, *arguments):
        self.write("m.erl", f"-module(m).\n-compile([export_all, nowarn_export_all]).\n{body}\n")
        return self.expect(status, "run", "m.erl", "-t", "m:f", *arguments)

    def test_a_normal_end_prints_what_the_program_prints_and_nothing_else(self):
        run = self.run_function(0, 'f() -> io:format("hello ~p~n", [{a, "b"}]), result.')
        self.assertEqual((run.stdout, run.stderr), ('hello {a,"b"}\n', ""))

    def test_children_print_too_after_the_test_has_ended(self):
        run = self.run_function(0, 'f() -> [spawn(fun() -> io:format("~p~n", [N]) end) || N <- [1, 2, 3]].')
        self.assertEqual(sorted(run.stdout.split()), ["1", "2", "3"])

    def test_a_folder_of_the_program_may_be_called_as_one_of_otp(self):
        (self.folder / "stdlib").mkdir()
        run = self.run_function(0, "f() -> lists:seq(1, 2).", "--pa", "stdlib")
        self.assertEqual(run.stderr, "")

    LOGS = (
        'f() -> ok = logger:add_handler(h, logger_std_h, #{config => #{file => "logs/a.log"}, level => error,\n'
        '                                                  formatter => {logger_formatter, #{template => [msg, "\\n"]}}}),\n'
        "       ok = logger:remove_handler(default), LIMIT\n"
        '       logger:error("one"), logger:notice("no"), logger:error("two"), ok = logger_std_h:filesync(h),\n'
        '       {ok, Text} = file:read_file("logs/a.log"), io:put_chars(Text), ok = logger:remove_handler(h),\n'
        "       {'EXIT', {noproc, _}} = (catch logger_std_h:filesync(h)), done."
    )

    def test_a_log_in_a_file_is_written_at_once_but_not_on_the_host(self):
        run = self.run_function(0, self.LOGS.replace("LIMIT", ""))
        self.assertEqual((run.stdout, run.stderr), ("one\ntwo\n", ""))
        self.assertFalse((self.folder / "logs").exists())

    def test_a_log_that_changes_files_is_refused(self):
        run = self.run_function(4, self.LOGS.replace("LIMIT", "logger:update_handler_config(h, config, #{max_no_bytes => 9}),"))
        self.assertRegex(run.stderr, "m.erl:6: logger:error/1: a log handler that rotates its files .* leave max_no_bytes out")

    def test_an_abnormal_end_is_reported_with_its_stack_trace(self):
        run = self.run_function(1, 'f() -> io:put_chars("before\\n"), g(1).\ng(X) -> X + a, ok.')
        self.assertEqual(run.stdout, "before\n")
        self.assertIn("ravel: P: a process fails with the error badarith in erlang:'+'/2 at m.erl:4\n", run.stderr)
        self.assertIn("in m:g/1 (m.erl:4)", run.stderr)

    def test_another_process_that_fails_is_reported_and_the_test_goes_on(self):
        run = self.run_function(
            0,
            "f() -> {P, R} = spawn_monitor(fun() -> error(oops) end),\n"
            'receive {_, R, _, P, {oops, _}} -> io:format("down~n") end, spawn(fun() -> exit(quiet) end).',
        )
        # What the logger makes of it, as in Erlang/OTP.
        self.assertIn("down\n", run.stdout)
        self.assertRegex(run.stdout, r"=ERROR REPORT==== .*\nError in process <P.1> with exit value:\n{oops,")
        self.assertEqual(run.stdout.count("oops"), 1)
        self.assertEqual(run.stderr, "")

    def test_waiting_for_ever_is_reported(self):
        run = self.run_function(1, "f() -> self() ! odd, receive never -> ok end.")
        self.assertIn("waits for ever", run.stderr)
        self.assertIn("in its mailbox: odd", run.stderr)

    def test_servers_that_are_left_are_only_remarked_on(self):
        run = self.run_function(0, "f() -> spawn(fun() -> receive stop -> ok end end).")
        self.assertIn("1 process still waits", run.stderr)
        self.assertEqual(self.run_function(0, "f() -> spawn(fun() -> receive stop -> ok end end).", "-q").stderr, "")

    def test_time_passes_only_when_nothing_else_can_happen(self):
        run = self.run_function(
            0,
            'f() -> S = self(), P = spawn(fun() -> receive {S, X} -> S ! {self(), X * 2} end end),\n'
            "erlang:send_after(50, S, second), erlang:send_after(10, S, first),\n"
            'P ! {S, 21}, receive {P, 42} -> io:put_chars("answer ") after 5 -> io:put_chars("timeout ") end,\n'
            'receive first -> io:put_chars("first ") end, receive second -> io:put_chars("second ") end,\n'
            'receive never -> ok after 100 -> io:put_chars("after\\n") end.',
        )
        self.assertEqual(run.stdout, "answer first second after\n")

    def test_a_process_that_polls_lets_others_go_on(self):
        self.run_function(
            0,
            "f() -> S = self(), spawn(fun() -> receive after 0 -> ok end, register(here, S) end), poll().\n"
            "poll() -> case whereis(here) of undefined -> poll(); _ -> ok end.",
        )

    def test_a_heartbeat_does_not_outlive_the_test(self):
        self.run_function(0, "f() -> spawn(fun beat/0), ok.\nbeat() -> receive stop -> ok after 10 -> beat() end.")

    def test_halt_gives_its_exit_status(self):
        self.assertEqual(self.run_function(0, "f() -> halt().").stderr, "")
        self.run_function(7, "f() -> halt(7).")

    def test_there_is_no_bound_on_events(self):
        run = self.run_function(0, 'f() -> f(30000).\nf(0) -> io:put_chars("done");\nf(N) -> self() ! N, receive N -> f(N - 1) end.')
        self.assertEqual(run.stdout, "done")

    def test_what_no_schedule_controls_is_refused_with_its_place(self):
        run = self.run_function(4, 'f() -> Port = open_port({spawn, "ls"}, []), {ok, Port}.')
        self.assertIn("ravel: m.erl:3: ", run.stderr)


if __name__ == "__main__":
    unittest.main()
