"""Bad input: each kind is one clear line and exit status 2."""

import json
import os
import subprocess
import unittest

from support import RACE, CommandTest


class Usage(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)

    def test_no_command(self):
        self.refused(says="--help")

    def test_an_unknown_command_or_option(self):
        self.refused("chek", "race.erl", says="--help")
        self.refused("check", "race.erl", "--fast", says=["--fast", "ravel check --help"])

    def test_an_option_without_its_value(self):
        for option in ["--test", "--json", "--env", "--seed", "--graph"]:
            self.refused("check", "race.erl", option, says=[option + ":", "ravel check --help"])

    def test_no_file(self):
        self.refused("check", says="no file was given")

    def test_a_test_that_is_none(self):
        for text in [":f", "race:", "race:lost_test/1", "race:lost_test/x"]:
            self.refused("check", "race.erl", "-t", text, says=text)

    def test_a_budget_that_is_none(self):
        for text in ["10", "x", "s", "0x", "-1s", "1.5x", "10y", "nans", "infs", "0s", "5 s", "1e400s", "0G", "M", "8K", "8GB",
                     "9999999G"]:
            self.refused("check", "race.erl", f"--budget={text}", says=["60s", "10000x", "8G"])
        self.refused("check", "race.erl", "--budget", "1s", "--budget", "2m", says="second")
        self.refused("check", "race.erl", "--budget", "1G", "--budget", "500M", says="second amount of memory")

    def test_numbers_that_are_none(self):
        self.refused("check", "race.erl", "--preemptions", "many", says="many")
        self.refused("check", "race.erl", "--events", "0", says="--events")
        self.refused("check", "race.erl", "--color", "sometimes", says="--color")
        self.refused("check", "race.erl", "--blocking", "never", says="--blocking")

    def test_a_strategy_that_is_none(self):
        self.refused("check", "race.erl", "--strategy", "fast", says=["fast", "dpor, preemption, delay, variants, vt, dfs, states, shortest, ses, random, irs, pct, pos, surw, ss, ses,ss"])

    def test_an_option_of_another_strategy(self):
        self.refused("check", "race.erl", "--strategy", "dfs", "--preemptions", "2", says="--preemptions")
        self.refused("check", "race.erl", "--strategy", "dpor", "--delays", "2", says="--delays")
        self.refused("check", "race.erl", "--strategy", "dpor", "--atomic", "lists", says="--atomic")
        self.refused("check", "race.erl", "--seed", "7", says="--seed is for --strategy ses, random")
        self.refused("check", "race.erl", "--iterations", "7", says="--iterations, --threads and --strategy vt are for programs of C and C++")

    def test_an_option_for_programs_of_the_other_kind(self):
        for option in (["--isolate"], ["--track", "x"], ["--races", "bug"], ["--arrays", "whole"]):
            self.refused("check", "race.erl", *option, says=[option[0], "for programs of C and C++"])
        for command in ["check", "show", "races", "trace", "tests", "run"]:
            self.refused(command, "race.erl", "--", "7", says="-- is for programs of C and C++")

    def test_a_macro_without_a_name(self):
        self.refused("check", "race.erl", "-D", "=1", says="NAME=VALUE")

    def test_several_tests_to_run(self):
        self.refused("run", "race.erl", says="-t race:lost_test")


