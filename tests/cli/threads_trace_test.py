"""Executions of programs of C and C++ as traces, their races, and searches that go on from a trace."""

import json
import pathlib
import re
import subprocess
import unittest

import support

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "threads"
BUILD = pathlib.Path(support.RAVEL).parent

# Whoever locks last says what is left; a second variable is changed without the mutex.
WRITERS = """\
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int last = 0;
static int loose = 0;

static void write(int value) {
  {
    const std::lock_guard lock(mutex);
    last = value;
  }
  loose = value;
}

int main() {
  std::thread one(write, 1), two(write, 2);
  one.join();
  two.join();
  assert(last == 2 || loose == 1);
}
"""

# A signal wakes whoever waits; the flag is looked at again.
SIGNAL = """\
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool is_ready = false;

int main() {
  std::thread waiting([] {
    std::unique_lock lock(mutex);
    while (!is_ready) changed.wait(lock);
  });
  {
    const std::lock_guard lock(mutex);
    is_ready = true;
  }
  changed.notify_one();
  waiting.join();
}
"""

# Whom the signal wakes is a choice; the other one may wait for ever.
CHOICE = """\
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;

static void wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock);
}

int main() {
  std::thread one(wait), two(wait);
  changed.notify_one();
  one.join();
  two.join();
}
"""


