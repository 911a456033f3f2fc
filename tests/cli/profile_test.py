"""ravel profile: counts that follow from the source, the same for each seed, and one clear message for what it does not take."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ["RAVEL"]).resolve()

PROGRAM = """
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

alignas(8) volatile int rare = 0;
alignas(8) std::atomic<int> often{0};
long row[4];
std::mutex mutex;

static long* make() { return new long[2]; }

int main() {
  std::vector<long*> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(make());
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) often++;
    for (long* block : blocks) {
      const std::lock_guard<std::mutex> lock(mutex);
      block[0]++;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    row[1]++;
    row[3] = row[1];
  };
  std::thread one(work), other(work);
  rare = 1;
  one.join();
  other.join();
}
"""


class Profile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        (cls.folder / "program.cc").write_text(PROGRAM)
        subprocess.run([RAVEL.parent / "ravel-c++", "program.cc", "-o", "program"], cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def run_ravel(self, *arguments):
        return subprocess.run([RAVEL, "profile", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def variables(self, *options):
        done = self.run_ravel("./program", *options, "--json", "profile.json", "-q")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        profile = json.loads((self.folder / "profile.json").read_text())["profiles"][0]
        self.assertEqual(profile["left_out"], 0)
        self.assertEqual(sum(bucket["variables"] for bucket in profile["frequencies"]), len(profile["variables"]))
        return {variable["name"]: variable for variable in profile["variables"]}

    def counts(self, variables, name):
        return tuple(variables[name][key] for key in ("reads", "writes", "threads"))

    def test_counts_follow_from_the_source(self):
        for seed in ("1", "2"):
            variables = self.variables("--seed", seed)
            self.assertEqual(self.counts(variables, "rare"), (0, 1, 1))
            self.assertEqual(self.counts(variables, "often"), (0, 20, 2))
            self.assertEqual(self.counts(variables, "row"), (2, 4, 2))
            # Locking and unlocking, four times in each thread.
            self.assertEqual(self.counts(variables, "mutex"), (0, 16, 2))
            for number in (1, 2, 3):
                self.assertEqual(self.counts(variables, f"block {number} of program.cc:12"), (2, 2, 2))
                self.assertEqual(variables[f"block {number} of program.cc:12"]["size"], 16)

    def test_arrays_and_blocks_can_be_told_word_by_word(self):
        variables = self.variables("--elements", "--executions", "3")
        self.assertEqual(self.counts(variables, "row+8"), (2, 2, 2))
        self.assertEqual(self.counts(variables, "row+24"), (0, 2, 2))
        self.assertNotIn("row", variables)
        self.assertEqual(self.counts(variables, "block 2 of program.cc:12+0"), (2, 2, 2))

    def test_the_text_has_the_most_accessed_first_and_how_many_there_are_of_a_kind(self):
        done = self.run_ravel("./program")
        self.assertEqual(done.returncode, 0)
        self.assertLess(done.stdout.index(" often"), done.stdout.index(" rare"))
        self.assertIn("10 to 99", done.stdout)

    def test_what_it_does_not_take_is_said(self):
        for arguments, wanted in [(["bank.erl"], "only programs of C and C++"), ([], "only programs of C and C++"),
                                  (["./program", "-t", "nothing"], "-t nothing"), (["./program", "--json", "/nowhere/x"], "/nowhere/x")]:
            done = self.run_ravel(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(wanted, done.stderr)


unittest.main()
