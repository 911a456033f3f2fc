"""A search of a program of C or C++ divided into files: the results of one process, whatever becomes of the files."""

import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

import divided_support
import support

BUILD = pathlib.Path(support.RAVEL).parent
RANDOM = pathlib.Path(__file__).resolve().parents[1] / "threads_remote" / "programs" / "random_operations.cc"

# What its first argument says, with as many rounds as the second one says:
#   counts: two threads count, and may lose too much    adds: they count, and lose nothing
#   races: words that become operations one by one      waits: a thread looks again and again until another is through
#   rarely: accesses race only in a few executions      left: threads are left behind
#   locks: a loop that locks a mutex which another thread tries, which needs fairness
PROGRAM = """\
#include <ravel.h>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>
std::atomic<int> shared{0};
int rounds = 2;
int plain[8];
std::mutex one;
bool is_over = false;
void count(int) {
  for (int i = 0; i < rounds; ++i) shared.store(shared.load() + 1);
}
void add(int) {
  for (int i = 0; i < rounds; ++i) shared.fetch_add(1);
}
void race(int self) {
  count(self);
  if (shared.load() == self) plain[self] = 1;
  if (plain[3 - self % 3] == 1) plain[4] += 1;
}
void rarely(int self) {
  count(self);
  if (shared.load() == 1) plain[0] += 1;
}
void wait(int self) {
  if (self == 0) {
    count(self);
    shared.store(100);
  } else {
    while (shared.load() < 100) std::this_thread::yield();
  }
}
void lock(int self) {
  if (self == 0) {
    for (bool ends = false; !ends;) { std::lock_guard guard(one); ends = is_over; }
    return;
  }
  count(self);
  if (self == 1 && shared.load() == 1 && one.try_lock()) one.unlock();
  if (self == 1) { std::lock_guard guard(one); is_over = true; }
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
  if (!strcmp(what, "adds")) all(add, 3), ravel_assert(shared == 3 * rounds, "all is counted");
  if (!strcmp(what, "races")) all(race, 3), ravel_assert(plain[4] < 3, "three have written");
  if (!strcmp(what, "rarely")) all(rarely, 2), ravel_assert(plain[0] < 3, "two have written");
  if (!strcmp(what, "waits")) all(wait, 3), ravel_assert(shared == 100, "all is counted");
  if (!strcmp(what, "locks")) all(lock, 3);
  if (!strcmp(what, "left")) {
    std::thread(count, 0).detach();
    count(1);
    if (shared.load() == 3) std::thread(count, 2).detach();
  }
}
"""