class ThreadsTraces(support.CommandTest):
    def build(self, source, name):
        subprocess.run([BUILD / "ravel-c++", source, "-o", self.folder / name], check=True)

    def account_ticket(self):
        self.build(EXAMPLES / "account.cc", "account")
        self.expect(1, "check", "./account")
        (ticket,) = self.tickets()
        return ticket

    def variants(self, text):
        return re.findall(r"variant \d+: (\S+) comes first", text)

    def test_a_trace_has_each_threads_operations_and_what_decides_them(self):
        run = self.expect(0, "trace", self.account_ticket(), "--out", "bug.json")
        self.assertIn("joins P.1 (after P.1:5)", run.stdout)
        self.assertIn("3 actors, 14 events; it ends: assertion.", run.stdout)
        trace = json.loads((self.folder / "bug.json").read_text())
        self.assertEqual(trace["front_end"], "threads")
        self.assertEqual([actor["actor"] for actor in trace["actors"]], ["P", "P.1", "P.2"])
        self.assertEqual(trace["actors"][0]["events"][0]["actions"], [{"spawn": "P.1"}])
        # P.2 has the mutex between the two times that P.1 has it.
        self.assertEqual(trace["actors"][2]["events"][0]["after"], ["P.1:2"])
        self.assertEqual(trace["actors"][1]["events"][2]["after"], ["P.2:4"])
        run = self.expect(1, "replay", "bug.json")
        self.assertIn("The trace was followed: 14 events.", run.stdout)
        self.assertIn("assertion balance == 120 failed", run.stdout)
        self.assertEqual(self.expect(0, "trace", "bug.json").stdout, self.expect(0, "trace", self.tickets()[0]).stdout)

    def test_the_first_execution_of_a_program(self):
        self.build(EXAMPLES / "account.cc", "account")
        self.assertIn("it ends: finished", self.expect(0, "trace", "./account").stdout)
        self.write("writers.cc", WRITERS)
        self.build(self.folder / "writers.cc", "writers")
        # What races is an operation, as in a search.
        self.assertIn("writes loose = 1", self.expect(0, "trace", "./writers").stdout)

    def test_orders_are_followed_whoever_comes_first(self):
        ticket = self.account_ticket()
        self.expect(0, "trace", ticket, "--out", "bug.json")
        trace = json.loads((self.folder / "bug.json").read_text())
        # P.1 alone has the mutex first, both times.
        one, two = trace["actors"][1]["events"], trace["actors"][2]["events"]
        one[2]["after"], two[0]["after"] = [], ["P.1:4"]
        self.write("other.json", json.dumps(trace))
        self.assertIn("It ends well.", self.expect(0, "replay", "other.json").stdout)
        two[0]["after"], one[0]["after"] = ["P.1:5"], ["P.2:5"]
        self.write("circle.json", json.dumps(trace))
        self.assertIn("The trace could be followed for 2 of its 14 events", self.expect(0, "replay", "circle.json").stdout)

    def test_races_are_operations_that_could_come_in_the_other_order(self):
        ticket = self.account_ticket()
        run = self.expect(0, "races", ticket)
        self.assertIn("Threads receive no messages", run.stdout)
        self.assertEqual(self.variants(run.stdout), ["P.2:1", "P.1:3"])
        self.assertIn("account.cc:17", run.stdout)
        run = self.expect(0, "races", ticket, "--variant", "1", "--out", "variant.json")
        self.assertIn("Before it ended: assertion", run.stdout)
        self.assertIn("Now it ends: finished", run.stdout)
        # The variant's trace has what it has in common with the bug, and then lets the other one go first.
        self.assertIn("It ends well.", self.expect(0, "replay", "variant.json").stdout)
        run = self.expect(1, "check", "--trace", "variant.json", "--strategy", "dfs", "-k")
        self.assertIn("Every execution contains the 3 events of the trace.", run.stdout)

    def test_a_data_race_is_told_as_one(self):
        self.write("writers.cc", WRITERS)
        self.build(self.folder / "writers.cc", "writers")
        run = self.expect(0, "races", "./writers")
        self.assertEqual(self.variants(run.stdout), ["P.2:1", "P.2:4"])
        self.assertEqual(run.stdout.count("a data race: nothing but this order orders the two accesses"), 1)
        self.assertIn("writes loose = 2", run.stdout)
        # Where accesses are no operations the race is told by itself.
        self.expect(1, "check", "./writers")
        (ticket,) = self.tickets()
        saved = json.loads((self.folder / ticket).read_text())
        self.expect(0, "check", "./writers", "--accesses", "sync", "--strategy", "random", "--budget", "3x", "-k")
        saved["program"]["accesses"] = "sync"
        saved["program"]["tracked"] = []
        saved["schedule"] = []
        self.write("sync.ticket.json", json.dumps(saved))
        run = self.expect(0, "races", "sync.ticket.json")
        self.assertIn("Accesses to memory that are no operations here, and that nothing orders:\n  data race on loose", run.stdout)

    def test_an_option_that_says_nothing_here_is_refused(self):
        ticket = self.account_ticket()
        for command in ["trace", "races"]:
            for option in [["--delivery", "channels"], ["--normal", "x"], ["-D", "A"], ["--no-start"]]:
                self.refused(command, ticket, *option, says=[option[0], "would change what"])
                self.refused(command, "./account", *option, says=[option[0], "for programs of Erlang and Elixir"])
            for option in [["--time", "deadlines"], ["--events", "7"], ["--", "7"]]:
                self.refused(command, ticket, *option, says=[option[0], "would change what"])
        self.refused("tests", "./account", "--stub", "a=b", says="--stub is for programs of Erlang and Elixir")
        self.refused("replay", ticket, "--", "7", says="those of the ticket")

    def test_waits_and_signals(self):
        self.write("signal.cc", SIGNAL)
        self.build(self.folder / "signal.cc", "signal")
        run = self.expect(0, "races", "./signal")
        self.assertGreaterEqual(len(self.variants(run.stdout)), 1)
        for number in range(1, len(self.variants(run.stdout)) + 1):
            run = self.expect(0, "races", "./signal", "--variant", str(number), "--out", f"{number}.json")
            self.assertIn("It departs after", run.stdout)
            self.assertIn("The trace was followed", self.expect(0, "replay", f"{number}.json").stdout)

    def test_a_search_goes_on_from_a_trace(self):
        ticket = self.account_ticket()
        self.expect(0, "trace", ticket, "--out", "bug.json")
        trace = json.loads((self.folder / "bug.json").read_text())
        for events in [14, 6, 4, 2]:
            # Up to the first lock of P.2 and no further, it can still go well.
            part = json.loads(json.dumps(trace))
            kept = {14: (4, 5, 5), 6: (2, 2, 2), 4: (2, 2, 0), 2: (2, 0, 0)}[events]
            for actor, count in zip(part["actors"], kept):
                del actor["events"][count:]
            self.write("part.json", json.dumps(part))
            for options in [[], ["--isolate"]]:
                run = self.expect(1, "check", "--trace", "part.json", "--strategy", "dfs", "-k", "--json", "all.json", *options)
                self.assertIn(f"Every execution contains the {events} events of the trace.", run.stdout)
                results = self.results("all.json")
                self.assertEqual(results["executions"] == results["erroneous_executions"], events > 4, events)
        self.expect(1, "check", "--trace", "part.json")
        for options in [["--strategy", "random"], ["--strategy", "surw", "--isolate"], ["--strategy", "pct"], ["--strategy", "vt"],
                        ["--strategy", "delay"], ["--strategy", "dpor"]]:
            run = self.expect(1, "check", "--trace", "part.json", *options)
            self.assertNotIn("process came to an end", run.stderr, options)
        # Interrupted and gone on with.
        self.expect(0, "trace", "./account", "--out", "first.json")
        trace = json.loads((self.folder / "first.json").read_text())
        for actor in trace["actors"]:
            del actor["events"][2:]
        trace["actors"].pop()
        self.write("first.json", json.dumps(trace))
        command = ["check", "--trace", "first.json", "-k", "--strategy", "dfs", "--json", "results.json"]
        self.expect(1, *command)
        whole = self.results()
        for options in [[], ["--isolate"]]:
            run = self.expect(3, *command, *options, "--budget", "3x")
            run = self.expect(1, "check", "--resume", run.stdout.split()[-1], "--json", "results.json")
            self.assertIn("Every execution contains the 4 events of the trace.", run.stdout)
            self.assertEqual(self.results()["executions"], whole["executions"], options)
        self.assertIn("digraph", (self.expect(1, "check", "--trace", "part.json", "--graph", "g.dot"), (self.folder / "g.dot").read_text())[1])

    def test_a_search_behind_a_trace_finds_races_that_the_trace_has_not_seen(self):
        self.write("writers.cc", WRITERS)
        self.build(self.folder / "writers.cc", "writers")
        self.expect(0, "trace", "./writers", "--out", "first.json")
        trace = json.loads((self.folder / "first.json").read_text())
        # As if it had been noted before any access to `loose` was an operation.
        trace["program"]["tracked"] = []
        for actor in trace["actors"]:
            actor["events"] = [event for event in actor["events"] if "loose" not in event["operation"]][:4]
            for event in actor["events"]:
                event["after"] = []
        trace["actors"] = trace["actors"][:2]
        trace["actors"][0]["events"] = trace["actors"][0]["events"][:2]
        trace["actors"][1]["events"] = trace["actors"][1]["events"][:2]
        self.write("before.json", json.dumps(trace))
        for options in [[], ["--isolate"]]:
            run = self.expect(0, "check", "--trace", "before.json", "--json", "all.json", *options)
            self.assertIn("data race on loose", run.stdout)
            self.assertGreater(self.results("all.json")["executions"], 1)

    def closure(self, program):
        """Traces that variants lead to, from the first execution on."""
        def key(file):
            actors = json.loads((self.folder / file).read_text())["actors"]
            return json.dumps([[(event.get("after"), event.get("alternative"), event["operation"]) for event in actor["events"]]
                               for actor in actors])

        self.expect(0, "trace", program, "--out", "0.json", "-q")
        seen, todo = {key("0.json")}, ["0.json"]
        while todo:
            file = todo.pop()
            for number in range(1, len(re.findall(r"variant \d+: ", self.expect(0, "races", file).stdout)) + 1):
                self.ravel("races", file, "--variant", str(number), "--out", "variant.json", "-q")
                self.expect(0, "trace", "variant.json", "--out", f"{len(seen)}.json", "-q")
                if key(f"{len(seen)}.json") not in seen:
                    todo.append(f"{len(seen)}.json")
                    seen.add(key(todo[-1]))
        return len(seen)

    def test_variants_lead_to_every_trace_of_the_program(self):
        self.write("signal.cc", SIGNAL)
        self.write("choice.cc", CHOICE)
        for source in [EXAMPLES / "account.cc", EXAMPLES / "dining.cc", self.folder / "signal.cc", self.folder / "choice.cc"]:
            self.build(source, "program")
            self.ravel("check", "./program", "--strategy", "dpor", "-k", "--json", "all.json")
            results = self.results("all.json")
            self.assertEqual(results["stop"], "complete")
            self.assertEqual(self.closure("./program"), results["executions"], source)

    def test_a_choice_is_told_with_what_it_does_otherwise(self):
        self.write("choice.cc", CHOICE)
        self.build(self.folder / "choice.cc", "choice")
        self.expect(0, "trace", "./choice", "--out", "first.json")
        trace = json.loads((self.folder / "first.json").read_text())
        main, one, two = [actor["events"] for actor in trace["actors"]]
        one[1]["after"], main[2]["after"] = [], ["P.1:2", "P.2:2"]
        self.write("both_wait.json", json.dumps(trace))
        run = self.expect(0, "races", "both_wait.json")
        self.assertIn("P:3  signals changed, which wakes P.1", run.stdout)
        (number,) = re.findall(r"variant (\d+): it signals changed, which wakes P.2 instead", run.stdout)
        run = self.expect(1, "races", "both_wait.json", "--variant", number, "--out", "variant.json")
        self.assertIn("P.2  is woken by changed", run.stdout)
        self.assertIn("P.2  is woken by changed", self.expect(1, "replay", "variant.json").stdout)

    def test_what_waits_for_ever_is_told_with_who_holds_it(self):
        self.build(EXAMPLES / "dining.cc", "dining")
        self.expect(1, "check", "./dining")
        (ticket,) = self.tickets()
        run = self.expect(0, "races", ticket)
        self.assertIn("it ends: deadlock", run.stdout)
        self.assertIn("have not happened, and are no part of the races", run.stdout)
        self.assertIn("P.1 waits to lock forks+40, held by P.2 since dining.cc:16, at dining.cc:17", run.stdout)
        self.assertIn("deadlock", self.expect(0, "trace", ticket, "--out", "bug.json").stdout)
        self.assertIn("deadlock", self.expect(1, "replay", "bug.json").stdout)

    def test_a_trace_of_a_changed_program(self):
        self.write("one.cc", "#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n")
        self.build(self.folder / "one.cc", "one")
        self.expect(0, "trace", "./one", "--out", "one.json")
        self.write("one.cc", "int main() {}\n")
        self.build(self.folder / "one.cc", "one")
        run = self.expect(0, "replay", "one.json")
        self.assertIn("Since this trace was written ./one has changed.", run.stdout)
        self.assertIn("The trace could be followed for", run.stdout)
        self.refused("check", "--trace", "one.json", says="no search can begin with this trace")

    def test_bad_input(self):
        ticket = self.account_ticket()
        self.expect(0, "trace", "./account", "--out", "trace.json")
        self.refused("check", "--trace", "trace.json", "--accesses", "all", says="leave out -t")
        self.refused("check", "--trace", "trace.json", "-t", "main", says="leave out -t")
        self.refused("check", "--trace", ticket, says="'ravel trace' makes one of it")
        self.refused("races", ticket, "--variant", "7", says=["--variant 7", "2 variants"])
        self.refused("trace", "./account", "-t", "missing", says="is one test")
        (self.folder / "account").unlink()
        self.refused("trace", ticket, says="not an executable file")


if __name__ == "__main__":
    unittest.main()
