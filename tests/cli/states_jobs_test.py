"""States visited by several processes: the same ones as by one, whoever is killed on the way."""

import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

import support

ROOT = pathlib.Path(__file__).parents[2]
LOCKER = ROOT / "bench" / "states" / "locker.erl"
FAMILIES = ["signals", "names", "messages", "tables", "owners", "numbers", "choices", "askers"]
COUNTS = ["verdict", "states", "transitions", "executions", "erroneous_executions"]

# A server that starts a worker for each request, which may fail, and a client that registers names: new processes, atoms and
# modules on the way. Endless, and with a bug.
LEARNING = """\
-module(learning).
-export([names/0, fails/0, looks/0, late/0]).
names() -> [spawn(fun() -> child(N, 3) end) || N <- [1, 2, 3]], ok.
child(_, 0) -> ok;
child(N, K) ->
    {Pid, Ref} = spawn_monitor(fun() -> put(name, list_to_atom("n" ++ integer_to_list(N) ++ integer_to_list(K))), self() ! go,
                                        receive go -> ok end end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    child(N, K - 1).
fails() ->
    ets:new(t, [named_table, public]), ets:insert(t, {n, 0}),
    [spawn(fun() -> work(4) end) || _ <- [1, 2, 3]], ok.
work(0) -> ok;
work(K) -> [{n, N}] = ets:lookup(t, n), ets:insert(t, {n, N + 1}),
    case N of 7 -> exit({seven, K}); _ -> ok end, work(K - 1).
looks() -> ets:new(t, [named_table, public]), [spawn(fun() -> work(3) end) || _ <- [1, 2]], ets:insert(t, {n, 0}), look().
look() -> case ets:lookup(t, done) of [] -> look(); _ -> ok end.
late() -> Me = self(), [spawn(fun() -> string:uppercase("a"), lists:usort(processes()), Me ! N end) || N <- [1, 2]],
    [receive N -> N end || N <- [1, 2]], ok.
"""