class DividedThreadsTest(divided_support.Divided):
    def setUp(self):
        super().setUp()
        self.build(self.write("program.cc", PROGRAM), "program")

    def build(self, source, name):
        subprocess.run([BUILD / "ravel-c++", "-std=c++20", "-O1", source, "-o", self.folder / name], cwd=self.folder, check=True)

    def split(self, what, *options, program="./program", parts=4):
        shutil.rmtree(self.folder / "s", ignore_errors=True)
        return self.call("split", program, "--strategy", "dpor", "--into", "s", "--parts", parts, "--json", "results.json",
                         "--out", "divided", *options, "--", *what.split())

    def merge(self, *results):
        return super().merge(*results, "--out", "divided")

    def told(self):
        return {**super().told(), "warnings": len(self.results().get("warnings", []))}

    def by_one_process(self, what, *options, program="./program"):
        said = self.call("check", program, "--strategy", "dpor", "--json", "results.json", "--out", "alone", *options, "--",
                         *what.split())
        return said, self.told()

    def test_the_results_are_those_of_one_process(self):
        for what, budget in [("counts 2", "2000x"), ("adds 2", "30x"), ("races 1", "200x"), ("rarely 3", "100x"), ("left 2", "200x"),
                             ("waits 3", "50x")]:
            with self.subTest(what):
                shutil.rmtree(self.folder / "divided", ignore_errors=True)
                shutil.rmtree(self.folder / "alone", ignore_errors=True)
                alone, expected = self.by_one_process(what, "-k")
                said = self.split(what, "-k")
                if said.returncode == 3:
                    said = self.finish(budget)
                self.assertEqual((said.returncode, self.told()), (alone.returncode, expected), said.stdout)
                tickets = {name: sorted(path.name for path in (self.folder / name).glob("*.ticket.json")) for name in ["alone", "divided"]}
                self.assertEqual(tickets["alone"], tickets["divided"])
                for ticket in tickets["divided"]:
                    self.assertEqual(self.call("replay", self.folder / "divided" / ticket).returncode, 1)

    def test_the_story_of_a_bug_is_told(self):
        self.split("counts 2", "-k")
        said = self.finish("4000x").stdout
        self.assertIn("assertion 'too much is lost' failed in main", said)
        self.assertIn("stores shared = ", said)
        self.assertIn("program.cc:", said)
        self.assertIn("What makes the difference:", said)
        # What is over is told again.
        again = self.merge()
        self.assertEqual((again.returncode, self.results()["executions"]), (1, 7134))

    def test_results_come_in_any_order_and_count_once(self):
        _, expected = self.by_one_process("counts 2", "-k")
        self.split("counts 2", "-k", parts=6)
        drawn = random.Random(1)
        kept = []
        for _ in range(60):
            parts = self.parts()
            # Half of them are lost, and run again.
            for part in drawn.sample(parts, max(1, len(parts) // 2)):
                result = self.folder / f"{part.stem}.kept"
                self.call("part", part, "--budget", "700x", "--out", result)
                kept.append(result)
            given = kept + kept[-3:]
            drawn.shuffle(given)
            said = self.merge(*given)
            if said.returncode != 3:
                break
            self.assertIn("left out: the result of part", said.stdout)
        self.assertEqual(self.told(), expected, said.stdout)

    def test_random_programs_have_the_results_of_one_process(self):
        self.build(RANDOM, "random")
        divided = 0
        for family in ["3 3 rwal", "3 4 ltxr", "3 4 sla", "3 3 mer", "3 2 wvya"]:
            for seed in range(4):
                what = f"{seed} {family}"
                with self.subTest(what):
                    alone, expected = self.by_one_process(what, "-k", "--budget", "3000x", program="./random")
                    # Some loops need fairness, and very small searches end before they are divided.
                    if expected["stop"] != "complete" or expected["executions"] < 300:
                        continue
                    said = self.split(what, "-k", program="./random", parts=3)
                    if "needs fairness" in said.stdout:
                        continue
                    divided += 1
                    if said.returncode == 3:
                        said = self.finish(f"{expected['executions'] // 5}x")
                    self.assertEqual((said.returncode, self.told()), (alone.returncode, expected), said.stdout)
        self.assertGreater(divided, 4)

    def test_without_keep_going_the_first_bug_ends_the_search(self):
        said = self.split("counts 3")
        if said.returncode == 3:
            said = self.finish("20000x")
        self.assertEqual(said.returncode, 1)
        self.assertIn("stopped at the first bug", said.stdout)
        ticket = next((self.folder / "divided").glob("*.ticket.json"))
        self.assertEqual(self.call("replay", ticket).returncode, 1)

    def test_an_interrupted_part_tells_what_it_has(self):
        self.split("counts 5", "-k", parts=1)
        part, executions, seconds = self.parts()[0], 0, 1
        while executions < 100:  # a slow machine needs longer for that
            process = subprocess.Popen([support.RAVEL, "part", part], cwd=self.folder, stdout=subprocess.PIPE, text=True)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[0]
            self.assertEqual(process.returncode, 0)
            done = re.search(r"([0-9,]+) executions?; 0 of 1 branches ended", said)
            self.assertIsNotNone(done, said)
            executions, seconds = int(done[1].replace(",", "")), 2 * seconds
        self.assertRegex(self.merge().stdout, "1 part is to be run, after [0-9]{3,} executions")

    def test_a_part_runs_in_another_folder(self):
        self.split("counts 2", "-k")
        other = self.folder / "other"
        other.mkdir()
        part = self.parts()[-1]
        shutil.copy(self.folder / "program", other)
        shutil.copy(part, other / "one.part")
        self.assertEqual(self.call("part", part, "--budget", "30x", "--out", "here.result").returncode, 0)
        there = self.call("part", "one.part", "--budget", "30x", folder=other)
        self.assertEqual(there.returncode, 0, there.stdout)
        self.assertEqual(self.merge(other / "one.result").returncode, 3)
        self.assertIn("was taken before", self.merge("here.result").stdout)

    def test_another_executable_is_refused(self):
        self.split("counts 2", "-k")
        part = self.parts()[0]
        self.build(self.write("other.cc", PROGRAM.replace("rounds = 2", "rounds = 3")), "program")
        for said in [self.call("part", part), self.merge()]:
            self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
            self.assertIn("the program's file program is not as it was", said.stdout)
        (self.folder / "program").unlink()
        self.assertIn("the program's file program is not there", self.call("part", part).stdout)

    def test_a_loop_that_needs_fairness_is_refused(self):
        said = self.split("locks 1", "-k")
        if said.returncode == 3:
            said = self.finish("50x")
        self.assertEqual(said.returncode, 2, said.stdout)
        self.assertIn("a thread waits for others in a loop in a way that needs fairness", said.stdout)
        self.assertFalse((self.folder / "results.json").exists())

    def test_what_cannot_be_divided_is_refused(self):
        for options, why in [(["--strategy", "preemption"], "with --strategy preemption and these options cannot be divided yet"),
                             (["--preemptions", "2"], "choose --strategy dpor, without bounds"),
                             (["--isolate"], "--isolate is not for a search that is divided"),
                             (["--spurious"], "with these options the search compares no executions"),
                             (["--host-files"], "--host-files is not for a search that is divided")]:
            said = self.split("adds 2", *options)
            self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
            self.assertIn(why, said.stdout)
        said = self.call("split", "./program", "--into", "s", "--", "adds", "2")
        self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
        self.assertIn("add --strategy dpor", said.stdout)


if __name__ == "__main__":
    unittest.main()
