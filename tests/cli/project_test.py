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
{profiles, [{test, [{erl_opts, [nowarn_export_all, {d, 'TEST'}, {d, 'LIMIT', 11}]}]}]}.
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

    def test_one_that_mix_could_build_too_needs_no_mix(self):
        self.single()
        self.write("mix.exs", MIX)
        self.expect(0, "check", "-t", "counter:inside_test")

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
        self.write("test/all_tests.erl", """\
-module(all_tests).
-export([all_test/0]).
all_test() ->
    {_, _, _} = ant:both_test(),
    "ant" = filename:basename(code:lib_dir(ant)).
""")
        self.assertEqual(self.results_of(0), {"ant:both_test": "pass", "all_tests:all_test": "pass"})

    def test_dependencies_are_taken_from_what_was_built(self):
        self.single(REBAR.replace("{test, [", '{test, [{deps, [forgotten]}, ') + '{deps, [dep, {other, "1.0"}]}.\n')
        tool = self.write("tools/rebar3", "#!/bin/sh\necho 'Package not found: forgotten'\nexit 1\n")
        tool.chmod(0o755)
        run = self.expect(2, "check", env={"PATH": f"{tool.parent}:{os.environ['PATH']}"})
        error, *quoted = run.stderr.splitlines()
        self.assertTrue(error.startswith("ravel: rebar.config: the dependency dep is not built"), run.stderr)
        self.assertIn("'rebar3 as test compile', which would build it, has failed:", error)
        self.assertIn("forgotten", "".join(quoted))
        self.assertTrue(all(line.startswith("  | ") for line in quoted), run.stderr)
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
        # One that only tests need may be missing, and one that is installed is there.
        self.assertIn("the dependency forgotten is not built", self.expect(0, "tests").stderr)
        (self.folder / "test/counter_SUITE.erl").unlink()  # it does not compile, which is told
        self.write("libraries/forgotten-1.2/ebin/forgotten.app", "{application, forgotten, []}.\n")
        self.assertEqual(self.expect(0, "tests", env={"ERL_LIBS": "libraries"}).stderr, "")

    def test_the_application_can_be_started_without_having_been_built(self):
        self.single()
        self.write("src/counter.app.src", """\
%% Starts nothing.
{application, counter, [{vsn, git}, {modules, []}, {applications, [kernel, stdlib]}, {env, [{limit, {7, "x"}}]}]}.
""")
        self.write("test/started_tests.erl", """\
-module(started_tests).
-export([all_test/0]).
all_test() ->
    {ok, [counter]} = application:ensure_all_started(counter),
    {ok, {7, "x"}} = application:get_env(counter, limit),
    {ok, [counter, counter_like]} = application:get_key(counter, modules),
    {ok, "0"} = application:get_key(counter, vsn),
    {ok, Names} = file:list_dir("src"),
    true = lists:member("counter.app", Names).
""")
        self.assertEqual(self.results_of(0, "-t", "started_tests")["started_tests:all_test"], "pass")
        # What was built comes first.
        self.write("_build/default/lib/counter/ebin/counter.app", APP)
        self.assertEqual(self.results_of(1, "-t", "started_tests")["started_tests:all_test"], "bug")
        (self.folder / "_build/default/lib/counter/ebin/counter.app").unlink()
        self.write("src/counter.app.src", "{application, counter, [}.\n")
        self.assertIn("counter.app", self.expect(1, "check", "-t", "started_tests").stdout)

    def test_further_source_folders_of_the_profile_test_belong_to_the_tests(self):
        self.single(REBAR.replace("{test, [", '{test, [{extra_src_dirs, ["test/support", {"more", []}, "test"]}, '))
        self.write("test/support/supporter.erl", """\
-module(supporter).
-export([one/0]).
-include("more.hrl").
one() -> ?ONE.
""")
        self.write("more/more.hrl", "-define(ONE, 1).\n")
        self.write("more/more_tests.erl", "-module(more_tests).\n-export([one_test/0]).\none_test() -> 1 = supporter:one().\n")
        self.assertEqual(self.results_of(0, "-t", "more_tests"), {"more_tests:one_test": "pass"})

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
        # Mix builds it, and there is nothing to build.
        self.refused("check", says=["mix.exs: the application sample is not built", "no module in _build/test/lib/sample/ebin"])
        self.build("test", "dep", "dep", "-module(dep).\n-export([value/0, dep_test/0]).\nvalue() -> 5.\ndep_test() -> ok.\n")
        self.refused("check", says="mix.exs: the application sample is not built")
        self.build("test", "sample", "sample", "-module(sample).\n-export([a_test/0]).\na_test() -> 5 = dep:value().\n")
        self.expect(0, "check", "--no-start", "--json", "results.json")
        self.assertEqual(self.results()["test"], "sample:a_test")
        # The build for tests is preferred.
        self.build("dev", "sample", "sample", "-module(sample).\n-export([b_test/0]).\nb_test() -> ok.\n")
        self.assertEqual(self.expect(0, "tests").stdout, "sample:a_test\n")

        path = self.write("lib/sample.ex", "defmodule Sample do\nend\n")
        os.utime(path, (time.time() + 100, time.time() + 100))
        self.assertIn("lib/sample.ex has changed since sample was built", self.expect(0, "tests").stderr)
        # Mix gives its files whole seconds, so a source that it has just built may seem to be a part of a second younger.
        second = int(time.time())
        for beam in self.folder.glob("_build/test/lib/sample/ebin/*.beam"):
            os.utime(beam, (second, second))
        os.utime(path, (second + 0.75, second + 0.75))
        self.assertEqual(self.expect(0, "tests").stderr, "")

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
        self.expect(1, "check", "--preemptions", "1", "--after-infinite", "5000", "--json", "results.json")
        found = {one["test"]: one["bugs"][0]["kind"] if one["bugs"] else one["verdict"] for one in self.results()["tests"]}
        self.assertEqual(found, expected)
        self.assertFalse((self.folder / "tmp").exists())  # what @tag :tmp_dir makes is not on the host


