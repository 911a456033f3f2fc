"""Elixir: its standard library, ExUnit cases with the results that ExUnit itself gives, names of tests, examples."""

import pathlib
import re
import shutil
import subprocess
import unittest

from support import CommandTest

ELIXIR = pathlib.Path(__file__).parent / "elixir"
FORMS = [ELIXIR / "forms_helper.ex", ELIXIR / "forms_test.exs"]
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

# One schedule each, near enough: these tests are about single tests, not about schedules.
ONE = ["--strategy", "dfs", "--budget", "1x", "--after-infinite", "5000"]

WAITING = """\
defmodule WaitingTest do
  use ExUnit.Case

  test "waits for ever" do
    spawn(fn -> :ok end)
    assert_receive {:never, _}
  end

  test "leaves servers behind" do
    {:ok, _} = Agent.start(fn -> 1 end)
    spawn(fn -> receive do :never -> :ok end end)
  end
end
"""


@unittest.skipIf(shutil.which("elixir") is None, "no elixir is installed (on Debian: the package elixir)")
class Elixir(CommandTest):
    def elixir(self, *arguments):
        return subprocess.run(["elixir", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=300)

    def check(self, *arguments):
        self.ravel("check", *arguments, "-q", "--json", "results.json")
        results = self.results()
        return {test["test"]: test for test in results.get("tests", [results])}

    def test_the_standard_library_prints_what_it_prints_in_elixir(self):
        source = ELIXIR / "features.ex"
        expected = self.elixir("-r", source, "-e", "Features.main()")
        self.assertEqual(expected.returncode, 0, expected.stderr)
        found = self.ravel("run", source, "-t", "Features:main")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(found.stdout.splitlines(), expected.stdout.splitlines())

    def test_a_case_has_the_tests_and_results_that_exunit_gives_it(self):
        subprocess.run(["elixirc", FORMS[0]], cwd=self.folder, check=True, timeout=300)
        ran = self.elixir("-pa", ".", "-e", "ExUnit.start(trace: true, seed: 0)", "-r", FORMS[1])
        tests = re.findall(r"^\s+\* ((?:test|doctest) .*?) \(.*?ms\)", ran.stdout, re.MULTILINE)
        skipped = re.findall(r"^\s+\* (test .*?) \(skipped\)", ran.stdout, re.MULTILINE)
        failed = set(re.findall(r"^\s+\d+\) ((?:test|doctest) .*?)(?: \(\d+\))? \(\w+\)$", ran.stdout, re.MULTILINE))
        results = self.check(*FORMS, *ONE)
        results = {re.sub(r" \(\d+\)$", "", name): test for name, test in results.items()}  # as the formatter prints doctests
        found = {name.split(":", 1)[1] for name in results}
        self.assertEqual({test for test in tests} - {"test fails"}, found - {"test fails"}, ran.stdout)
        self.assertFalse(set(skipped) & found)
        for name, test in results.items():
            fails = name.split(":", 1)[1] in failed or name == "BadSetupAllTest:test fails"
            self.assertEqual(test["verdict"] == "bug", fails, name + " " + test["verdict"])

    def test_assertions_are_told_with_both_sides_and_exceptions_by_name(self):
        results = self.check(*FORMS, *ONE)

        def bug(name):
            return results[name]["bugs"][0]

        comparison = bug("FormsTest:test fails in a comparison")
        self.assertEqual(comparison["kind"], "assertion")
        self.assertEqual(comparison["message"], "Assertion with == failed: left: 2, right: 3")
        self.assertTrue(comparison["file"].endswith("forms_test.exs"))
        self.assertEqual(bug("FormsTest:test fails in a match")["message"], "match (=) failed: right: {:error, 1}")
        self.assertIn("RuntimeError: boom", bug("FormsTest:test fails by an exception")["message"])
        self.assertIn(":gone", bug("FormsTest:test fails by an exit")["message"])
        self.assertIn(":ball", bug("FormsTest:test fails by a throw")["message"])
        self.assertIn("said so", bug("FormsTest:test fails by flunk")["message"])
        self.assertIn("too late", bug("BadExitTest:test fails afterwards")["message"])

    def test_a_test_is_named_by_itself_or_by_the_end_of_its_name(self):
        for name in ["FormsTest:test a group has its own setup and tags", "FormsTest:has its own setup and tags",
                     "Elixir.FormsTest:a group has its own setup and tags"]:
            self.assertEqual(list(self.check(*FORMS, "-t", name, *ONE)), ["FormsTest:test a group has its own setup and tags"])
        self.expect(2, "check", *FORMS, "-t", "FormsTest:no such test")
        self.expect(2, "check", *FORMS, "-t", "NoTest")
        self.assertIn("BadSetupTest:test fails", self.check(*FORMS, "-t", "BadSetupTest", *ONE))

    def test_a_case_with_parameters_runs_each_test_with_each(self):
        if self.elixir("-e", "unless Version.match?(System.version(), \">= 1.18.0\"), do: exit({:shutdown, 77})").returncode != 0:
            self.skipTest("parameters of cases are new in Elixir 1.18")
        self.write("parameters_test.exs", """\
defmodule ParametersTest do
  use ExUnit.Case, async: true, parameterize: [%{limit: 1}, %{limit: 2, path: "a/b:c"}]
  setup_all %{limit: limit, async: true} = context, do: {:ok, double: 2 * limit, keys: Map.keys(context)}
  test "is small", %{limit: limit, double: double, test_pid: pid} do
    assert {pid, double} == {self(), 2 * limit}
    assert limit < 2
  end
  test "has it", context do
    assert context.limit in 1..2
    assert Map.get(context, :path, "a/b:c") == "a/b:c"
  end
  @tag :skip
  test "is skipped", %{limit: limit}, do: assert limit < 2
end
""")
        one, two = "%{limit: 1}", '%{path: "a/b:c", limit: 2}'
        listed = self.expect(0, "tests", "parameters_test.exs").stdout.splitlines()
        if f"ParametersTest:test is small {two}" not in listed:
            two = '%{limit: 2, path: "a/b:c"}'
        names = [f"ParametersTest:test {test} {parameters}" for parameters in [one, two] for test in ["is small", "has it"]]
        self.assertEqual(listed, names)
        found = self.check("parameters_test.exs")
        self.assertEqual({name: found[name]["verdict"] for name in names}, dict(zip(names, ["pass", "pass", "bug", "pass"])))
        native = self.elixir("-e", 'ExUnit.start(autorun: false); Code.require_file("parameters_test.exs"); ExUnit.run()')
        self.assertRegex(native.stdout, "6 tests, 1 failure, 2 skipped|Result: 3/4 passed, 2 skipped\nFailed: 1 test\n")  # since Elixir 1.20
        found = self.check("parameters_test.exs", "-t", "ParametersTest:has it")
        self.assertEqual(set(found), {names[1], names[3]})
        found = self.check("parameters_test.exs", "-t", names[2])
        self.assertEqual({name: test["verdict"] for name, test in found.items()}, {names[2]: "bug"})
        for named in ["is skipped", f"test is skipped {two}"]:  # it runs where it is named
            found = self.check("parameters_test.exs", "-t", f"ParametersTest:{named}")
            verdicts = {name.partition("skipped ")[2]: test["verdict"] for name, test in found.items()}
            self.assertEqual(verdicts, {one: "pass", two: "bug"} if named == "is skipped" else {two: "bug"})
        ticket = next(iter(found.values()))["bugs"][0]["ticket"]
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_test_helper_excludes_tests(self):
        self.write("test_helper.exs", "ExUnit.start()\nExUnit.configure(exclude: [:slow])\n")
        self.write("some_test.exs", "defmodule SomeTest do\n  use ExUnit.Case\n  @tag :slow\n  test \"a\", do: :ok\n"
                                    "  test \"b\", do: :ok\nend\n")
        listed = self.ravel("tests", "test_helper.exs", "some_test.exs")
        self.assertEqual(listed.stdout.split("\n")[:-1], ["SomeTest:test b"])

    def test_what_a_test_requires_is_compiled_once(self):
        self.write("test/test_helper.exs", "ExUnit.start(exclude: [:slow])\nApplication.put_env(:some, :from_helper, 1)\n"
                                           "defmodule Helper do\n  def one, do: 1\nend\n")
        # A folder that is named as an application is no application.
        self.write("test/kernel/some_test.exs", """\
Code.require_file("../test_helper.exs", __DIR__)
defmodule SomeTest do
  use ExUnit.Case
  @tag :slow
  test "a", do: :ok
  test "b" do
    assert Helper.one() == Application.fetch_env!(:some, :from_helper)
    assert to_string(:code.lib_dir(:kernel)) =~ ~r"/kernel-[0-9.]+$"
  end
end
""")
        for files in [["test/kernel/some_test.exs"], ["test/test_helper.exs", "test/kernel/some_test.exs"]]:
            self.assertEqual({name: test["verdict"] for name, test in self.check(*files).items()}, {"SomeTest:test b": "pass"})

    def test_a_stub_is_there_when_the_tests_of_a_case_are_listed(self):
        self.write("Elixir.StubTest.erl", "-module('Elixir.StubTest').\n-export(['__ex_unit__'/0, '__ex_unit__'/2, 'test a'/1]).\n"
                                          "'__ex_unit__'() -> #{tests => [#{name => Name, tags => #{}} || Name <- names:all()]}.\n"
                                          "'__ex_unit__'(_, Context) -> Context.\n'test a'(_) -> ok.\n")
        self.write("names.erl", "-module(names).\n-export([all/0]).\nall() -> error(not_for_tests).\n")
        self.write("fake.erl", "-module(fake).\n-export([all/0]).\nall() -> ['test a'].\n")
        files = ["Elixir.StubTest.erl", "names.erl", "fake.erl"]
        self.assertIn("cannot be listed", self.expect(2, "check", *files).stderr)
        self.assertEqual(list(self.check(*files, "--stub", "names=fake")), ["StubTest:test a"])

    def test_waiting_for_ever_is_a_bug_only_in_the_test(self):
        self.write("waiting_test.exs", WAITING)
        results = self.check("waiting_test.exs")
        self.assertEqual(results["WaitingTest:test leaves servers behind"]["verdict"], "pass")
        bug = results["WaitingTest:test waits for ever"]["bugs"][0]
        self.assertEqual((bug["kind"], bug["line"]), ("deadlock", 6))

    def test_what_a_receive_can_take_is_told_in_elixir(self):
        self.write("pong.ex", """\
defmodule Pong do
  def run do
    me = self()
    spawn(fn -> send(me, {:late, 1}) end)
    spawn(fn -> send(me, {:ok, 2}) end)
    receive do
      {:ok, n} when n > 1 -> 1 = n - 1
      {:late, _} ->
        exit(:late)
    end
  end
end
""")
        self.assertIn("receives P.1#1, under {:ok, n} when n > 1; {:late, _}", self.expect(0, "trace", "pong.ex", "-t", "Pong:run").stdout)
        self.expect(1, "check", "pong.ex", "-t", "Pong:run", "--json", "results.json")
        (change,) = self.results()["bugs"][0]["explanation"]["changes"]
        self.assertEqual(change["constraint"], "{:ok, n} when n > 1; {:late, _}")

    def test_a_ticket_is_replayed(self):
        counter = EXAMPLES / "elixir_counter"
        self.ravel("check", counter / "counter.ex", counter / "counter_test.exs", "-t", "CounterTest:two clients that increment")
        (ticket,) = (self.folder / "ravel-tickets").iterdir()
        replayed = self.ravel("replay", ticket)
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn("left: 1, right: 2", replayed.stdout)

    def test_compiled_modules_with_a_code_folder(self):
        counter = EXAMPLES / "elixir_counter"
        self.write("app/.keep", "")
        self.write("tests/.keep", "")
        compiled = self.elixir("-e", f"""ExUnit.start(autorun: false)
            {{:ok, _, _}} = Kernel.ParallelCompiler.compile_to_path(["{counter}/counter.ex"], "app")
            {{:ok, _, _}} = Kernel.ParallelCompiler.compile_to_path(["{counter}/counter_test.exs"], "tests")""")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        results = self.check("tests/Elixir.CounterTest.beam", "--pa", "app", "--preemptions", "1")
        self.assertEqual([test["verdict"] for test in results.values()], ["pass", "bug", "pass"])
        bug = results["CounterTest:test two clients that increment"]["bugs"][0]
        self.assertTrue(bug["file"].endswith("counter_test.exs"))

    def test_without_elixir(self):
        for file in [EXAMPLES / "elixir_counter" / "counter.ex", "tests/Elixir.Some.beam"]:
            if file != EXAMPLES / "elixir_counter" / "counter.ex":
                self.write("some.ex", "defmodule Some do\n  def f, do: 1\nend\n")
                self.write("tests/.keep", "")
                subprocess.run(["elixirc", "-o", "tests", "some.ex"], cwd=self.folder, check=True, timeout=300)
            self.refused("check", file, "-t", "Some:f", says="no Elixir is installed", env={"RAVEL_ELIXIR": "/nowhere"})

    def test_what_does_not_compile_is_shown_as_elixir_shows_it(self):
        self.write("bad.ex", "defmodule Bad do\n  def f(, do: 1\nend\n")
        self.assertRegex(self.expect(2, "check", "bad.ex").stderr, "SyntaxError|MismatchedDelimiterError")

    def test_examples(self):
        options = {"elixir_counter": ["--preemptions", "1"], "elixir_rooms": ["--preemptions", "0", "--after-infinite", "5000"]}
        for example, how in options.items():
            (test,) = (EXAMPLES / example).glob("*_test.exs")
            expected = dict(re.findall(r"^# expect: (.*) (\w+)$", test.read_text(), re.MULTILINE))
            results = self.check(*(EXAMPLES / example).glob("*.ex"), test, *how)
            found = {name: one["bugs"][0]["kind"] if one["bugs"] else one["verdict"] for name, one in results.items()}
            self.assertEqual(found, expected)
        # What a task exits with has a stack trace; the message has none, since its lines move when the program is edited.
        message = results["RoomsTest:test two guests enter"]["bugs"][0]["message"]
        self.assertTrue(message.startswith("a process raises MatchError: no match of right hand side value: {:error"), message)
        self.assertNotIn("rooms.ex", message)


if __name__ == "__main__":
    unittest.main()
