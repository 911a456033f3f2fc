"""Suites of EUnit: the same tests with the same titles and results as EUnit's own, and how they are selected."""

import pathlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from support import CommandTest

SUITES = pathlib.Path(__file__).parent / "eunit"

# Two tests in a fixture, one of which fails if the server's answer to another client comes first.
COUNTER = """\
-module(counter).
-export([start/0, next/0, stop/0]).

start() ->
    Pid = spawn(fun() -> loop(0) end),
    register(counter, Pid).

loop(N) ->
    receive
        {next, From} -> From ! N, loop(N + 1);
        {stop, From} -> From ! stopped
    end.

next() -> counter ! {next, self()}, receive N -> N end.
stop() -> counter ! {stop, self()}, receive stopped -> ok end.
"""

COUNTER_TESTS = """\
-module(counter_tests).
-include_lib("eunit/include/eunit.hrl").

counter_test_() ->
    {"a counter", {foreach, fun counter:start/0, fun(_) -> counter:stop() end,
        [{"counts up", ?_assertEqual([0, 1], [counter:next(), counter:next()])},
         {"is shared", fun shared/0}]}}.

shared() ->
    Self = self(),
    spawn(fun() -> counter:next(), Self ! done end),
    ?assertEqual(0, counter:next()),
    receive done -> ok end.

together_test_() ->
    {"at once", {setup, fun counter:start/0, fun(_) -> counter:stop() end,
        {inparallel, [?_assert(counter:next() < 2), {"first", ?_assertEqual(0, counter:next())}]}}}.
"""

# What EUnit names besides errors of tests.
NAMES = [
    "setup_failed", "cleanup_failed", "instantiation_failed", "bad_instantiator", "bad_test", "bad_generator",
    "generator_failed", "module_not_found", "no_such_function",
]


def result_of(test):
    if test["verdict"] == "pass":
        return "pass"
    message = test["bugs"][0]["message"]
    return next((name for name in NAMES if message.startswith(name)), "fail")