class StatesJobsTest(support.CommandTest):
    def begin(self, *arguments, alone="0.001"):
        environment = {**os.environ, "RAVEL_ALONE_SECONDS": alone}
        return subprocess.Popen([support.RAVEL, "check", *map(str, arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def search(self, *arguments):
        process = self.begin(*arguments, "--json", "results.json", "--out", "tickets")
        said = process.communicate()[0]
        self.assertIn(process.returncode, [0, 1, 3], said)
        return said

    @staticmethod
    def told(test):
        told = {name: test.get(name) for name in COUNTS}
        told["bugs"] = sorted((bug["kind"], bug["message"]) for bug in test["bugs"])
        return told

    def compare(self, *arguments, jobs=(2, 3, 8), more=()):
        """Each test of the program by one process and by several."""
        self.search(*arguments, "-k", "--fingerprints", "128")
        alone = [self.told(test) for test in self.all_results()]
        for count in jobs:
            said = self.search(*arguments, "-k", "--jobs", count, *more)
            for test, one in zip(self.all_results(), alone):
                self.assertEqual(self.told(test), one, f"{count} processes: {test['test']}\n{said}")
        return alone

    def all_results(self):
                return [self.results()]

    @staticmethod
    def children(pid):
        """Copies of the program; not what it runs, as a compiler."""
        found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout
        return [int(line.split()[0]) for line in found.splitlines() if line.split()[1].startswith("ravel")]

    def wait_for_children(self, process, count):
        for _ in range(200):
            children = self.children(process.pid)
            if len(children) >= count or process.poll() is not None:
                return children
            time.sleep(0.05)
        self.fail(f"there are no {count} processes")

    def one_by_one(self, *arguments, tests, **more):
        return [self.compare(*arguments, "-t", test, **more)[0] for test in tests]

    def test_any_number_of_processes_visits_the_same_states(self):
        for strategy in ["states", "shortest"]:
            alone = self.one_by_one(LOCKER, "--strategy", strategy, "--steps", "receives", tests=["locker:e3_test", "locker:e1s4_test"],
                                    jobs=(2, 3))
            self.assertEqual(alone[1]["states"], 130097)

    def test_bugs_are_the_same(self):
        self.write("learning.erl", LEARNING)
        for strategy in ["states", "shortest"]:
            alone = self.one_by_one("learning.erl", "--strategy", strategy, tests=["learning:fails", "learning:names"])
            self.assertGreater(len(alone[0]["bugs"]), 2)

    def test_steps_that_are_known_lead_where_they_lead_when_they_are_taken(self):
        program = ROOT / "tests/erlang_system/programs/known_steps.erl"
        for strategy in ["states", "shortest"]:
            for test in ["server", "links", "monitors", "kept_references", "children", "priority", "bug"]:
                alone = self.compare(program, "-t", f"known_steps:{test}", "--strategy", strategy, jobs=(2, 3))
                self.search(program, "-t", f"known_steps:{test}", "--strategy", strategy, "-k")
                self.assertEqual([self.told(self.results())], alone, f"{test}: states that are kept exactly")

    def test_what_is_learnt_on_the_way_makes_no_difference(self):
        self.write("learning.erl", LEARNING)
        self.one_by_one("learning.erl", "--strategy", "states", "--crashes", "all", tests=["learning:names", "learning:late"])

    def test_random_programs(self):
        seeds = int(os.environ.get("STATES_JOBS_PROGRAMS", "2"))
        chosen = random.Random(seeds)
        for family in FAMILIES:
            module = "asking" if family == "askers" else "commute"
            numbers = [chosen.randrange(1000) for _ in range(seeds)]
            self.write("small_programs.erl", "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n" + "".join(
                f"p{number}() -> {module}:small({number}, {family}, 3).\n" for number in numbers))
            programs = [ROOT / "tests/erlang_system/programs" / f"{module}.erl", "small_programs.erl"]
            for number in numbers:
                self.compare(*programs, "-t", f"small_programs:p{number}", "--strategy", "states", "--crashes", "all",
                             "--budget", "60s", jobs=(chosen.choice([2, 3]), 8) if number % 2 == 0 else (2,))

    def test_the_first_bug_has_a_shortest_schedule(self):
        self.write("learning.erl", LEARNING)
        lengths = set()
        for jobs in [1, 2, 3]:
            self.search("learning.erl", "-t", "learning:fails", "--strategy", "shortest", "--jobs", jobs)
            bugs = self.all_results()[0]["bugs"]
            self.assertEqual(len(bugs), 1)
            lengths.add(bugs[0]["events"])
            ticket = next((self.folder / "tickets").glob("*.ticket.json"))
            replayed = subprocess.run([support.RAVEL, "replay", ticket], cwd=self.folder, stdout=subprocess.PIPE, text=True)
            self.assertEqual(replayed.returncode, 1, replayed.stdout)
        self.assertEqual(len(lengths), 1)

    def test_a_process_that_dies_begins_the_search_again(self):
        process = self.begin(LOCKER, "-t", "locker:s5_test", "--strategy", "states", "--jobs", "3")
        children = self.wait_for_children(process, 2)
        time.sleep(0.5)
        os.kill(children[-1], signal.SIGKILL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[0]
        self.assertIn("a process of the search came to an end (signal 9), and the search has begun anew", said)
        self.assertEqual(process.returncode, 3)
        process = self.begin(LOCKER, "-t", "locker:e2s3_test", "--strategy", "states", "--steps", "receives", "--jobs", "2")
        children = self.wait_for_children(process, 2)
        if process.poll() is None:
            os.kill(children[0], signal.SIGKILL)
        self.assertIn("75,797 states", process.communicate()[0])
        self.assertEqual(process.returncode, 0)

    def test_a_process_that_always_dies_is_told(self):
        process = self.begin(LOCKER, "-t", "locker:s5_test", "--strategy", "states", "--jobs", "2")
        # One more time than the search begins anew; what runs when it ends, as to look for leaks, is let alone.
        for _ in range(4):
            children = self.wait_for_children(process, 2)
            os.kill(children[-1], signal.SIGKILL)
            while set(self.children(process.pid)) & set(children):
                time.sleep(0.02)
        said = process.communicate(timeout=30)[0]
        self.assertIn("it was given up", said)
        self.assertEqual(process.returncode, 3)

    def test_no_process_is_left_after_the_first_one_was_killed(self):
        process = self.begin(LOCKER, "-t", "locker:s5_test", "--strategy", "states", "--jobs", "3")
        children = self.wait_for_children(process, 2)
        process.kill()
        process.communicate()
        for _ in range(100):
            if not any(os.path.exists(f"/proc/{child}/exe") for child in children):
                break
            time.sleep(0.05)
        self.assertEqual([child for child in children if os.path.exists(f"/proc/{child}/exe")], [])

    def test_an_interrupted_search_tells_what_it_has_visited_and_begins_anew(self):
        process = self.begin(LOCKER, "-t", "locker:s5_test", "--strategy", "states", "--jobs", "2", "--json", "results.json")
        self.wait_for_children(process, 2)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        self.assertIn("several processes notes no place to go on from", said)
        test = self.all_results()[0]
        self.assertEqual(test["stop"], "interrupted")
        self.assertGreater(test["states"], 1000)
        self.assertGreater(test["transitions"], test["states"])

    def test_budgets_end_it(self):
        said = self.search(LOCKER, "-t", "locker:s5_test", "--strategy", "states", "--jobs", "2", "--budget", "1s")
        self.assertEqual(self.all_results()[0]["stop"], "time_budget", said)
        said = self.search(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "2", "--budget", "300M", "--budget", "60s")
        self.assertEqual(self.all_results()[0]["stop"], "memory_budget", said)

    def test_the_result_says_that_hashes_were_kept(self):
        said = self.search(LOCKER, "-t", "locker:e3_test", "--steps", "receives", "--strategy", "states", "--jobs", "2")
        self.assertIn("the chance that a state was left out", said)
        self.assertEqual(self.all_results()[0]["hashed"]["hash_bits"], 128)

    def test_what_only_one_process_can_do_is_told(self):
        for options, what in [(["--strategy", "states", "--reduced"], "--reduced"), (["--strategy", "ses"], "--strategy ses"),
                              (["--strategy", "states", "--fingerprints", "64"], "--fingerprints 64"),
                              (["--strategy", "states", "--bitstate", "8"], "--bitstate"),
                              (["--symmetric", "locker:serve"], "--symmetric"),
                              (["--ltl", "always true"], "--ltl")]:
            said = self.search(LOCKER, "-t", "locker:e2_test", "--steps", "receives", "--jobs", "2", *options)
            self.assertIn(f"one process visits the states, whatever --jobs says: {what} is not for several", said)

    def test_loops_that_only_look_are_found_and_told_by_one_process(self):
        self.write("learning.erl", LEARNING)
        told = []
        for jobs in [1, 2]:
            said = self.search("learning.erl", "-t", "learning:looks", "--strategy", "states", "-k", "--jobs", jobs)
            told.append(self.told(self.all_results()[0]))
            self.assertIn("livelock", [bug[0] for bug in told[-1]["bugs"]])
            self.assertNotIn("hashed", self.all_results()[0])
        self.assertIn("one process searches once more, to tell it", said)
        self.assertEqual(told[0], told[1])

    def test_programs_in_p(self):
        chosen = random.Random(7)
        for _ in range(int(os.environ.get("STATES_JOBS_PROGRAMS", "2")) * 4):
            self.write("random.p", random_program_in_p(chosen))
            for strategy in ["states", "shortest"]:
                self.compare("random.p", "--strategy", strategy, "--ignore", "liveness", jobs=(chosen.choice([2, 3, 8]),))


def random_program_in_p(chosen):
    """Machines that send each other events, which some states defer or do not expect; some choose, halt, or create others."""
    def statement():
        to, event = f"m[{chosen.randrange(3)}]", f"e{chosen.randrange(3)}"
        return chosen.choice([f"receive {{ case {event}: (y: int) {{ n = n + y; }} }}", "if (choose()) { n = n + 1; }", "announce e1, n;",
                              "new Child(m[0]);", "n = 0;", *[f"send {to}, {event}, {chosen.choice(['n', '1'])};"] * 4])

    def handler(event):
        how = chosen.randrange(5)
        if how == 0:
            return f"defer {event}; "
        if how == 1:
            return f"ignore {event}; "
        return f"on {event} do (x: int) {{ n = x; {' '.join(statement() for _ in range(chosen.randrange(2)))} }} "

    text = ("event e0: int; event e1: int; event e2: int; event others: seq[machine];\n"
            "spec Watch observes e1, e2 { var n: int; start state Calm { on e1 do (x: int) { n = n * 2 + x; assert n < 5; } "
            "on e2 goto Calm; } }\nmachine Child { start state S { entry (one: machine) { send one, e0, 7; } } }\n")
    for machine in range(3):
        text += (f"machine M{machine} {{ var m: seq[machine]; var n: int; start state S {{ defer e0, e1, e2; "
                 "on others do (all: seq[machine]) { m = all; goto T; } } "
                 f"state T {{ entry {{ {' '.join(statement() for _ in range(1 + chosen.randrange(3)))} }} "
                 f"{''.join(handler(f'e{event}') for event in range(3))} }} }}\n")
    return text + ("machine Main { start state S { entry { var m: seq[machine]; var i: int;\n"
                   "m += (0, new M0()); m += (1, new M1()); m += (2, new M2());\n"
                   "while (i < 3) { send m[i], others, m; i = i + 1; } } ignore e0, e1, e2; } }\n"
                   "test t [main = Main]: assert Watch in {Main, Child, M0, M1, M2};\n")


if __name__ == "__main__":
    unittest.main()
