"""One test of a program of C or C++ searched by several processes: the same results as by one, whatever ends on the way."""

import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent

# What its first argument says, with as many rounds as the second one says:
#   counts: three threads count, and may lose too much    twostage: two locks, one after the other, as in SCTBench's twostage
#   races: words that become operations one by one        waits: a thread looks again and again until another is through
#   left: threads are left behind                         prints: each execution prints, reads its input and makes a file
#   locks: a loop that tries a lock which another thread holds, seldom, and only then nobody may wait in it
PROGRAM = """\
#include <ravel.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>
std::atomic<int> shared{0};
int rounds = 2;
int plain[8];
std::mutex one, two;
int first = 0, second = 0;
void count(int) {
  for (int i = 0; i < rounds; ++i) shared.store(shared.load() + 1);
}
void stage(int self) {
  if (self % 2 == 0) {
    { std::lock_guard lock(one); first = 1; }
    { std::lock_guard lock(two); second = first + 1; }
  } else {
    int seen = 0;
    { std::lock_guard lock(one); if (first == 0) return; seen = first; }
    { std::lock_guard lock(two); ravel_assert(second == seen + 1, "the second stage comes with the first"); }
  }
}
void race(int self) {
  count(self);
  if (shared.load() == self) plain[self] = 1;
  if (plain[3 - self % 3] == 1) plain[4] += 1;
}
void wait(int self) {
  if (self == 0) {
    count(self);
    shared.store(100);
  } else {
    while (shared.load() < 100) std::this_thread::yield();
  }
}
void print(int self) {
  char name[32], text[16] = "";
  if (self == 0 && fgets(text, sizeof text, stdin)) ravel_assert(strcmp(text, "input\\n") == 0, "the input is there");
  if (self == 0) rewind(stdin);
  snprintf(name, sizeof name, "made.%d", self);
  if (FILE* file = fopen(name, "wx")) {
    fprintf(file, "%d", shared.load()), fclose(file);
  } else {
    ravel_assert(false, "the file is not there yet");
  }
  puts("a line that is printed in every execution, again and again and again and again");
  count(self);
}
void all(void (*work)(int), int threads) {
  std::vector<std::thread> made;
  for (int i = 0; i < threads; ++i) made.emplace_back(work, i);
  for (std::thread& thread : made) thread.join();
}
int main(int, char** arguments) {
  const char* what = arguments[1];
  rounds = std::atoi(arguments[2]);
  if (!strcmp(what, "counts")) all(count, 3), ravel_assert(shared > 2 && shared != 4, "too much is lost");
  if (!strcmp(what, "twostage")) all(stage, rounds);
  if (!strcmp(what, "races")) all(race, 3), ravel_assert(plain[4] < 3, "three have written");
  if (!strcmp(what, "waits")) all(wait, 3), ravel_assert(shared == 100, "all is counted");
  if (!strcmp(what, "prints")) {
    all(print, 2);
    ravel_assert(shared != rounds, "half is lost");
    close(0), dup(open("/dev/null", O_RDONLY));  // which is the input no more when the next execution begins
  }
  if (!strcmp(what, "left")) {
    std::thread(count, 0).detach();
    count(1);
    if (shared.load() == 3) std::thread(count, 2).detach();
  }
}
"""
# Ends its process in some executions, so that no handler notices.
DIES = """\
#include <atomic>
#include <csignal>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
std::atomic<int> shared{0};
void work(int self) {
  for (int i = 0; i < 4; ++i) shared.store(10 * self + i);
}
int main() {
  std::thread one(work, 1), two(work, 2);
  while (shared.load() == 11) {}
  if (shared.load() == 22) syscall(SYS_kill, getpid(), SIGKILL);
  one.join(), two.join();
}
"""


