"""ravel mcp: an assistant lists tests, checks them, looks into a bug, and sends nonsense."""

import json
import pathlib
import shutil
import subprocess
import unittest

import support
from support import RACE, CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


class McpTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.process = subprocess.Popen([support.RAVEL, "mcp"], cwd=self.folder, env=self.environment(None),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.close)
        self.number = 0

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process.kill()
        self.process.wait()

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **parameters):
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}))
        answer = self.receive()
        self.assertEqual((answer["jsonrpc"], answer["id"]), ("2.0", self.number))
        return answer

    def call(self, tool, **arguments):
        """What the tool answers."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        self.assertFalse(result["isError"], result["content"])
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        return result["structuredContent"]

    def fails(self, tool, says, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        self.assertTrue(result["isError"], result)
        self.assertIn(says, result["content"][0]["text"])

    def test_it_greets_and_lists_its_tools(self):
        for version in ("2025-06-18", "2024-11-05"):
            greeting = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={})["result"]
            self.assertEqual(greeting["protocolVersion"], version)
            self.assertEqual(greeting["serverInfo"]["name"], "ravel")
        self.assertEqual(self.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"], "2025-06-18")
        self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        self.assertEqual(self.ask("ping")["result"], {})
        tools = {tool["name"]: tool for tool in self.ask("tools/list")["result"]["tools"]}
        self.assertEqual(set(tools), {"tests", "check", "replay", "explain", "look", "what_if"})
        for tool in tools.values():
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertGreater(len(tool["description"]), 20)
        self.assertEqual(tools["look"]["inputSchema"]["required"], ["ticket", "steps"])

    def test_from_a_program_to_a_bug_and_what_makes_the_difference(self):
        self.write("race.erl", RACE)
        names = [test["name"] for test in self.call("tests", files=["race.erl"])["tests"]]
        self.assertIn("race:lost_test", names)
        passed = self.call("check", files=["race.erl"], tests=["race:fine_test"])
        self.assertEqual((passed["verdict"], passed["coverage"]["complete"]), ("pass", True))
        found = self.call("check", files=["race.erl"], tests=["race:both_test"], options=["--keep-going"])
        self.assertEqual(found["verdict"], "bug")
        bug = next(bug for bug in found["bugs"] if bug["kind"] == "abnormal_exit")
        ticket = bug["ticket"]

        replayed = self.call("replay", ticket=ticket)
        self.assertEqual(replayed["outcome"], "the bug still happens")
        self.assertEqual(replayed["bug"]["kind"], "abnormal_exit")
        self.assertIn("exits with reason second", replayed["story"])
        lost = self.call("check", files=["race.erl"], tests=["race:lost_test"])["bugs"][0]["ticket"]
        explanation = self.call("explain", ticket=lost)["explanation"]
        self.assertTrue(explanation.startswith("What makes the difference:"), explanation)
        self.assertIn("in the other order, the test passes", explanation)

        beginning = self.call("look", ticket=ticket, steps=0)
        self.assertEqual(beginning["choices"], [{"actor": "P", "alternative": 0}])
        self.assertEqual([state["actor"] for state in beginning["states"]], ["P"])
        # Both have been started; whoever is chosen sends first.
        outcomes = set()
        for actor in ("P.1", "P.2"):
            tried = self.call("what_if", ticket=ticket, steps=2, actor=actor)
            outcomes.add(tried["outcome"])
            self.assertIn(actor, tried["story"])
        self.assertEqual(outcomes, {"abnormal_exit", "deadlock"})
        self.assertEqual(self.call("what_if", ticket=ticket, steps=0)["outcome"], "deadlock")

        self.write("race.erl", RACE.replace("2 -> exit(second)", "2 -> ok"))
        replayed = self.call("replay", ticket=ticket)
        self.assertNotEqual(replayed["outcome"], "the bug still happens")
        self.assertEqual(replayed["changed"], ["race"])

    def test_programs_of_threads_and_in_p(self):
        build = pathlib.Path(support.RAVEL).parent
        subprocess.run([build / "ravel-c++", EXAMPLES / "threads" / "account.cc", "-o", "account"], cwd=self.folder, check=True)
        shutil.copy(EXAMPLES / "p" / "lost_update.p", self.folder)
        for file in ("./account", "lost_update.p"):
            found = self.call("check", files=[file], budget="30s")
            self.assertEqual(found["verdict"], "bug")
            ticket = found["bugs"][0]["ticket"]
            steps = self.call("replay", ticket=ticket)["steps"]
            looked = self.call("look", ticket=ticket, steps=steps // 2)
            self.assertTrue(looked["choices"])
            self.assertTrue(all("stack" in state for state in looked["states"] if state["actor"] != "shared"))
            choice = looked["choices"][-1]
            self.assertIn("outcome", self.call("what_if", ticket=ticket, steps=steps // 2, **choice))

    def test_what_a_tool_cannot_do_is_said_to_who_called_it(self):
        self.write("race.erl", RACE)
        self.expect(1, "check", "race.erl", "-t", "race:lost_test")
        (ticket,) = map(str, self.tickets())
        self.fails("check", "none.erl", files=["none.erl"])
        self.fails("check", "is no file", files=["--help"])
        self.fails("check", "list of texts", files="race.erl")
        self.fails("check", "nobody", files=["race.erl"], tests=["race:nobody"])
        self.fails("check", "--no-such-option", files=["race.erl"], options=["--no-such-option"])
        self.fails("replay", "'ticket' is needed")
        self.fails("replay", "none.json", ticket="none.json")
        self.fails("explain", "race.erl", ticket="race.erl")
        self.fails("look", "0 or more", ticket=ticket, steps=-1)
        self.fails("look", "steps, and not 1000", ticket=ticket, steps=1000)
        self.fails("what_if", "cannot move here", ticket=ticket, steps=0, actor="P.7")
        self.fails("what_if", "no such choice", ticket=ticket, steps=0, actor="P", kind=99)
        self.fails("what_if", "is a text", ticket=ticket, steps=0, actor=7)

    def test_lines_that_make_no_sense(self):
        for line, code in (("{", -32700), ("\x00", -32700), ("[" * 50000, -32700), ("7", -32600), ("[]", -32600), ("{}", -32600),
                           ('{"id": 1, "method": "fly"}', -32601),
                           ('{"id": 1, "method": "tools/call", "params": {"name": "fly"}}', -32602),
                           ('{"id": 1, "method": "tools/call", "params": 5}', -32602)):
            self.send(line)
            self.assertEqual(self.receive()["error"]["code"], code, line[:40])
        for line in ("", "\r", '{"method": "notifications/cancelled"}', '{"id": 3, "result": {}}'):
            self.send(line)
        self.assertEqual(self.ask("ping")["result"], {})
        self.process.stdin.close()
        self.assertEqual(self.process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
