"""Suites of Common Test: each test case its own exploration, with the verdicts that ct_run gives."""

import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from support import CommandTest

# Whatever a suite may say, once.
FEATURES = """\
-module(features_SUITE).
-include_lib("common_test/include/ct.hrl").
-compile([export_all, nowarn_export_all]).

suite() -> [{timetrap, {seconds, 30}}, {require, server}, {default_config, server, [{port, 80}]}].

all() ->
    [plain, {group, outer}, {group, together}, {testcase, again, [{repeat, 2}]}, skips, skips_by_throw, skips_by_exit,
     fails, returns_failed, exits_normally, {group, unwanted}, configured, skipped_before, failed_after, commented,
     bad_clean_up, init_crashes, {group, ordered}, {group, outer, [shuffle]}].

groups() ->
    [{outer, [], [one, {inner, [{repeat, 2}], [two]}]}, {together, [parallel], [left, right]}, {unwanted, [], [never]},
     {ordered, [sequence], [first, second]}].

init_per_suite(Config) ->
    {ok, Server} = store:start_link(),
    true = filelib:is_dir(?config(priv_dir, Config)),
    [{server, Server} | Config].

end_per_suite(Config) -> undefined = ?config(tc_status, Config), exit(nobody_minds).

group(inner) -> [{userdata, inner}];
group(_) -> [].

init_per_group(unwanted, _) -> {skip, "there is no such server"};
init_per_group(Group, Config) -> [{group, Group} | Config].

end_per_group(_, Config) -> {_, _} = lists:keyfind(tc_group_result, 1, Config), ok.

init_per_testcase(skipped_before, _) -> {skip, not_today};
init_per_testcase(init_crashes, _) -> error(no_init);
init_per_testcase(Case, Config) -> [{testcase, Case}, {pid, self()} | Config].

end_per_testcase(failed_after, _) -> {fail, no_cleanup};
end_per_testcase(bad_clean_up, _) -> error(nobody_minds);
end_per_testcase(_, Config) ->
    true = self() =:= ?config(pid, Config),
    ct:log("ends with ~p", [?config(tc_status, Config)]).

plain() -> [{timetrap, {minutes, 1}}].
plain(Config) ->
    plain = ?config(testcase, Config),
    undefined = ?config(group, Config),
    %% It was linked with the process of init_per_suite.
    false = is_process_alive(?config(server, Config)),
    File = filename:join(?config(priv_dir, Config), "a_file"),
    ok = file:write_file(File, "text"),
    {ok, <<"text">>} = file:read_file(File),
    {ok, <<"given">>} = file:read_file(filename:join(?config(data_dir, Config), "input")),
    ct:pal("~s ~p", ["pal", 1]),
    ct:print("print").

one(Config) -> outer = ?config(group, Config), {name, outer} = lists:keyfind(name, 1, ?config(tc_group_properties, Config)).
two(Config) ->
    inner = ?config(group, Config),
    [[{name, outer} | _]] = ?config(tc_group_path, Config).

left(_) -> ok.
right(_) -> ok.
again(_) -> ok.
skips(_) -> {skip, "no reason"}.
skips_by_throw(_) -> throw({skip, {one, reason}}).
skips_by_exit(_) -> exit({skipped, another}).
fails(_) -> ct:fail("the answer is ~p", [41]).
returns_failed(_) -> {failed, why}.
exits_normally(_) -> exit(normal).
never(_) -> ok.
configured(_) ->
    80 = ct:get_config({server, port}),
    [{port, 80}] = ct:get_config(server),
    undefined = ct:get_config(nothing),
    default = ct:get_config(nothing, default),
    ok = ct:require(server),
    {error, _} = ct:require(nothing).
skipped_before(_) -> ok.
failed_after(_) -> ok.
init_crashes(_) -> ok.
bad_clean_up(_) -> ok.
commented(_) -> ct:comment("so far ~p", [1]), ct:sleep(10), {comment, "done"}.
first(_) -> ok.
second(_) -> ok.
"""

STORE = """\
-module(store).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link(?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call({put, Value}, _From, _) -> {reply, ok, Value};
handle_call(get, _From, Value) -> {reply, Value, Value}.
handle_cast(_, Value) -> {noreply, Value}.
"""

# What the file gives, hooks, a lost update, and test cases that need each other.
RACY = """\
-module(racy_SUITE).
-include_lib("common_test/include/ct.hrl").
-export([all/0, groups/0, init_per_testcase/2, end_per_testcase/2, update/1, hooked/1, given/1, writes/1, reads/1, left/1, right/1]).

all() -> [update, hooked, given, {group, chain}, {group, both}].
groups() -> [{chain, [sequence], [writes, reads]}, {both, [parallel], [left, right]}].

init_per_testcase(_, Config) -> {ok, Store} = store:start_link(), [{store, Store} | Config].
end_per_testcase(_, Config) -> gen_server:stop(?config(store, Config)).

update(Config) ->
    Store = ?config(store, Config),
    Add = fun() -> ok = gen_server:call(Store, {put, gen_server:call(Store, get) + 1}) end,
    {Pid, Monitor} = spawn_monitor(Add),
    Add(),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    2 = gen_server:call(Store, get).

hooked(Config) -> by_hook = ?config(hook, Config).
given(_) -> 8080 = ct:get_config(port).
writes(_) -> {save_config, [{value, 7}]}.
reads(Config) -> {writes, [{value, 7}]} = ?config(saved_config, Config).
left(_) -> register(taken, self()).
right(_) -> undefined = whereis(taken).
"""

HOOK = """\
-module(adding_hook).
-export([init/2, pre_init_per_testcase/4]).
init(_Id, Value) -> {ok, Value}.
pre_init_per_testcase(_Suite, _Case, Config, Value) -> {[{hook, Value} | Config], Value}.
"""