class ThreadsJobs(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.build(PROGRAM, "program")

    def build(self, source, name):
        subprocess.run([BUILD / "ravel-c++", "-O1", self.write(name + ".cc", source), "-o", self.folder / name],
                       cwd=self.folder, check=True)

    def begin(self, *arguments, alone="0.002", **more):
        environment = {**os.environ, "RAVEL_CHECKPOINT_SECONDS": "0.3", "RAVEL_ALONE_SECONDS": alone}
        return subprocess.Popen([support.RAVEL, "check", *map(str, arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)

    def results_of(self, jobs, what, *arguments, is_drawn):
        """What a search has found, all of it but for times, and the names of its tickets."""
        folder = f"tickets{jobs}"
        with open(self.write("input", "input\n")) as text:
            process = self.begin("./program", *arguments, "--jobs", jobs, "--json", "results.json", "--out", folder, "--",
                                 *what, stdin=text)
            said = process.communicate()[0]
        results = self.results()
        del results["seconds"]
        if not is_drawn:
            del results["events"]  # with those that were taken again
        for bug in results["bugs"]:
            bug.pop("ticket", None)
        tickets = {path.name: path.read_bytes() for path in (self.folder / folder).glob("*.ticket.json")}
        for path in (self.folder / folder).glob("*"):
            path.unlink()
        varies = r"[0-9.]+ s\b|tickets[0-9]" + ("" if is_drawn else "|[0-9,]+ events")
        return process.returncode, results, tickets, re.sub(varies, "", said)

    def compare(self, what, *arguments, jobs=(2, 4), is_drawn=False):
        one = self.results_of(1, what, *arguments, is_drawn=is_drawn)
        for several in jobs:
            found = self.results_of(several, what, *arguments, is_drawn=is_drawn)
            for name, mine, other in zip(["exit status", "results", "tickets", "text"], one, found):
                self.assertEqual(mine, other, (name, several, *what, *arguments))
        return one[1]

    def counts_of(self, jobs, what, *arguments):
        process = self.begin("./program", *arguments, "-k", "--jobs", jobs, "--json", "results.json", "--", *what)
        said = process.communicate()[0]
        test = self.results()
        for bug in test["bugs"]:
            self.expect(1, "replay", bug["ticket"])
        return ({name: test[name] for name in ["verdict", "executions", "redundant", "abandoned", "erroneous_executions"]},
                sorted((bug["kind"], bug["message"], bug["preemptions"], bug["executions"]) for bug in test["bugs"]),
                [line for line in said.splitlines() if "data race" in line])

    def test_samples_are_those_of_one_process(self):
        counts, others = ["counts", "2"], [["races", "1"], ["left", "2"]]
        for strategy, programs in ("random", [counts, *others]), ("surw", [counts, *others]), ("irs", [counts]), ("pos", [counts]), ("pct", [counts]):
            for what in programs:
                found = self.compare(what, "--strategy", strategy, "--budget", "20000x", "-k", is_drawn=True)
                self.assertEqual(found["executions"] + found["abandoned"], 20000)

    def test_a_sample_ends_at_the_first_bug_of_one_process(self):
        late = 0
        for what in ["twostage", "14"], ["counts", "4"], ["counts", "5"]:
            for strategy in "random", "pos", "surw":
                found = self.compare(what, "--strategy", strategy, "--budget", "5000x", jobs=(2, 8), is_drawn=True)
                late = max(late, found["executions"] if found["bugs"] else 0)
        self.assertGreater(late, 100)

    def test_a_tree_in_parts_is_that_of_one_process(self):
        for strategy, what in ("dfs", ["counts", "1"]), ("preemption", ["counts", "1"]):
            self.compare(what, "--strategy", strategy, "-k")
        for what in ["counts", "3"], ["waits", "2"], ["races", "1"]:
            self.compare(what, "--strategy", "preemption", "--preemptions", 2, "-k")
        self.compare(["counts", "3"], "--strategy", "delay", "--delays", 4, "-k")

    def test_sets_of_variables_in_parts_are_those_of_one_process(self):
        bounds, most = ["--strategy", "vt", "--preemptions", 2, "--variables", 1, "--threads", 2], 0
        for what in ["counts", "2"], ["races", "1"], ["twostage", "3"]:
            found = self.compare(what, *bounds, "-k", is_drawn=True)
            most = max(most, found["executions"])
            self.compare(what, *bounds, is_drawn=True)
        self.assertGreater(most, 300)

    def test_reduction_in_parts_runs_the_traces_of_one_process(self):
        several = 0
        for what in ["counts", "2"], ["races", "1"], ["waits", "3"], ["twostage", "4"]:
            one = self.counts_of(1, what, "--strategy", "dpor")
            for jobs in 2, 4:
                self.assertEqual(self.counts_of(jobs, what, "--strategy", "dpor"), one, (what, jobs))
            several = max(several, one[0]["executions"])
        self.assertGreater(several, 1000)

    def test_two_strategies_in_turns_are_searched_by_several_processes(self):
        one = self.counts_of(1, ["counts", "2"])
        self.assertEqual(one[0]["verdict"], "bug")
        for jobs in 2, 3:
            self.assertEqual(self.counts_of(jobs, ["counts", "2"])[1][0][:3], one[1][0][:3], jobs)

    def test_what_executions_print_and_read_is_each_process_own(self):
        for strategy in ["random", "dfs"]:
            found = self.compare(["prints", "1"], "--strategy", strategy, "-k", *(["--budget", "300x"] if strategy == "random" else []),
                                 is_drawn=strategy == "random")
            self.assertEqual([bug["message"] for bug in found["bugs"] if "half" not in bug["message"]], [])
            self.assertGreater(found["executions"], 100)

    def test_every_strategy_is_run_by_several_processes(self):
        for strategy in ["random", "irs", "pos", "pct", "surw", "dfs", "preemption", "delay", "dpor", "vt --preemptions 3"]:
            process = self.begin("./program", "--strategy", *strategy.split(), "-k", "--budget", "600s", "--jobs", 2, "--", "counts", "5")
            self.assertIsNotNone(self.copy_of(process), strategy)
            process.kill()
            process.communicate()

    def test_an_interrupted_search_goes_on_with_any_number_of_processes(self):
        interrupted = 0
        for arguments in ["counts", "3", "preemption", "--preemptions", "3"], ["twostage", "5", "dpor"]:
            what, search = arguments[:2], ["--strategy", *arguments[2:]]
            expected = self.counts_of(1, what, *search)
            process = self.begin("./program", *search, "-k", "--jobs", 2, "--json", "results.json", "--", *what)
            self.copy_of(process)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[0]
            interrupted += "Go on with" in said
            for jobs in [3, 1, 2]:
                if "Go on with" not in said:
                    break
                saved = re.search(r"Go on with: ravel check --resume (\S+)", said)[1]
                budget = ["--budget", "0.3s"] if jobs != 2 else []
                process = self.begin("--resume", saved, "--jobs", jobs, "--json", "results.json", *budget)
                said = process.communicate()[0]
            found = self.results()
            for name in expected[0]:
                self.assertEqual(found[name], expected[0][name], (name, *arguments))
        self.assertGreater(interrupted, 0)

    def copy_of(self, process):
        """A copy of the program that searches, as soon as there is one; None: it has ended before."""
        while process.poll() is None:
            for program in support.children(process.pid):
                for copy in support.children(program):
                    return copy
            time.sleep(0.01)
        return None

    def test_a_process_that_is_killed_costs_nothing_that_was_told(self):
        expected = self.counts_of(1, ["twostage", "5"], "--strategy", "dpor")
        process = self.begin("./program", "--strategy", "dpor", "-k", "--jobs", 3, "--json", "results.json", "--", "twostage", "5")
        killed = set()
        while len(killed) < 2 and (copy := self.copy_of(process)) is not None:
            if copy not in killed:
                os.kill(copy, signal.SIGKILL)
            killed.add(copy)
        process.communicate()
        found = self.results()
        self.assertGreater(len(killed), 0)
        for name in expected[0]:
            self.assertEqual(found[name], expected[0][name], name)

    def test_a_program_that_ends_its_process_is_searched_with_one_for_each_execution(self):
        self.build(DIES, "program")
        said = self.begin("./program", "--strategy", "dfs", "--jobs", 2, "--json", "results.json").communicate()[0]
        self.assertIn("the search begins again with a process for each execution", said)
        self.assertEqual(self.results()["verdict"], "bug")

    def test_what_has_no_parts_says_why(self):
        process = self.begin("./program", "--strategy", "preemption", "--isolate", "-k", "--jobs", 2, "--budget", "1.5s", "--", "counts", "4")
        self.assertIn("one process has searched program, since each execution has a process of its own", process.communicate()[0])


if __name__ == "__main__":
    unittest.main()