class Suites(CommandTest):
    @unittest.skipUnless(shutil.which("erl") and shutil.which("erlc"), "needs an installed Erlang/OTP, always")
    def test_every_form_of_test_is_what_eunit_makes_of_it(self):
        subprocess.run(["erlc", *SUITES.glob("*.erl")], cwd=self.folder, check=True, capture_output=True)
        eunit = subprocess.run(
            ["erl", "-noshell", "-run", "eunit_listing", "main", "forms_tests"],
            cwd=self.folder, check=True, capture_output=True, text=True, encoding="utf-8", timeout=120,
        )
        expected = {}
        for line in eunit.stdout.splitlines():
            function, title, result = line.split("\t")
            # Ravel explores what runs in parallel as one test.
            if not function.startswith("parallel"):
                expected.setdefault(function, []).append((title, result))
        self.assertGreater(len(expected), 40)

        self.expect(1, "check", SUITES / "forms_tests.erl", "-q", "--json", "results.json")
        found = {}
        for test in self.results()["tests"]:
            function = test["test"].split(":")[1].split("/")[0]
            if not function.startswith("parallel"):
                found.setdefault(function, []).append((test.get("title", ""), result_of(test)))
        self.assertEqual(found, expected)

    def test_a_group_in_parallel_is_one_test_whose_parts_can_be_named(self):
        suite = SUITES / "forms_tests.erl"
        lines = self.expect(0, "tests", suite).stdout.splitlines()
        self.assertIn("forms_tests:parallel_test_/1  parallel", lines)
        self.assertIn("forms_tests:parallel_limit_test_/1", lines)
        # A single test is not a group.
        self.assertIn("forms_tests:parallel_alone_test_/1", lines)
        self.assertEqual(len([line for line in lines if "parallel" in line]), 3)
        self.expect(0, "check", suite, "-t", "forms_tests:parallel_test_/1/2", "--json", "results.json")
        self.assertEqual((self.results()["test"], self.results()["executions"]),
                         ("forms_tests:parallel_test_/1/2", 1))
        # Two spawns and two ends and the waits for them, and that is more than one schedule.
        self.expect(0, "check", suite, "-t", "forms_tests:parallel_test_/1", "--strategy", "dfs", "--json", "results.json")
        self.assertGreater(self.results()["executions"], 1)

    def test_a_fixture_is_part_of_every_execution(self):
        self.write("counter.erl", COUNTER)
        self.write("counter_tests.erl", COUNTER_TESTS)
        files = ["counter.erl", "counter_tests.erl"]
        # The tests of counter are those of counter_tests.
        run = self.expect(1, "check", *files, "-t", "counter", "--json", "results.json")
        tests = self.results()["tests"]
        self.assertEqual(
            [(test["test"], test["title"], test["verdict"]) for test in tests],
            [("counter_tests:counter_test_/1/1/1", "a counter: counts up", "pass"),
             ("counter_tests:counter_test_/1/2/1", "a counter: is shared", "bug"),
             ("counter_tests:together_test_/1/1", "at once", "bug")],
        )
        self.assertIn("counter_tests:counter_test_/1/2/1  a counter: is shared\n", run.stdout)
        self.assertIn("?assertEqual failed: counter : next ( ): expected 0, got 1", run.stdout)
        self.assertIn("at counter_tests.erl:12, in P.2:", run.stdout)
        self.assertIn("a counter: counts up\n", run.stdout)
        self.assertNotIn("in ravel_eunit:", run.stdout)

        tickets = self.tickets()
        self.assertEqual(len(tickets), 2)
        for ticket in tickets:
            replay = self.expect(1, "replay", ticket)
            self.assertIn("The bug still happens: assertion", replay.stdout)
        # A group is named by its path as well.
        self.expect(1, "check", *files, "-t", "counter_tests:counter_test_/1", "--json", "results.json")
        self.assertEqual(len(self.results()["tests"]), 2)
        self.expect(0, "run", *files, "-t", "counter_tests:counter_test_/1/1")

    def test_tests_that_need_those_before_them_are_one_test(self):
        self.write("ordered_tests.erl", """\
-module(ordered_tests).
-export([shared_test_/0, process_test_/0, untitled_test_/0, broken_test_/0, alone_test_/0]).

%% The second test needs the first.
shared_test_() ->
    {"server", {setup, fun() -> spawn(fun() -> loop(0) end) end, fun(P) -> P ! stop end, fun(P) ->
        [{"adds", fun() -> 1 = add(P) end}, {"adds again", fun() -> 2 = add(P) end}] end}}.
process_test_() ->
    [{"apart", fun() -> ok end}, {"together", {spawn, [fun() -> put(a, 1) end, fun() -> 1 = get(a) end]}}].
untitled_test_() -> [fun() -> put(c, 1) end, fun() -> 1 = get(c) end].
%% This one would fail in any case.
broken_test_() -> [fun() -> ok end, fun() -> error(broken) end].
alone_test_() -> [fun() -> put(b, 1) end, fun() -> put(b, 2) end].

loop(N) -> receive {add, From} -> From ! N + 1, loop(N + 1); stop -> ok end.
add(P) -> P ! {add, self()}, receive N -> N end.
""")
        self.expect(1, "check", "ordered_tests.erl", "--json", "results.json")
        self.assertEqual(
            [(test["test"].split(":")[1], test.get("title"), test["verdict"]) for test in self.results()["tests"]],
            [("shared_test_/1", "server: 2 tests that need each other", "pass"),
             ("process_test_/1", "apart", "pass"),
             ("process_test_/2", "together: 2 tests that need each other", "pass"),
             ("untitled_test_", "2 tests that need each other", "pass"),
             ("broken_test_/1", None, "pass"),
             ("broken_test_/2", None, "bug"),
             ("alone_test_/1", None, "pass"),
             ("alone_test_/2", None, "pass")],
        )
        # One of them can still be named.
        self.expect(1, "check", "ordered_tests.erl", "-t", "ordered_tests:shared_test_/1/2")

    def test_titles_are_text_on_one_line(self):
        self.write("titles_tests.erl", """\
-module(titles_tests).
-export([t_test_/0]).
t_test_() -> [{<<246, 255>>, fun() -> ok end}, {<<"a\\tb\\e">>, fun() -> ok end}, {[955], fun() -> ok end}].
""")
        self.assertEqual(self.expect(0, "tests", "titles_tests.erl").stdout,
                         "titles_tests:t_test_/1  \u00f6\u00ff\ntitles_tests:t_test_/2  a b \ntitles_tests:t_test_/3  \u03bb\n")

    def test_results_as_junit_xml(self):
        self.write("counter.erl", COUNTER)
        self.write("counter_tests.erl", COUNTER_TESTS)
        self.write("odd_tests.erl", """\
-module(odd_tests).
-export([odd_test_/0]).
odd_test_() -> [{"a <title> & \\e more", fun() -> error(<<"]]>&">>) end}, fun() -> open_port({spawn, "true"}, []) end].
""")
        self.expect(1, "check", "counter.erl", "counter_tests.erl", "odd_tests.erl", "--junit", "results.xml")
        root = xml.etree.ElementTree.parse(self.folder / "results.xml").getroot()
        self.assertEqual((root.tag, root.get("tests"), root.get("failures"), root.get("errors")),
                         ("testsuites", "5", "3", "1"))
        self.assertEqual([suite.get("name") for suite in root], ["counter_tests", "odd_tests"])
        case = root[0][1]
        self.assertEqual((case.get("classname"), case.get("name")),
                         ("counter_tests", "counter_test_/1/2/1 a counter: is shared"))
        failure = case.find("failure")
        self.assertEqual(failure.get("type"), "assertion")
        self.assertIn("expected 0, got 1", failure.get("message"))
        self.assertIn("ravel replay ravel-tickets/counter_tests.counter_test_.1.2.1.assertion", failure.text)
        self.assertIn("No bug in", root[0][0].find("system-out").text)
        self.assertEqual(root[1][0].get("name"), "odd_test_/1 a <title> &   more")
        self.assertIn("]]>&", root[1][0].find("failure").get("message"))
        self.assertEqual(root[1][1].find("error").get("type"), "unsupported")

        self.refused("check", "counter.erl", "-t", "nope", "--junit", "results.xml", says="no given file")
        root = xml.etree.ElementTree.parse(self.folder / "results.xml").getroot()
        self.assertIn("no given file", root.find(".//error").get("message"))
        self.refused("check", "counter.erl", "--junit", "nowhere/results.xml", says="--junit")

    def test_names_that_no_generator_gives_are_refused(self):
        suite = SUITES / "forms_tests.erl"
        self.refused("check", suite, "-t", "forms_tests:list_test_/9",
                     says=["-t forms_tests:list_test_/9: forms_tests:list_test_/0 gives no such test", "ravel tests"])
        self.refused("check", suite, "-t", "forms_tests:list_test_/1/1", says="gives no such test")
        self.refused("check", suite, "-t", "forms_tests:list_test_/x", says="a test has no arguments")
        self.refused("check", suite, "-t", "forms_tests:plain_test/2", says="a test has no arguments")
        self.write("empty.erl", '-module(empty).\n-export([none_test_/0]).\nnone_test_() -> [].\n')
        self.refused("check", "empty.erl", says="there is no test")

    def test_a_ticket_of_a_setup_that_failed_outlives_its_repair(self):
        broken = """\
-module(broken).
-export([fixture_test_/0]).
fixture_test_() -> {setup, fun() -> error(no_setup) end, [fun() -> ok end, fun() -> ok end]}.
"""
        self.write("broken.erl", broken)
        run = self.expect(1, "check", "broken.erl")
        self.assertIn("setup_failed: a process fails with the error no_setup", run.stdout)
        self.assertIn("fails: setup_failed, no_setup", run.stdout)
        (ticket,) = self.tickets()
        self.expect(1, "replay", ticket)
        self.write("broken.erl", broken.replace("error(no_setup)", "ok"))
        self.assertIn("broken has changed", self.expect(0, "replay", ticket).stdout)
        self.write("broken.erl", broken.replace("fixture_test_", "other_test_"))
        self.refused("replay", ticket, says="this ticket is of another program")

    def test_a_module_that_wraps_its_tests_is_run_as_it_says(self):
        self.write("wrapped.erl", """\
-module(wrapped).
-export([eunit_wrapper_/1, one_test/0, two_test_/0]).
eunit_wrapper_(Tests) -> {"wrapped", {setup, fun() -> put(key, 1) end, {spawn, Tests}}}.
one_test() -> undefined = get(key).
two_test_() -> {"two", fun() -> 1 = get(key) end}.
""")
        self.expect(1, "check", "wrapped.erl", "--json", "results.json")
        self.assertEqual(
            [(test["test"], test["title"], test["verdict"]) for test in self.results()["tests"]],
            [("wrapped:eunit_wrapper_/1/1/1", "wrapped", "pass"), ("wrapped:eunit_wrapper_/1/1/2", "wrapped: two", "bug")],
        )

    def test_the_tests_of_a_module_are_also_found_in_a_code_folder(self):
        self.write("counter.erl", COUNTER)
        self.write("ebin/counter_tests.erl", COUNTER_TESTS)
        subprocess.run(["erlc", "counter_tests.erl"], cwd=self.folder / "ebin", check=True, capture_output=True)
        lines = self.expect(0, "tests", "counter.erl", "--pa", "ebin").stdout.splitlines()
        self.assertEqual(lines[0], "counter_tests:counter_test_/1/1/1  a counter: counts up")
        self.assertEqual(len(lines), 3)


if __name__ == "__main__":
    unittest.main()