SHOP = """\
defmodule Shop.Application do
  use Application
  def start(_, _) do
    start_with = Application.fetch_env!(:shop, :start_with)
    Supervisor.start_link([{Shop.Stock, start_with}, Shop.Clock], strategy: :one_for_one, name: Shop.Supervisor)
  end
end

defmodule Shop.Stock do
  use GenServer
  require Logger
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def take, do: GenServer.call(__MODULE__, :take)
  def level, do: GenServer.call(__MODULE__, :level)
  def init(n), do: {:ok, n}
  def handle_call(:take, _, 0), do: {:reply, :sold_out, 0}
  def handle_call(:take, _, n) do
    Logger.warn("took one of #{n}")
    Logger.info("below the level of the configuration")
    {:reply, :ok, n - 1}
  end
  def handle_call(:level, _, n), do: {:reply, n, n}
end

defmodule Shop.Clock do
  use GenServer
  def start_link(_), do: GenServer.start_link(__MODULE__, 0, name: __MODULE__)
  def init(n) do
    Process.sleep(10)
    Process.send_after(self(), :once, 20)
    {:ok, n}
  end
  def handle_info(:once, n), do: {:noreply, n + 1}
  def handle_call(:ticks, _, n), do: {:reply, n, n}
end
"""

SHOP_TEST = """\
defmodule ShopTest do
  use ExUnit.Case
  test "the application runs as configured" do
    assert Shop.Stock.level() == 5
    assert {:test, 3, [a: 1]} ==
             {Application.get_env(:shop, :env), Application.get_env(:shop, :limit), Application.get_env(:shop, :from_helper)}
    assert Logger.level() == :warning
    assert Shop.Stock.take() == :ok
  end
  test "each execution begins with it" do
    assert Shop.Stock.level() == 5
    assert Shop.Stock.take() == :ok
    assert Shop.Stock.level() == 4
  end
  test "its timer goes on" do
    assert GenServer.call(Shop.Clock, :ticks) == 0
  end
  test "two take" do
    me = self()
    for n <- 1..2, do: spawn(fn -> send(me, {n, Shop.Stock.take(), Shop.Stock.level()}) end)
    assert_receive {1, :ok, level}
    assert level == 4
  end
  test "a backend is not to be had" do
    Logger.flush()
    Logger.configure(level: :error)
    assert Logger.level() == :error
    apply(Logger, :add_backend, [:console])  # not by its name, which newer compilers warn of
  end
end
"""


