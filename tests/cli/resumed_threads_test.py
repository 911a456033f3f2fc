"""Searches of programs of C and C++ that are killed, or cannot be saved, and go on."""

import os
import pathlib
import shutil
import subprocess
import time
import unittest

from support import OFTEN, RAVEL, CommandTest, limit_files

BUILD = pathlib.Path(RAVEL).parent

# Three threads write one variable again and again; `plain` is a race. With a second argument the search has a bug: the last
# write is the first thread's.
MANY = """\
#include <ravel.h>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>
std::atomic<int> shared{0};
int plain = 0;
void work(int self, int rounds) {
  for (int i = 0; i < rounds; ++i) shared.store(self * 1000 + i);
  plain = self;
}
int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 2;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back(work, i, rounds);
  for (std::thread& thread : threads) thread.join();
  if (count > 2) ravel_assert(shared != 1000 + rounds - 1, "the first thread is not the last one");
}
"""

# States with dates: only in the middle of the search a thread looks at the clock.
DATES = """\
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>
std::atomic<int> shared{0};
void work(int self) {
  for (int i = 0; i < 14; ++i) shared.store(self * 1000 + i);
  if (shared == 1013) std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(self));
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}
"""

# A thread that computes for hours between two operations.
COMPUTES = """\
#include <atomic>
#include <thread>
std::atomic<int> shared{0};
int main() {
  std::thread other([] { shared = 1; });
  shared = 2;
  for (unsigned long i = 0; i < 1'000'000'000'000ul; ++i) asm volatile("");
  other.join();
}
"""

COUNTS = ("executions", "redundant", "abandoned", "states", "transitions", "depth", "erroneous_executions", "verdict", "stop")