class Programs(CommandTest):
    def test_a_missing_file(self):
        for command in ["check", "tests", "run"]:
            self.refused(command, "nowhere.erl", says="nowhere.erl")

    def test_a_folder_and_a_file_of_another_kind(self):
        self.write("notes.txt", "hello")
        self.refused("check", "notes.txt", says="notes.txt")
        self.refused("check", ".", says=".")

    def test_a_module_without_the_function(self):
        self.write("race.erl", RACE)
        self.refused("check", "race.erl", "-t", "race:nothing", says=["race:nothing", "exports no function"])
        self.refused("check", "race.erl", "-t", "race:helper", says="race:helper")

    def test_a_module_that_no_file_holds(self):
        self.write("race.erl", RACE)
        self.refused("check", "race.erl", "-t", "rice:lost_test", says=["rice", "race"])

    def test_a_module_without_tests(self):
        self.write("plain.erl", "-module(plain).\n-export([f/0]).\nf() -> ok.\n")
        self.refused("check", "plain.erl", says="MODULE:FUNCTION")
        self.refused("check", "plain.erl", "-t", "plain", says="plain:FUNCTION")

    def test_the_same_module_twice(self):
        self.write("race.erl", RACE)
        self.write("copy/race.erl", RACE)
        self.refused("check", "race.erl", "copy/race.erl", says="race")

    def test_a_source_that_does_not_compile_gives_the_message_of_erlc_untouched(self):
        self.write("broken.erl", "-module(broken).\nf() -> X.\n")
        run = self.expect(2, "check", "broken.erl", "--json", "results.json")
        erlc = subprocess.run(
            ["erlc", str(self.folder / "broken.erl")], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(run.stderr, erlc.stdout + erlc.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(self.results()["verdict"], "error")
        self.assertIn("unbound", self.results()["message"])

    def test_a_truncated_or_corrupted_beam(self):
        self.write("race.erl", RACE)
        subprocess.run(["erlc", "race.erl"], cwd=self.folder, check=True)
        beam = (self.folder / "race.beam").read_bytes()
        self.expect(1, "check", "race.beam", "-t", "race:lost_test")
        for size in [0, 3, 11, 40, len(beam) // 2, len(beam) - 5]:
            self.write("race.beam", beam[:size])
            self.refused("check", "race.beam", "-t", "race:lost_test", says="race.beam")
        self.write("race.beam", b"not a module at all")
        self.refused("check", "race.beam", says="race.beam")
        self.write("race.beam", beam[:20] + b"\xff\xff\xff\x7f" + beam[24:])
        self.refused("check", "race.beam", says="race.beam")

    def test_no_erlang_installed(self):
        self.write("race.erl", RACE)
        self.refused("check", "race.erl", env={"RAVEL_OTP": "/nowhere"}, says="/nowhere")
        self.refused("tests", "race.erl", env={"RAVEL_OTP": str(self.folder)}, says=str(self.folder))


class Files(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)
        self.write("file", "a plain file")

    def test_options_with_a_word_that_they_do_not_know_list_those_they_do(self):
        for option, words in [("--time", "idle, any, deadlines"), ("--clocks", "frozen, virtual"), ("--blocking", "avoid, explore"), ("--color", "auto, always, never")]:
            self.refused("check", "race.erl", option, "foo", says=[option, "'foo'", words])

    def test_clocks_cannot_follow_deadlines_that_nothing_follows(self):
        self.refused("check", "race.erl", "--time", "any", "--clocks", "virtual", says=["--clocks virtual", "--time idle"])

    def test_timeouts_that_fire_early_are_for_time_that_passes_when_nobody_can_go_on(self):
        for policy in ["any", "deadlines"]:
            self.refused("check", "race.erl", "--time", policy, "--early", "1", says=["--early", "--time idle"])
        for strategy in ["variants", "delay"]:
            self.refused("check", "race.erl", "--early", "1", "--strategy", strategy, says=["--early", strategy])

    def test_an_unwritable_folder_for_tickets_is_refused_before_the_search(self):
        for folder in ["file", "file/below", "/proc/tickets"]:
            self.refused("check", "race.erl", "--out", folder, says=[folder, "--out"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.refused("check", "race.erl", "--out", "locked", says="locked")

    def test_an_unwritable_file_for_results_is_refused_before_the_search(self):
        for file in ["file/below.json", ".", "nowhere/results.json"]:
            self.refused("check", "race.erl", "--json", file, says="--json")
        self.assertEqual(self.tickets(), [])

    def test_other_bad_input_is_in_the_file_for_results(self):
        self.refused("check", "race.erl", "-t", "race:nothing", "--json", "results.json", says="nothing")
        self.assertEqual(self.results()["verdict"], "error")
        self.assertIn("race:nothing", self.results()["message"])


class Tickets(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)
        self.expect(1, "check", "race.erl", "-t", "race:lost_test")
        (self.ticket,) = self.tickets()
        self.text = self.ticket.read_text()

    def change(self, **fields):
        self.ticket.write_text(json.dumps({**json.loads(self.text), **fields}))

    def test_a_missing_ticket(self):
        self.refused("replay", "nowhere.json", says="nowhere.json")
        self.refused("replay", ".", says=".")

    def test_a_file_that_is_no_ticket(self):
        for text in ["", "hello", "{}", "[1, 2]", "null", self.text.replace("ravel_ticket", "raven_ticket")]:
            self.ticket.write_text(text)
            self.refused("replay", self.ticket, says="not a ticket")

    def test_a_truncated_ticket(self):
        for part in [0.1, 0.5, 0.9]:
            self.ticket.write_text(self.text[: int(len(self.text) * part)])
            self.refused("replay", self.ticket, says=["ticket", "truncated"])

    def test_a_damaged_ticket(self):
        self.change(schedule=[{"actor": "nobody"}])
        self.refused("replay", self.ticket, says="damaged")
        self.change(program={"test": "race:lost_test"})
        self.refused("replay", self.ticket, says="damaged")
        self.change(program={**json.loads(self.text)["program"], "files": [7]})
        self.refused("replay", self.ticket, says="damaged")

    def test_a_ticket_of_a_newer_version(self):
        self.change(ravel_ticket=99)
        self.refused("replay", self.ticket, says=["99", "newer"])

    def test_a_ticket_of_another_front_end(self):
        self.change(front_end="plang")
        self.refused("replay", self.ticket, says="plang")

    def test_a_ticket_of_another_program(self):
        self.write("other.erl", "-module(other).\n-export([a_test/0]).\na_test() -> ok.\n")
        self.refused("replay", self.ticket, "other.erl", says=["another program", "race:lost_test"])
        self.write("race.erl", RACE.replace("lost_test", "found_test"))
        self.refused("replay", self.ticket, says=["another program", "race:lost_test"])

    def test_a_program_that_is_gone(self):
        (self.folder / "race.erl").unlink()
        self.refused("replay", self.ticket, says="race.erl")


if __name__ == "__main__":
    unittest.main()
