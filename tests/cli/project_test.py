"""Projects of rebar3 and mix: without FILE, the command finds their modules, options and tests by itself."""

import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

from support import CommandTest

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "mix_project"

COUNTER = """\
-module(counter).
-behaviour(counter_like).
-export([start/0, next/1, limit/0]).
-include("counter.hrl").
-include_lib("eunit/include/eunit.hrl").
-ifdef(LIMIT).
limit() -> ?LIMIT.
-endif.
start() -> spawn(fun() -> loop(0) end).
loop(N) -> receive {next, From} -> From ! {n, N}, loop(N + ?STEP); stop -> ok end.
next(Pid) -> Pid ! {next, self()}, receive {n, N} -> N end.
-ifdef(TEST).
inside_test() -> P = start(), 0 = next(P), 1 = next(P), P ! stop.
-endif.
"""

COUNTER_LIKE = "-module(counter_like).\n-callback start() -> pid().\n"

COUNTER_TESTS = """\
-module(counter_tests).
-include_lib("eunit/include/eunit.hrl").
limit_test() -> ?assertEqual({10, on}, {counter:limit(), helper:flag()}).
race_test_() ->
    {setup, fun counter:start/0, fun(P) -> P ! stop end, fun(P) -> {"shared", ?_test(begin
        spawn(fun() -> counter:next(P) end),
        ?assertEqual(0, counter:next(P)) end)} end}.
"""

HELPER = """\
-module(helper).
-export([flag/0]).
-ifdef(FLAG).
flag() -> on.
-else.
flag() -> off.
-endif.
"""

# Makes a function `transformed/0` of every module.
TRANSFORM = """\
-module(add_function).
-export([parse_transform/2]).
parse_transform(Forms, _Options) ->
    {Before, [End]} = lists:split(length(Forms) - 1, Forms),
    [File, Module | Rest] = Before,
    [File, Module, {attribute, 1, export, [{transformed, 0}]} | Rest] ++
        [{function, 1, transformed, 0, [{clause, 1, [], [], [{atom, 1, yes}]}]}, End].
"""

REBAR = """\
%% The project.
{erl_opts, [debug_info, warnings_as_errors, {d, 'LIMIT', 10}, {i, "hrl"}, {platform_define, "^2[0-9]", 'FLAG'},
            {platform_define, "^1[0-9]-", 'LIMIT', none}]}.
{profiles, [{test, [{erl_opts, [nowarn_export_all]}]}]}.
"""

APP = '{application, counter, [{description, "counts"}, {vsn, "1"}, {applications, [kernel, stdlib]}]}.\n'