@unittest.skipIf(shutil.which("mix") is None, "no mix is installed (on Debian: the package elixir)")
class MixApplication(CommandTest):
    """A project with an application of its own, which `mix test` starts before the tests."""

    def setUp(self):
        super().setUp()
        project = MIX.replace("sample", "shop").replace("Sample", "Shop")
        self.write("mix.exs", project.replace("[:logger]", "[:logger], mod: {Shop.Application, []}, env: [limit: 3]"))
        self.write("config/config.exs", 'import Config\nconfig :shop, start_with: 5\nimport_config "#{config_env()}.exs"\n')
        self.write("config/test.exs", "import Config\nconfig :shop, env: :test\nconfig :logger, level: :warning\n")
        self.write("test/test_helper.exs", """\
Application.put_env(:shop, :from_helper, a: 1)
{:ok, _} = Application.ensure_all_started(:logger)
ExUnit.start()
""")
        self.write("test/shop_test.exs", SHOP_TEST)
        self.compile(SHOP)

    def compile(self, text):
        self.write("lib/shop.ex", text)
        environment = {**os.environ, "MIX_ENV": "test", "MIX_HOME": str(self.folder / "home"), "HEX_OFFLINE": "1"}
        subprocess.run(["mix", "compile", "--force"], cwd=self.folder, env=environment, check=True, capture_output=True)

    def verdicts(self, status, *options):
        run = self.expect(status, "check", "--after-infinite", "5000", "--strategy", "dpor", "--json", "results.json", *options)
        verdicts = {one["test"].removeprefix("ShopTest:test "): one["verdict"] for one in self.results()["tests"]}
        return verdicts, run

    def test_it_runs_before_each_test(self):
        verdicts, run = self.verdicts(1)
        self.assertEqual(verdicts, {
            "the application runs as configured": "pass",
            "each execution begins with it": "pass",
            "its timer goes on": "pass",
            "two take": "bug",
            "a backend is not to be had": "unsupported",
        })
        self.assertRegex(run.stderr, r"the process Elixir\.Logger(\.BackendSupervisor)? of Elixir's own system")
        ticket = next(one for one in self.tickets() if "two.take" in one.name)
        replay = subprocess.run([os.environ["RAVEL"], "replay", ticket], cwd="/", capture_output=True, text=True)
        self.assertIn("The bug still happens", replay.stdout, replay.stderr)
        verdicts, _ = self.verdicts(1, "--time", "any")
        self.assertEqual(verdicts["its timer goes on"], "bug")  # it may have fired

    def test_what_it_logs_is_printed_from_its_level_on(self):
        run = self.expect(0, "run", "-t", "ShopTest:each execution begins with it")
        self.assertIn("took one of 5", run.stdout)
        self.assertNotIn("below the level", run.stdout)

    def test_reports_of_processes_and_supervisors_are_printed_if_it_wants_them(self):
        self.write("config/test.exs", "import Config\nconfig :shop, env: :test\n")
        self.write("test/shop_test.exs", """\
defmodule ShopTest do
  use ExUnit.Case
  test "a child ends" do
    GenServer.call(Shop.Stock, :unknown, :infinity)
  end
end
""")
        # As Erlang words them, or since Elixir 1.15 Elixir.
        server = r"\*\* Generic server|\[error\] GenServer Shop.Stock terminating"
        shown = [r"=PROGRESS REPORT|\[info\] Child Shop.Stock of Supervisor Shop.Supervisor started",
                 r"=CRASH REPORT|\[error\] Process Shop.Stock .* terminating"]
        story = self.expect(1, "check").stdout
        self.assertRegex(story, server)
        for title in shown:
            self.assertNotRegex(story, title)
        self.write("config/test.exs", "import Config\nconfig :shop, env: :test\nconfig :logger, handle_sasl_reports: true\n")
        story = self.expect(1, "check").stdout
        for title in shown:
            self.assertRegex(story, title)

    def test_it_can_be_left_out(self):
        verdicts, _ = self.verdicts(1, "--no-start")
        self.assertEqual(set(verdicts.values()), {"bug", "unsupported"})

    def test_that_it_does_not_start_is_told(self):
        self.write("config/config.exs", "import Config\n")
        self.refused("check", says=["application_not_started,shop", "could not fetch application environment :start_with", "--no-start"])
        self.write("config/config.exs", "import Config\nconfig :shop, start_with: fn -> 5 end\n")
        run = self.expect(2, "check")
        self.assertIn("config/config.exs: a value is neither data nor the name of a function", run.stderr)

    def test_what_its_start_needs_from_outside_is_refused_with_its_place(self):
        self.compile(SHOP.replace("Process.sleep(10)", "{:ok, _} = :gen_tcp.listen(0, [])"))
        run = self.expect(4, "check")
        self.assertIn("shop.ex:29: :gen_tcp.listen/2: the network leads outside the program", run.stderr)
        self.assertIn("--no-start leaves it out", run.stderr)

    def test_a_stub_is_there_when_a_dependency_is_first_called(self):
        self.write("far.ex", "defmodule Far do\n  def listen, do: :gen_tcp.listen(0, [])\nend\n")
        (self.folder / "_build/test/lib/far/ebin").mkdir(parents=True)
        subprocess.run(["elixirc", "-o", "_build/test/lib/far/ebin", "far.ex"], cwd=self.folder, check=True, capture_output=True)
        fake = "defmodule Shop.FakeTcp do\n  def listen(0, []), do: {:ok, :fake}\nend\n"
        self.compile(fake + SHOP.replace("Process.sleep(10)", "{:ok, :fake} = Far.listen()"))
        self.assertIn("Far.listen/0: the network leads outside", self.expect(4, "check").stderr)
        self.expect(0, "check", "-t", "ShopTest:each execution begins with it", "--after-infinite", "5000",
                    "--stub", "gen_tcp=Elixir.Shop.FakeTcp")


if __name__ == "__main__":
    unittest.main()
