#!/usr/bin/env python3
"""The integrations with the real tools: rebar3, mix, and the script of the GitHub action.

usage: RAVEL=build/ravel integrations_test.py
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

RAVEL = pathlib.Path(os.environ["RAVEL"]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
INTEGRATIONS = ROOT / "integrations"
SERVER = ROOT / "examples" / "registration_server" / "step_07"
BUG = "reg_server_tests:multiple_stops_test"


class IntegrationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, status, *command, cwd=None, **environment):
        done = subprocess.run([str(word) for word in command], cwd=cwd or self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300, env={**os.environ, **environment})
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def write_application(self, folder):
        (folder / "src").mkdir(parents=True)
        (folder / "test").mkdir()
        shutil.copy(SERVER / "reg_server.erl", folder / "src")
        shutil.copy(SERVER / "reg_server_tests.erl", folder / "test")
        (folder / "src" / "reg.app.src").write_text(
            '{application, reg, [{description, "r"}, {vsn, "1"}, {applications, [kernel, stdlib]}]}.\n')


@unittest.skipUnless(shutil.which("rebar3"), "rebar3 is not installed")
class Rebar3Test(IntegrationTest):
    def setUp(self):
        super().setUp()
        self.write_application(self.folder)
        (self.folder / "_checkouts").mkdir()
        shutil.copytree(INTEGRATIONS / "rebar3_ravel", self.folder / "_checkouts" / "rebar3_ravel")
        self.configure(RAVEL)

    def configure(self, executable, arguments="[]"):
        (self.folder / "rebar.config").write_text(
            "{project_plugins, [rebar3_ravel]}.\n"
            f'{{ravel, [{{executable, "{executable}"}}, {{arguments, {arguments}}}]}}.\n')

    def test_a_bug_is_told_and_its_status_handed_on(self):
        done = self.call(1, "rebar3", "ravel", "-t", BUG, "--json", "results.json", "--budget=60s", "-j1")
        self.assertIn("waits for ever", done.stdout)
        self.assertIn("src/reg_server.erl:37", done.stdout)
        self.assertEqual(json.loads((self.folder / "results.json").read_text())["verdict"], "bug")

    def test_a_pass_is_one(self):
        done = self.call(0, "rebar3", "ravel", "-t", "reg_server_tests:start_stop_test")
        self.assertIn("No bug in the only trace.", done.stdout)

    def test_arguments_of_every_call_are_in_the_configuration(self):
        self.configure(RAVEL, f'["-t", "{BUG}", "-q"]')
        done = self.call(1, "rebar3", "ravel")
        self.assertIn(BUG + ": a process waits for ever", done.stdout)

    def test_ravel_refuses_its_options_itself(self):
        done = self.call(2, "rebar3", "ravel", "--nonsense")
        self.assertIn("--nonsense", done.stderr)

    def test_a_missing_ravel_is_told_with_the_way_out(self):
        self.configure("/nowhere/ravel")
        done = self.call(1, "rebar3", "ravel")
        self.assertIn("ravel is not installed: there is no program /nowhere/ravel in PATH", done.stdout + done.stderr)


@unittest.skipUnless(shutil.which("mix"), "mix is not installed")
class MixTest(IntegrationTest):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        shutil.copytree(ROOT / "examples" / "mix_project", self.project, ignore=shutil.ignore_patterns("_build"))
        shutil.copytree(INTEGRATIONS / "mix_ravel", self.folder / "mix_ravel")
        self.configure(RAVEL)

    def configure(self, executable):
        mix = ROOT.joinpath("examples", "mix_project", "mix.exs").read_text()
        changed = mix.replace(
            "deps: []]",
            'deps: [{:mix_ravel, path: "../mix_ravel", only: :test, runtime: false}],\n'
            f'     ravel: [executable: "{executable}", arguments: ["--after-infinite", "5000"]]]')
        self.assertNotEqual(mix, changed)
        (self.project / "mix.exs").write_text(changed)

    def test_a_bug_is_told_and_its_status_handed_on(self):
        done = self.call(1, "mix", "ravel", "-t", "RoomTest:messages of two speakers are in order", cwd=self.project,
                         MIX_ENV="test")
        self.assertIn("What makes the difference", done.stdout)

    def test_a_pass_is_one(self):
        self.call(0, "mix", "ravel", "-t", "RoomTest:a member can join", cwd=self.project, MIX_ENV="test")

    def test_a_missing_ravel_is_told_with_the_way_out(self):
        self.configure("/nowhere/ravel")
        done = self.call(1, "mix", "ravel", cwd=self.project, MIX_ENV="test")
        self.assertIn("ravel is not installed: there is no program /nowhere/ravel in PATH", done.stderr)


class ActionTest(IntegrationTest):
    def check(self, status, **environment):
        variables = {"RAVEL_PACKAGE": "", "RAVEL_ARGUMENTS": "", "RAVEL_RESULTS": "results",
                     "GITHUB_OUTPUT": str(self.folder / "output"), "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
                     "PATH": f"{RAVEL.parent}:{os.environ['PATH']}"}
        return self.call(status, INTEGRATIONS / "github-action" / "check.sh", cwd=self.folder / "project",
                         **{**variables, **environment})

    def setUp(self):
        super().setUp()
        self.write_application(self.folder / "project")
        self.results = self.folder / "project" / "results"

    def test_results_are_left_and_the_status_handed_on(self):
        self.check(1, RAVEL_ARGUMENTS=f"-t '{BUG}' --budget 60s")
        (ticket,) = (self.results / "tickets").glob("*.ticket.json")
        sarif = json.loads((self.results / "ravel.sarif").read_text())
        (result,) = sarif["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "src/reg_server.erl")
        self.assertEqual(result["properties"]["replay"], f"ravel replay results/tickets/{ticket.name}")
        steps = [step["executionOrder"] for flow in result["codeFlows"][0]["threadFlows"] for step in flow["locations"]]
        self.assertEqual(sorted(steps), list(range(1, len(steps) + 1)))
        self.assertEqual(xml.etree.ElementTree.parse(self.results / "ravel.xml").getroot().get("failures"), "1")
        self.assertIn("status=1\nresults=results\n", (self.folder / "output").read_text())
        self.assertIn("ravel replay", (self.folder / "summary").read_text() + (self.results / "ravel.txt").read_text())

    def test_a_pass_is_one(self):
        self.check(0, RAVEL_ARGUMENTS="-t reg_server_tests:start_stop_test")
        self.assertIn("status=0\n", (self.folder / "output").read_text())

    def test_bad_input_is_told(self):
        done = self.check(2, RAVEL_ARGUMENTS="-t nobody:knows")
        self.assertIn("nobody", done.stderr)
        sarif = json.loads((self.results / "ravel.sarif").read_text())
        self.assertFalse(sarif["runs"][0]["invocations"][0]["executionSuccessful"])

    def test_a_package_that_is_not_there_is_told(self):
        done = self.check(2, RAVEL_PACKAGE="nowhere.deb")
        self.assertIn("There is no package nowhere.deb", done.stderr)

    def test_inputs_of_the_action_reach_the_script(self):
        action = (INTEGRATIONS / "github-action" / "action.yml").read_text()
        script = (INTEGRATIONS / "github-action" / "check.sh").read_text()
        for variable in ("RAVEL_PACKAGE", "RAVEL_ARGUMENTS", "RAVEL_RESULTS"):
            self.assertIn(f"{variable}: ${{{{ inputs.", action)
            self.assertIn(f"${variable}", script)


if __name__ == "__main__":
    unittest.main()