class Rebar(CommandTest):
    def single(self, config=REBAR):
        self.write("rebar.config", config)
        self.write("src/counter.app.src", APP)
        self.write("src/counter.erl", COUNTER)
        self.write("src/zz/counter_like.erl", COUNTER_LIKE)
        self.write("hrl/counter.hrl", "-define(STEP, 1).\n")
        self.write("test/counter_tests.erl", COUNTER_TESTS)
        self.write("test/helper.erl", HELPER)
        self.write("test/counter_SUITE.erl", "-module(counter_SUITE).\nthis does not compile\n")

    def results_of(self, status, *options):
        self.expect(status, "check", "--json", "results.json", *options)
        results = self.results()
        return {test["test"]: test["verdict"] for test in results.get("tests", [results])}

    def test_a_project_of_one_application_is_found_with_its_options_and_tests(self):
        self.single()
        tests = {"counter:inside_test": "pass", "counter_tests:limit_test": "pass", "counter_tests:race_test_/1/1": "bug"}
        self.assertEqual(self.results_of(1), tests)
        self.assertEqual(set(self.expect(0, "tests").stdout.split("\n")[:2]), {"counter:inside_test", "counter_tests:limit_test"})
        # The ticket holds all that it takes, also from another folder.
        (ticket,) = self.tickets()
        (self.folder / "elsewhere").mkdir()
        ticket = ticket.rename(self.folder / "elsewhere" / ticket.name)
        run = subprocess.run([os.environ["RAVEL"], "replay", ticket], cwd=self.folder / "elsewhere", capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("The bug still happens", run.stdout)
        self.assertEqual(run.stderr, "")
        # -t, -D and the like add to the project.
        self.assertEqual(self.results_of(1, "-t", "counter"), tests)
        self.assertEqual(self.results_of(0, "-t", "counter:inside_test", "-D", "MORE"), {"counter:inside_test": "pass"})
        self.expect(0, "run", "-t", "counter:inside_test")

    def test_a_project_without_a_config_is_found_by_its_application(self):
        self.single()
        (self.folder / "rebar.config").unlink()
        self.write("include/counter.hrl", "-define(STEP, 1).\n-define(LIMIT, 9).\n")
        self.assertEqual(self.results_of(1)["counter_tests:limit_test"], "bug")

    def test_applications_share_the_options_and_add_their_own(self):
        self.write("rebar.config", "{erl_opts, [{d, 'SHARED'}]}.\n")
        self.write("apps/zebra/src/zebra.app.src", APP.replace("counter", "zebra"))
        self.write("apps/zebra/src/add_function.erl", TRANSFORM)
        self.write("apps/zebra/include/zebra.hrl", "-define(ZEBRA, striped).\n")
        self.write("apps/ant/src/ant.app.src", APP.replace("counter", "ant"))
        self.write("apps/ant/rebar.config", "{erl_opts, [{d, 'ANT', small}]}.\n")
        self.write("apps/ant/src/ant.erl", """\
-module(ant).
-compile({parse_transform, add_function}).
-export([both_test/0]).
-include_lib("zebra/include/zebra.hrl").
-ifdef(SHARED).
both_test() -> {striped, small, yes} = {?ZEBRA, ?ANT, transformed()}.
-endif.
""")
        self.write("apps/nothing/README", "no application")
        self.write("test/all_tests.erl", "-module(all_tests).\n-export([all_test/0]).\nall_test() -> {_, _, _} = ant:both_test().\n")
        self.assertEqual(self.results_of(0), {"ant:both_test": "pass", "all_tests:all_test": "pass"})

    def test_dependencies_are_taken_from_what_was_built(self):
        self.single(REBAR + '{deps, [dep, {other, "1.0"}]}.\n')
        self.refused("check", says=["rebar.config: the dependency dep is not built", "rebar3 as test compile"])
        self.write("_build/default/lib/dep/ebin/dep.erl", "-module(dep).\n-export([value/0]).\nvalue() -> 5.\n")
        subprocess.run(["erlc", "dep.erl"], cwd=self.folder / "_build/default/lib/dep/ebin", check=True)
        self.refused("check", says="the dependency other is not built")
        self.write("_checkouts/other/include/other.hrl", "-define(OTHER, dep:value()).\n")
        self.write("_checkouts/other/ebin/other.app", "{application, other, []}.\n")
        self.write("test/dep_tests.erl", """\
-module(dep_tests).
-export([dep_test/0]).
-include_lib("other/include/other.hrl").
dep_test() -> 5 = ?OTHER.
""")
        self.assertEqual(self.results_of(0, "-t", "dep_tests"), {"dep_tests:dep_test": "pass"})

    def test_what_cannot_be_read_is_told_with_its_place(self):
        self.single("{erl_opts, [}.\n")
        self.refused("check", says="rebar.config:1: this is not an Erlang term")
        self.single('{erl_opts, [{platform_define, "(", x}]}.\n')
        self.refused("check", says='rebar.config: "(" in platform_define is no regular expression')
        self.single()
        self.write("rebar.config.script", "CONFIG.\n")
        self.assertIn("rebar.config.script is not run", self.expect(0, "check", "-t", "counter:inside_test").stderr)
        self.write("src/counter.erl", "-module(counter).\nf( -> ok.\n")
        run = self.expect(2, "check")
        self.assertIn("counter.erl:2:4: syntax error", run.stderr)

    def test_no_project_is_one_error(self):
        for command in ["check", "tests", "run"]:
            self.refused(command, says=["no file was given", "no rebar.config", "no mix.exs"])
        self.write("rebar.config", "")
        self.refused("check", says="rebar.config: there is no application")


MIX = """\
defmodule Sample.MixProject do
  use Mix.Project
  def project, do: [app: :sample, version: "0.1.0", elixir: "~> 1.14", deps: []]
  def application, do: [extra_applications: [:logger]]
end
"""


class Mix(CommandTest):
    """Modules as mix leaves them, written in Erlang so that no Elixir is needed."""

    def build(self, environment, name, module, text):
        ebin = self.folder / "_build" / environment / "lib" / name / "ebin"
        self.write(ebin / f"{module}.erl", text)
        subprocess.run(["erlc", f"{module}.erl"], cwd=ebin, check=True)

    def test_the_modules_of_the_application_are_taken_as_built(self):
        self.write("mix.exs", MIX)
        self.refused("check", says=["mix.exs: the project is not built", "mix compile"])
        self.build("test", "dep", "dep", "-module(dep).\n-export([value/0, dep_test/0]).\nvalue() -> 5.\ndep_test() -> ok.\n")
        self.refused("check", says="mix.exs: the application sample is not built")
        self.build("test", "sample", "sample", "-module(sample).\n-export([a_test/0]).\na_test() -> 5 = dep:value().\n")
        self.expect(0, "check", "--json", "results.json")
        self.assertEqual(self.results()["test"], "sample:a_test")
        # The build for tests is preferred.
        self.build("dev", "sample", "sample", "-module(sample).\n-export([b_test/0]).\nb_test() -> ok.\n")
        self.assertEqual(self.expect(0, "tests").stdout, "sample:a_test\n")

        path = self.write("lib/sample.ex", "defmodule Sample do\nend\n")
        os.utime(path, (time.time() + 100, time.time() + 100))
        self.assertIn("lib/sample.ex has changed since sample was built", self.expect(0, "tests").stderr)

    def test_an_umbrella_has_the_applications_below_it(self):
        self.write("mix.exs", "defmodule U do\n  def project, do: [apps_path: \"apps\"]\nend\n")
        for name in ["one", "two"]:
            self.write(f"apps/{name}/mix.exs", MIX.replace("sample", name))
            self.build("dev", name, name, f"-module({name}).\n-export([{name}_test/0]).\n{name}_test() -> ok.\n")
        self.assertEqual(self.expect(0, "tests").stdout, "one:one_test\ntwo:two_test\n")


@unittest.skipIf(shutil.which("mix") is None, "no mix is installed (on Debian: the package elixir)")
class MixProject(CommandTest):
    """The example, built by mix itself."""

    def setUp(self):
        super().setUp()
        shutil.copytree(EXAMPLE, self.folder, dirs_exist_ok=True)
        environment = {**os.environ, "MIX_ENV": "test", "MIX_HOME": str(self.folder / "home"), "HEX_OFFLINE": "1"}
        subprocess.run(["mix", "compile"], cwd=self.folder, env=environment, check=True, capture_output=True)

    def test_the_tests_of_the_example_end_as_it_says(self):
        expected = dict(re.findall(r"# expect: (.*) (\w+)$", (self.folder / "test/room_test.exs").read_text(), re.MULTILINE))
        self.assertEqual(len(expected), 8)
        listed = self.expect(0, "tests").stdout.splitlines()
        self.assertEqual(sorted(listed), sorted(expected))
        run = self.expect(1, "check", "--preemptions", "1", "--after-infinite", "5000", "--json", "results.json")
        found = {one["test"]: one["bugs"][0]["kind"] if one["bugs"] else one["verdict"] for one in self.results()["tests"]}
        self.assertEqual(found, expected)
        self.assertIn("@tag :tmp_dir", run.stderr)
        self.assertIn("capture_log listens to Elixir's Logger", run.stderr)


if __name__ == "__main__":
    unittest.main()
