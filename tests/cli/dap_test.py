"""ravel dap: an editor goes through the execution of a ticket of each language, and sends nonsense."""

import json
import os
import pathlib
import shutil
import subprocess
import time
import unittest

import support
from dap_client import Adapter, Refused
from support import CommandTest

PROJECT = pathlib.Path(__file__).parents[2]
EXAMPLES = PROJECT / "examples"
BUILD = pathlib.Path(support.RAVEL).parent

# Two processes count in turns, for a long time; then one of them finds something wrong.
LONG = """\
-module(long).
-export([turns_test/0]).

turns_test() ->
    Self = self(),
    Other = spawn(fun() -> count(Self, 0) end),
    Other ! go,
    play(Other, ROUNDS).

play(Other, 0) -> Other ! stop, error(done);
play(Other, N) ->
    put(left, N),
    receive {counted, _} -> Other ! go end,
    play(Other, N - 1).

count(To, N) ->
    receive
        go -> To ! {counted, N}, count(To, N + 1);
        stop -> ok
    end.
"""

LONG_THREADS = """\
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> turns{0};

static void play() {
  for (int i = 0; i < ROUNDS; ++i) ++turns;
}

int main() {
  std::thread one(play), two(play);
  one.join();
  two.join();
  assert(turns < 2 * ROUNDS);
}
"""

LOCKED = """\
#include <mutex>
#include <thread>

static std::mutex first, second;

static void pay(std::mutex& from, std::mutex& to) {
  from.lock();
  to.lock();
  to.unlock();
  from.unlock();
}

int main() {
  std::thread one(pay, std::ref(first), std::ref(second));
  pay(second, first);
  one.join();
}
"""


class DapTest(CommandTest):
    def adapter(self, folder=None):
        adapter = Adapter(folder or self.folder, self.environment(None))
        self.addCleanup(adapter.close)
        return adapter

    def ticket_of(self, *arguments):
        self.expect(1, "check", *arguments)
        (ticket,) = self.tickets()
        return ticket