class ResumedThreads(CommandTest):
    def build(self, source, name):
        subprocess.run([BUILD / "ravel-c++", "-O1", self.write(name + ".cc", source), "-o", self.folder / name], cwd=self.folder,
                       check=True)

    def found(self, name="results.json"):
        results = self.results(name)
        bugs = sorted((bug["message"], bug["executions"]) for bug in results["bugs"])
        return {key: results.get(key) for key in COUNTS}, bugs

    def check_resumed(self, program, *options, kills=2):
        """A search that is killed twice comes to what an undisturbed one comes to."""
        search = ["check", program, "-q", "--json", "results.json", *options]
        self.ravel(*search)
        whole = self.found()
        shutil.rmtree(self.folder / "ravel-tickets", ignore_errors=True)
        file = self.kill_at_checkpoint(*search)
        self.assertIsNotNone(file, "the search was over before it was saved")
        # It does go on from there, and does not begin anew. On a slow machine the first file has little.
        for _ in range(20):
            copy = shutil.copy(file, self.folder / "copy.search")
            self.ravel("check", "--resume", copy, "-q", "--budget", "0.0001s", "--out", "copy", "--json", "copy.json")
            counts, _ = self.found("copy.json")
            self.assertEqual(counts["stop"], "time_budget")
            taken = (counts["states"] or 0) + counts["executions"]
            if taken > 20:
                break
            file = self.kill_at_checkpoint("check", "--resume", file, "-q", "--json", "results.json")
            self.assertIsNotNone(file, "the search was over before it had come far")
        self.assertGreater(taken, 20)
        for key in ("executions", "transitions"):
            if whole[0][key]:
                self.assertLessEqual(counts[key], whole[0][key])
        for _ in range(kills - 1):
            file = self.kill_at_checkpoint("check", "--resume", file, "-q", "--json", "results.json")
        if file is not None:
            self.ravel("check", "--resume", file, "-q", "--json", "results.json")
        self.assertEqual(self.found(), whole)
        for bug in self.results()["bugs"]:
            self.expect(1, "replay", bug["ticket"])
        return whole

    def test_a_killed_search_comes_to_the_same_end_with_every_strategy(self):
        self.build(MANY, "many")
        for options in (["--strategy", "dfs", "--", "2"],
                        ["--", "3"],
                        ["--strategy", "dpor", "--", "3"],
                        ["--strategy", "dpor", "--preemptions", "3", "--", "6"],
                        ["--strategy", "preemption", "--preemptions", "4", "--", "5"],
                        ["--strategy", "delay", "--delays", "6", "--", "5"],
                        ["--strategy", "vt", "--variables", "1", "--preemptions", "3", "--", "4"],
                        ["--strategy", "random", "--", "400"],
                        ["--strategy", "pct", "--", "500"],
                        ["--strategy", "pct", "--variables", "1", "--", "300"],
                        ["--strategy", "pos", "--", "500"],
                        ["--strategy", "surw", "--", "500"],
                        ["--strategy", "states", "--", "24"],
                        ["--strategy", "shortest", "--", "24"],
                        ["--strategy", "states", "--fingerprints", "64", "--", "24"],
                        ["--strategy", "states", "--bitstate", "8", "--", "24"],
                        ["--strategy", "preemption", "--preemptions", "2", "--isolate", "--", "2"]):
            with self.subTest(options=options):
                (counts, _) = self.check_resumed("./many", *options)
                self.assertEqual(counts["verdict"], "pass")

    def test_bugs_that_were_found_before_are_told_once(self):
        self.build(MANY, "many")
        for options in (["--strategy", "dfs"], ["--strategy", "dpor"], ["--strategy", "states"], ["--strategy", "random"]):
            with self.subTest(options=options):
                rounds = {"dfs": "2", "dpor": "3", "states": "24", "random": "400"}[options[1]]
                counts, bugs = self.check_resumed("./many", "-k", *options, "--", rounds, "bug")
                self.assertEqual((counts["verdict"], len(bugs)), ("bug", 1))

    def test_states_in_which_dates_count_are_known_again(self):
        self.build(DATES, "dates")
        for strategy in ("states", "shortest"):
            with self.subTest(strategy=strategy):
                self.check_resumed("./dates", "--strategy", strategy)

    def test_the_ticket_is_there_and_the_resumed_search_names_it(self):
        self.build(MANY, "many")
        file = self.kill_at_checkpoint("check", "./many", "-k", "--strategy", "dfs", "--", "2", "bug")
        # The first schedule with the bug comes soon, but may come after the first checkpoint.
        while not self.tickets():
            file = self.kill_at_checkpoint("check", "--resume", file)
        (ticket,) = self.tickets()
        written = ticket.stat().st_mtime_ns
        self.assertIn("the first thread is not the last one", self.expect(1, "replay", ticket).stdout)
        said = self.expect(1, "check", "--resume", file, "--budget", "1x", "--json", "results.json").stdout
        (bug,) = self.results()["bugs"]
        self.assertEqual(self.folder / bug["ticket"], ticket)
        self.assertIn(f"Replay it with: ravel replay {bug['ticket']}", said)
        self.assertIn("What makes the difference", said)
        self.assertIn("Warning: data race on plain: P.1 writes at many.cc:11 in work", said)
        self.assertEqual(ticket.stat().st_mtime_ns, written)

    def test_the_program_is_killed_with_the_command(self):
        self.build(COMPUTES, "computes")
        for options in ([], ["--isolate"], ["--strategy", "states"]):
            with self.subTest(options=options):
                process = subprocess.Popen([RAVEL, "check", "./computes", *options], cwd=self.folder, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                programs = []
                deadline = time.monotonic() + 60
                while not programs and time.monotonic() < deadline:
                    programs = running(self.folder / "computes")
                time.sleep(0.5)
                programs = running(self.folder / "computes")
                self.assertGreater(len(programs), 0)
                process.kill()
                process.wait()
                deadline = time.monotonic() + 20
                while running(self.folder / "computes") and time.monotonic() < deadline:
                    time.sleep(0.02)
                self.assertEqual(running(self.folder / "computes"), [])

    def test_a_file_that_cannot_be_written_leaves_the_one_before_and_is_told_once(self):
        """A bound on the size of files stands for a full disk."""
        self.build(MANY, "many")
        search = ["check", "./many", "--strategy", "states", "--json", "results.json", "--", "24"]
        self.expect(0, *search)
        whole = self.found()

        process = subprocess.Popen([RAVEL, *search], cwd=self.folder, env=self.environment(OFTEN), preexec_fn=limit_files(60_000),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        saved = self.last_saved(process)
        said, told = process.communicate()
        self.assertEqual(process.returncode, 0, told)
        self.assertEqual(told.count("where the search is could not be saved"), 1, told)
        self.assertIn("File too large", told)
        self.assertEqual(self.found(), whole)
        self.expect(0, "check", "--resume", saved, "--json", "results.json")
        self.assertEqual(self.found(), whole)

    def test_a_damaged_position_of_states_is_one_error(self):
        self.build(MANY, "many")
        file = self.kill_at_checkpoint("check", "./many", "--strategy", "states", "--", "24")
        whole = file.read_bytes()
        for at in range(len(whole) // 3, len(whole), len(whole) // 5):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1:])
            self.refused("check", "--resume", file, "--budget", "5x", says="damaged")

    def test_the_interval_has_to_be_a_number_of_seconds(self):
        self.build(COMPUTES, "computes")
        for wrong in ("", "0", "-1", "5s", "soon"):
            self.refused("check", "./computes", env={"RAVEL_CHECKPOINT_SECONDS": wrong},
                         says=f"RAVEL_CHECKPOINT_SECONDS={wrong}: this is not a number of seconds above 0.")


def running(program):
    """The processes of this file that are not dead."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


if __name__ == "__main__":
    unittest.main()