APP = '{application, store, [{description, "keeps"}, {vsn, "1"}, {applications, [kernel, stdlib]}]}.\n'


class CommonTest(CommandTest):
    maxDiff = None
    def features(self):
        self.write("features_SUITE.erl", FEATURES)
        self.write("store.erl", STORE)
        self.write("features_SUITE_data/input", "given")

    def verdicts(self, status, *arguments):
        self.expect(status, "check", "--json", "results.json", *arguments)
        results = self.results()
        return {test["test"]: test["verdict"] for test in results.get("tests", [results])}

    def test_each_test_case_passes_fails_and_is_skipped_as_by_ct_run(self):
        self.features()
        ours = self.verdicts(1, "features_SUITE.erl", "store.erl")
        ours = {name.split(":")[1].split("/")[-1]: verdict for name, verdict in ours.items() if name != "features_SUITE:together"}
        # In another folder, because ct_run leaves what it has compiled.
        shutil.copytree(self.folder, self.folder / "by_ct_run", ignore=shutil.ignore_patterns("ravel-tickets", "*.json"))
        folder = self.folder / "by_ct_run"
        subprocess.run(["erlc", "store.erl"], cwd=folder, check=True)
        subprocess.run(["ct_run", "-noshell", "-suite", "features_SUITE", "-pa", ".", "-logdir", ".", "-ct_hooks", "cth_surefire"],
                       cwd=folder, capture_output=True)
        (report,) = folder.glob("ct_run*/junit_report.xml")
        theirs = {}
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            name = case.get("name")
            if not re.match("(init|end)_per_", name):
                kinds = {child.tag for child in case}
                theirs[name] = "bug" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "pass"
        # A function before the test case that crashes makes Common Test skip it; here its crash is shown.
        self.assertEqual((theirs.pop("init_crashes"), ours.pop("init_crashes")), ("skipped", "bug"))
        self.assertEqual(ours, theirs)

    def test_names_are_those_of_groups_and_test_cases(self):
        self.features()
        listed = self.expect(0, "tests", "features_SUITE.erl", "store.erl").stdout.splitlines()
        for line in ["features_SUITE:plain", "features_SUITE:outer/inner/two", "features_SUITE:together/left",
                     "features_SUITE:together  its 2 cases at the same time", "features_SUITE:again",
                     "features_SUITE:skips  skipped: no reason", "features_SUITE:skips_by_throw  skipped: {one,reason}",
                     "features_SUITE:unwanted/never  skipped: there is no such server"]:
            self.assertIn(line, listed)
        self.assertEqual(len(listed), len(set(listed)))
        files = ["features_SUITE.erl", "store.erl"]
        self.assertEqual(self.verdicts(0, *files, "-t", "features_SUITE:outer"),
                         {"features_SUITE:outer/one": "pass", "features_SUITE:outer/inner/two": "pass"})
        self.assertIn("has no such test case or group", self.expect(2, "check", *files, "-t", "features_SUITE:none").stderr)
        self.assertIn("is skipped: no reason", self.expect(0, "check", *files, "-t", "features_SUITE:skips").stdout)
        self.expect(0, "check", *files, "-t", "features_SUITE:skips", "-t", "features_SUITE:outer/one", "--junit", "junit.xml")
        (suite,) = xml.etree.ElementTree.parse(self.folder / "junit.xml").iter("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("skipped")), ("2", "1"))
        self.assertEqual([skip.get("message") for skip in suite.iter("skipped")], ["no reason"])

    def project(self):
        self.write("rebar.config", """\
{erl_opts, [debug_info]}.
{profiles, [{test, [{ct_opts, [{config, ["config/test.config"]}, {ct_hooks, [{adding_hook, by_hook}, cth_readable_failonly]}]}]}]}.
""")
        self.write("config/test.config", "{port, 8080}.\n{other, [1]}.\n")
        self.write("src/store.app.src", APP)
        self.write("src/store.erl", STORE)
        self.write("test/racy_SUITE.erl", RACY)
        self.write("test/adding_hook.erl", HOOK)

    def test_a_project_of_rebar3_has_suites_with_their_options(self):
        self.project()
        self.assertEqual(self.verdicts(1), {"racy_SUITE:update": "bug", "racy_SUITE:hooked": "pass", "racy_SUITE:given": "pass",
                                            "racy_SUITE:chain": "pass", "racy_SUITE:both/left": "pass", "racy_SUITE:both/right": "pass",
                                            "racy_SUITE:both": "bug"})
        (update,) = [test for test in self.results()["tests"] if test["test"] == "racy_SUITE:update"]
        self.assertEqual((update["bugs"][0]["file"], update["bugs"][0]["line"]), ("test/racy_SUITE.erl", 17))
        self.assertIn("The bug still happens", self.expect(1, "replay", update["bugs"][0]["ticket"]).stdout)

    def test_a_project_of_erlang_mk_has_suites(self):
        self.project()
        (self.folder / "rebar.config").unlink()
        (self.folder / "src/store.app.src").unlink()
        self.write("ebin/store.app", APP)
        self.write("Makefile", "PROJECT = store\nTEST_ERLC_OPTS += +'{parse_transform, none}' \\\n  +nowarn_x\nTEST_ERLC_OPTS = \ninclude erlang.mk\n")
        self.assertEqual(self.verdicts(1, "-t", "racy_SUITE:update"), {"racy_SUITE:update": "bug"})
        self.assertEqual(self.verdicts(0, "-t", "racy_SUITE:given", "--ct-config", "config/test.config"), {"racy_SUITE:given": "pass"})


if __name__ == "__main__":
    unittest.main()