class OfErlang(DapTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "counter_server.erl"
        shutil.copy(EXAMPLES / "otp" / "counter_server.erl", self.file)
        self.ticket = self.ticket_of("counter_server.erl", "-t", "counter_server:lost_update_test")

    def test_from_the_beginning_to_the_bug_and_back(self):
        adapter = self.adapter()
        self.assertEqual(adapter.launch(self.ticket)["reason"], "entry")
        self.assertEqual(list(adapter.threads()), ["P"])
        stopped = adapter.move("continue")
        self.assertEqual(stopped["reason"], "exception")
        self.assertIn("badmatch", stopped["text"])
        info = adapter.ask("exceptionInfo", threadId=stopped["threadId"])
        self.assertEqual(info["exceptionId"], "abnormal_exit")
        self.assertIn("badmatch", info["description"])
        end = adapter.position()
        back = adapter.move("stepBack", stopped["threadId"])
        self.assertEqual(back["reason"], "step")
        self.assertLess(adapter.position(), end)
        self.assertEqual(adapter.move("reverseContinue")["reason"], "entry")
        self.assertEqual(adapter.position(), 0)
        with self.assertRaisesRegex(Refused, "no bug here"):
            adapter.ask("exceptionInfo", threadId=1)

    def test_the_state_of_the_server_changes_on_the_way(self):
        adapter = self.adapter()
        stopped = adapter.launch(self.ticket)
        seen = []
        while stopped["reason"] != "exception":
            server = [number for name, number in adapter.threads().items() if name.startswith("P.1")
                      and not name.startswith("P.1.")]
            if server:
                state = adapter.state(server[0]).get("State", {})
                if state and state not in seen:
                    seen.append(state)
            stopped = adapter.move("stepIn")
        self.assertIn({"state": "0"}, seen)
        self.assertIn({"state": "1"}, seen)
        self.assertNotIn({"state": "2"}, seen)

    def test_who_waits_for_an_answer_is_seen_with_stack_and_source(self):
        adapter = self.adapter()
        adapter.launch(self.ticket)
        for _ in range(200):
            threads = adapter.threads()
            waiting = [number for name, number in threads.items()
                       if "waits for the answer of P.1" in adapter.state(number).get("Waits", {}).get("waits", "")]
            if waiting:
                break
            adapter.move("stepIn")
        frames = adapter.stack(waiting[0])
        self.assertIn("do_call", frames[0]["name"])
        own = [frame for frame in frames if frame.get("source", {}).get("path") == str(self.file.resolve())]
        self.assertTrue(own)
        self.assertGreater(own[0]["line"], 0)
        self.assertEqual(adapter.ask("stackTrace", threadId=waiting[0], startFrame=1, levels=1)["stackFrames"],
                         [{**frames[1], "id": frames[1]["id"] + len(frames)}])

    def test_it_stops_at_breakpoints_in_both_directions(self):
        text = self.file.read_text().split("\n")
        line = 1 + next(i for i, one in enumerate(text) if "{set, Value + 1}" in one)
        adapter = self.adapter()
        adapter.launch(self.ticket, breakpoints={self.file: [line, 1]})
        self.assertEqual(adapter.verified, [True, False])
        places = []
        stopped = adapter.move("continue")
        while stopped["reason"] == "breakpoint":
            frames = adapter.stack(stopped["threadId"])
            self.assertIn(line, [frame["line"] for frame in frames if frame.get("source", {}).get("path")])
            places.append(adapter.position())
            stopped = adapter.move("continue")
        self.assertGreaterEqual(len(places), 2)
        backwards = []
        while (stopped := adapter.move("reverseContinue"))["reason"] == "breakpoint":
            backwards.append(adapter.position())
        self.assertEqual(backwards, places[::-1])
        adapter.ask("setBreakpoints", source={"path": str(self.file)}, breakpoints=[])
        self.assertEqual(adapter.move("continue")["reason"], "exception")

    def test_next_is_a_step_of_this_thread(self):
        adapter = self.adapter()
        adapter.launch(self.ticket)
        adapter.move("stepIn")
        adapter.move("next")
        first = adapter.position()
        self.assertEqual(adapter.move("next")["threadId"], 1)
        second = adapter.position()
        self.assertGreater(second, first)
        self.assertEqual(adapter.move("stepBack")["threadId"], 1)
        self.assertEqual(adapter.position(), second - 1)
        adapter.move("stepOut")
        self.assertEqual(adapter.position(), second)

    def test_without_a_stop_at_the_entry_and_to_the_end(self):
        adapter = self.adapter()
        self.assertEqual(adapter.launch(self.ticket, stopOnEntry=False)["reason"], "exception")
        adapter.ask("continue", threadId=1)
        self.assertEqual(adapter.event("exited"), {"exitCode": 1})
        adapter.event("terminated")
        adapter.ask("disconnect")
        self.assertEqual(adapter.process.wait(30), 0)

    def test_variables_are_found_by_name_and_expressions_refused(self):
        adapter = self.adapter()
        stopped = adapter.launch(self.ticket)
        frame = adapter.stack(stopped["threadId"])[0]["id"]
        with self.assertRaisesRegex(Refused, "expressions are not evaluated"):
            adapter.ask("evaluate", expression="1 + 1", frameId=frame)
        adapter.move("continue")
        adapter.move("stepBack")
        links = [adapter.state(number) for number in adapter.threads().values()]
        self.assertTrue(any("Links" in state for state in links))

    def test_a_program_that_is_no_more_the_same_is_told(self):
        self.file.write_text(self.file.read_text().replace("{reply, ok, Value + 1}", "{reply, ok, Value + 2}"))
        adapter = self.adapter()
        adapter.launch(self.ticket)
        self.assertEqual(adapter.output(), "Since this ticket was written counter_server has changed.\n")
        self.file.write_text(self.file.read_text().replace("2 = gen_server:call", "1 = gen_server:call"))
        adapter = self.adapter()
        self.assertEqual(adapter.launch(self.ticket, stopOnEntry=False)["reason"], "end")
        self.assertIn("The bug does not happen any more.", adapter.output())

    def test_what_cannot_be_launched_is_refused(self):
        adapter = self.adapter()
        adapter.ask("initialize")
        for arguments, says in (({}, "needs a \"ticket\""), ({"ticket": "none.json"}, "none.json"),
                                ({"ticket": str(self.file)}, "counter_server.erl"),
                                ({"ticket": str(self.ticket), "files": "x"}, "list of file names"),
                                ({"ticket": str(self.ticket), "files": ["none.erl"]}, "none.erl")):
            with self.assertRaisesRegex(Refused, says):
                adapter.ask("launch", **arguments)
        with self.assertRaisesRegex(Refused, "launch a ticket"):
            adapter.ask("attach")
        adapter.launch(self.ticket)
        with self.assertRaisesRegex(Refused, "launched already"):
            adapter.ask("launch", ticket=str(self.ticket))

    def test_requests_that_make_no_sense_change_nothing(self):
        adapter = self.adapter()
        with self.assertRaisesRegex(Refused, "comes too early"):
            adapter.ask("threads")
        adapter.launch(self.ticket)
        for command, arguments, says in (
                ("flyAway", {}, "does not know the request 'flyAway'"),
                ("stackTrace", {"threadId": 999}, "no such thread"),
                ("stackTrace", {"threadId": -1}, "no such thread"),
                ("stackTrace", {"threadId": 2**62}, "no such thread"),
                ("stackTrace", {"threadId": "one"}, "no such thread"),
                ("next", {"threadId": 999}, "no such thread"),
                ("stepBack", {}, "no such thread"),
                ("scopes", {"frameId": 999}, "no such stack frame"),
                ("variables", {"variablesReference": 0}, "no such variables"),
                ("variables", {"variablesReference": 10**18}, "no such variables"),
                ("setBreakpoints", {"source": 5}, "path of a source"),
                ("configurationDone", {}, "begun already")):
            with self.assertRaisesRegex(Refused, says):
                adapter.ask(command, **arguments)
        odd = adapter.ask("setBreakpoints", source={"path": str(self.file)},
                          breakpoints=[{"line": 2**40}, {"line": -3}, {}, 7])
        self.assertEqual([one["verified"] for one in odd["breakpoints"]], [False] * 4)
        for message in (b"", b"{", b"[]", b"7", b"null", b'{"type": 5}', b'"\xff\xfe"', b"[" * 100_000):
            adapter.send(message)
            self.assertIn("no request", adapter.event("output")["output"])
        self.assertEqual(adapter.output(), "")
        adapter.send({"seq": 1, "type": "response", "request_seq": 1, "success": True, "command": "x"})
        self.assertEqual(adapter.position(), 0)

    def test_frames_that_are_broken_end_it_with_one_line(self):
        for data, says in ((b"Host: here\r\n\r\n", "without a length"), (b"hello\r\n\r\n", "header line 'hello'"),
                           (b"Content-Length: 99999999999\r\n\r\n", "more than 64 MiB"),
                           (b"Content-Length: 10\r\n\r\n{}", "shorter")):
            run = subprocess.run([support.RAVEL, "dap"], input=data, capture_output=True, timeout=60)
            self.assertEqual(run.returncode, 2, data)
            self.assertEqual(run.stdout, b"")
            error = run.stderr.decode()
            self.assertTrue(error.startswith("ravel: dap: the client has sent "), error)
            self.assertIn(says, error)
            self.assertEqual(error.count("\n"), 1)

    def test_the_end_of_its_input_ends_it(self):
        self.assertEqual(subprocess.run([support.RAVEL, "dap"], input=b"", capture_output=True, timeout=60).returncode, 0)
        adapter = self.adapter()
        adapter.launch(self.ticket)
        adapter.process.stdin.close()
        self.assertEqual(adapter.process.wait(60), 0)

    def test_going_back_through_a_long_execution_is_quick(self):
        self.write("long.erl", LONG.replace("ROUNDS", "1000"))
        for ticket in self.tickets():
            ticket.unlink()
        ticket = self.ticket_of("long.erl", "-t", "long:turns_test")
        adapter = self.adapter()
        adapter.launch(ticket, stopOnEntry=False)
        self.assertGreater(adapter.position(), 3000)
        self.assertLess(seconds_a_step_back(adapter, 300), 0.05)
        # There and back again comes to the same.
        for _ in range(20):
            mover = adapter.move("stepIn")["threadId"]
            position, state = adapter.position(), adapter.state(mover)
            adapter.move("stepIn")
            adapter.move("stepBack", mover)
            self.assertEqual((adapter.position(), adapter.state(mover)), (position, state))


def seconds_a_step_back(adapter, steps):
    """With what an editor asks at each stop."""
    begin = time.monotonic()
    for _ in range(steps):
        thread = adapter.move("stepBack")["threadId"]
        adapter.threads()
        adapter.stack(thread)
    return (time.monotonic() - begin) / steps


class OfThreads(DapTest):
    def build(self, text):
        self.write("program.cc", text)
        subprocess.run([BUILD / "ravel-c++", "-g", "program.cc", "-o", "program"], cwd=self.folder, check=True)

    def test_locks_waits_and_the_wait_for_graph_of_a_deadlock(self):
        self.build(LOCKED)
        ticket = self.ticket_of("./program")
        adapter = self.adapter()
        stopped = adapter.launch(ticket, stopOnEntry=False)
        self.assertEqual(stopped["reason"], "exception")
        threads = adapter.threads()
        main, other = adapter.state(threads["P"]), adapter.state(threads["P.1"])
        self.assertIn("waits to lock first, held by P.1", main["Waits"]["waits"])
        self.assertIn("waits to lock second, held by P", other["Waits"]["waits"])
        self.assertIn("mutex second", main["Locks"]["1"])
        self.assertIn("mutex first", other["Locks"]["1"])
        frames = adapter.stack(threads["P.1"])
        self.assertEqual([frames[0]["line"], frames[0]["source"]["name"]], [8, "program.cc"])
        self.assertIn("pay", frames[0]["name"])

    def test_shared_variables_change_on_the_way(self):
        self.build(LONG_THREADS.replace("ROUNDS", "3"))
        ticket = self.ticket_of("./program")
        adapter = self.adapter()
        stopped = adapter.launch(ticket)
        seen = []
        while stopped["reason"] == "entry" or stopped["reason"] == "step":
            value = adapter.state(stopped["threadId"]).get("Shared", {}).get("turns")
            if value not in seen:
                seen.append(value)
            stopped = adapter.move("stepIn")
        self.assertEqual(stopped["reason"], "exception")
        self.assertEqual([value for value in seen if value is not None], [str(n) for n in range(7)])
        self.assertIn("assertion", stopped["text"])

    def test_it_stops_at_a_line(self):
        self.build(LONG_THREADS.replace("ROUNDS", "3"))
        ticket = self.ticket_of("./program")
        adapter = self.adapter()
        adapter.launch(ticket, breakpoints={self.folder / "program.cc": [8]})
        self.assertEqual(adapter.verified, [True])
        stops = 0
        while adapter.move("continue")["reason"] == "breakpoint":
            stops += 1
        self.assertEqual(stops, 6)

    def test_going_back_through_a_long_execution_is_quick(self):
        self.build(LONG_THREADS.replace("ROUNDS", "1000"))
        self.expect(1, "check", "./program", "--strategy", "random", "--budget", "1x")
        (ticket,) = self.tickets()
        adapter = self.adapter()
        adapter.launch(ticket, stopOnEntry=False)
        self.assertGreater(adapter.position(), 2000)
        self.assertLess(seconds_a_step_back(adapter, 100), 0.05)


class OfP(DapTest):
    def test_states_fields_and_queues(self):
        shutil.copy(EXAMPLES / "p" / "lost_update.p", self.folder / "lost_update.p")
        ticket = self.ticket_of("lost_update.p")
        adapter = self.adapter()
        stopped = adapter.launch(ticket)
        values, queues = set(), set()
        while stopped["reason"] != "exception":
            for name, number in adapter.threads().items():
                state = adapter.state(number)
                if "Keeper" in name:
                    values.add(state["Fields"]["value"])
                    queues.update(state.get("Mailbox", {}).values())
            stopped = adapter.move("stepIn")
        self.assertEqual(values, {"0", "1"})
        self.assertIn("eDone", queues)
        self.assertIn("eWrite with 1", queues)
        self.assertIn("the value is 1", stopped["text"])
        keeper = next(number for name, number in adapter.threads().items() if "Keeper" in name)
        self.assertEqual(adapter.state(keeper)["State"]["state"], "OneIsDone")
        adapter.move("reverseContinue")
        self.assertEqual(adapter.position(), 0)


@unittest.skipUnless(shutil.which("node") and os.environ.get("RAVEL_DAP_CLIENT"),
                     "RAVEL_DAP_CLIENT names no folder with @vscode/debugadapter-testsupport")
class OfAnotherClient(DapTest):
    def test_the_client_of_vs_code_goes_through_an_execution(self):
        shutil.copy(EXAMPLES / "otp" / "counter_server.erl", self.folder)
        ticket = self.ticket_of("counter_server.erl", "-t", "counter_server:lost_update_test")
        run = subprocess.run(
            ["node", PROJECT / "tests" / "cli" / "dap_client.js", support.RAVEL, ticket], cwd=self.folder,
            env={**self.environment(None), "NODE_PATH": os.environ["RAVEL_DAP_CLIENT"] + "/node_modules"},
            capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(json.loads(run.stdout)["reason"], "exception")


if __name__ == "__main__":
    unittest.main()
