"""Choices of tests of C and C++ (ravel.h): with Ravel's commands, and as ordinary programs without it."""

import pathlib
import shutil
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent
PROGRAMS = pathlib.Path(__file__).parents[1] / "threads" / "programs"

NUMBERS = """\
#include <ravel.h>

int number_of_another_file(void);

int main(void) {
  int i;
  for (i = 0; i < 40; ++i) printf("%d ", ravel_choose(3));
  printf("%d\\n", number_of_another_file());
  ravel_assert(ravel_choose(1) == 1, "there is no other way");
  return 0;
}
"""
ANOTHER = '#include <ravel.h>\nint number_of_another_file(void) { return ravel_choose(1000); }\n'


class ThreadsChoicesTest(support.CommandTest):
    def build(self, source, name, *options, wrapper="ravel-c++"):
        subprocess.run([BUILD / wrapper, source, "-o", self.folder / name, *options], cwd=self.folder, check=True)

    def native(self, *words):
        return subprocess.run([str(word) for word in words], cwd=self.folder, capture_output=True, text=True)

    def compile_natively(self, compiler, *sources):
        built = self.native(compiler, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", f"-I{BUILD}/include", *sources, "-o", "native")
        self.assertEqual(built.returncode, 0, built.stderr)

    def test_without_ravel_the_numbers_are_random(self):
        for suffix, compilers in [("c", ["gcc", "clang"]), ("cc", ["g++", "clang++"])]:
            self.write("numbers." + suffix, NUMBERS)
            self.write("another." + suffix, ANOTHER)
            for compiler in filter(shutil.which, compilers):
                with self.subTest(compiler=compiler):
                    self.compile_natively(compiler, "numbers." + suffix, "another." + suffix)
                    runs = [self.native("./native").stdout.split() for _ in range(2)]
                    self.assertEqual({*runs[0][:40], *runs[1][:40]}, {"1", "2", "3"})
                    self.assertNotEqual(*runs)

    def test_without_ravel_what_is_wrong_is_told(self):
        self.write("wrong.c", "#include <ravel.h>\nint main(int count, char** names) { (void)names;\n"
                              'if (count > 1) ravel_choose(count - 2);\nravel_assert(count > 1, "there is an argument"); return 0; }\n')
        self.compile_natively("gcc", "wrong.c")
        failed = self.native("./native")
        self.assertEqual((failed.returncode, failed.stderr), (-6, "wrong.c:4: main: assertion 'there is an argument' failed\n"))
        failed = self.native("./native", "x")
        self.assertEqual((failed.returncode, failed.stderr), (-6, "ravel_choose(0): there have to be 1 to 1000 ways to choose from\n"))
        self.assertEqual(self.native("./native", "x", "y").returncode, 0)

    def test_a_choice_is_told_replayed_and_one_of_the_races(self):
        self.build(PROGRAMS / "choices.cc", "choices")
        found = self.expect(1, "check", "./choices", "-t", "both_second", "--json", "results.json")
        self.assertRegex(found.stdout, r"(?s)P    chooses 2 of 3 .*P\.1  chooses 2 of 3 ")
        self.assertIn("if (ravel_choose(3) == 2) ++seconds;", found.stdout)
        ticket = self.results()["bugs"][0]["ticket"]
        self.assertIn("chooses 2 of 3", self.expect(1, "replay", ticket).stdout)
        races = self.expect(0, "races", ticket).stdout
        self.assertEqual(races.count("it chooses 1 of 3 instead"), 2, races)
        self.assertEqual(races.count("it chooses 3 of 3 instead"), 2, races)

    def test_what_makes_the_difference_may_be_a_choice(self):
        self.build(PROGRAMS / "choices.cc", "choices")
        found = " ".join(self.expect(1, "check", "./choices", "-t", "a_number_is_bad").stdout.split())
        self.assertRegex(found, r"P chooses 37 of 50 \(choices.cc:\d+\); when it chooses \d+ of 50 instead, the test passes")

    def test_by_itself_a_program_takes_the_first_way(self):
        self.write("numbers.c", NUMBERS)
        self.write("another.c", ANOTHER)
        self.build("numbers.c", "numbers", "another.c", wrapper="ravel-cc")
        self.assertEqual(self.native("./numbers").stdout.split(), 41 * ["1"])

    def test_before_main_there_is_no_choice(self):
        self.write("early.cc", "#include <ravel.h>\nstatic const int n = ravel_choose(2);\nint main() { return n > 2; }\n")
        self.build("early.cc", "early")
        self.assertIn("before main(): ravel_choose", self.expect(2, "check", "./early").stderr)

    def test_an_interrupted_search_goes_on_with_the_ways_that_are_left(self):
        self.build(PROGRAMS / "choices.cc", "choices")
        for strategy in ["dpor", "dfs", "preemption"]:
            with self.subTest(strategy=strategy):
                first = self.expect(3, "check", "./choices", "-t", "how_often", "--strategy", strategy, "--budget", "5x",
                                    "--json", "results.json")
                saved = first.stdout.split("--resume ")[1].split()[0]
                self.expect(0, "check", "--resume", saved, "--json", "results.json")
                self.assertEqual(self.results()["executions"], 14)


if __name__ == "__main__":
    unittest.main()
