"""ravel replay --gdb: gdb stops where the execution fails, in the thread that fails."""

import pathlib
import shutil
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent

PROGRAM = """\
#include <ravel/test.h>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex first, second;
int balance = 0;
thread_local int mine = 7;

void pay() { balance = balance + 1; }
void take_both(std::mutex& one, std::mutex& other) {
  std::lock_guard lock(one);
  std::lock_guard more(other);
}
void write_to(int* place) {
  mine = 42;
  *place = 1;
}

RAVEL_TEST(loses_an_update) {
  std::thread thread(pay);
  pay();
  thread.join();
  assert(balance == 2);
}
RAVEL_TEST(deadlocks) {
  std::thread thread([] { take_both(first, second); });
  take_both(second, first);
  thread.join();
}
RAVEL_TEST(crashes) {
  std::thread other([] { mine = 5; });
  std::thread thread(write_to, nullptr);
  other.join();
  thread.join();
}
RAVEL_TEST(spins) {
  while (true) std::lock_guard lock(first);
}
"""

GOOGLE = """\
#include <gtest/gtest.h>
#include <thread>
int balance = 0;
TEST(Other, IsNotRun) { ADD_FAILURE(); }
void check_balance() { EXPECT_EQ(balance, 1); }
TEST(Account, Fails) {
  std::thread thread(check_balance);
  thread.join();
}
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class GdbTest(support.CommandTest):
    def ticket(self, test, source=PROGRAM, *options):
        self.write("program.cc", source)
        subprocess.run([BUILD / "ravel-c++", "program.cc", "-o", "program", *options], cwd=self.folder, check=True)
        self.expect(1, "check", "./program", "-t", test, "--events", "500", "--long", "bug")
        return self.tickets()[0]

    def gdb(self, ticket, *commands):
        """The exit status, and what gdb prints for these commands."""
        run = subprocess.run([support.RAVEL, "replay", "--gdb", ticket], cwd=self.folder, text=True, capture_output=True, timeout=120,
                             input="\n".join(["set width 0", *commands, ""]))
        return run.returncode, run.stdout

    def test_it_stops_at_a_failed_assertion(self):
        status, text = self.gdb(self.ticket("loses_an_update"), "print balance", "up 0", "bt", "continue")
        self.assertEqual(status, 1)
        self.assertIn("assert(balance == 2);", text)  # the frame of the test is selected
        self.assertIn("= 1\n", text)
        self.assertRegex(text, r"__assert_fail[^#]*#\d+ .*loses_an_update \(\) at .*program.cc:25")

    def test_leaving_gdb_ends_it(self):
        self.assertEqual(self.gdb(self.ticket("loses_an_update"), "quit")[0], 0)

    def test_a_crash_shows_the_thread_that_crashes(self):
        status, text = self.gdb(self.ticket("crashes", PROGRAM, "-O0"), "print mine", "print place", "bt", "continue")
        self.assertEqual(status, 1)
        self.assertIn("$1 = 42", text)
        self.assertIn("$2 = (int *) 0x0", text)
        self.assertRegex(text, r"write_to \(place=0x0\)[^\n]*program.cc:18")
        self.assertIn("thread_main", text)

    def test_a_deadlock_stops_in_each_thread(self):
        status, text = self.gdb(self.ticket("deadlocks"), "bt", "continue", "bt", "continue")
        self.assertEqual(status, 1)
        stops = text.split("Breakpoint 1,")[1:]
        self.assertEqual(len(stops), 2, text)
        self.assertIn("ravel_test_deadlocks", stops[0])
        self.assertIn("take_both", stops[0])
        self.assertIn("thread_main", stops[1])
        self.assertIn("take_both", stops[1])

    def test_an_endless_execution_stops_where_it_was_cut_off(self):
        self.assertIn("ravel_test_spins", self.gdb(self.ticket("spins"), "bt")[1])

    def test_a_failure_of_google_test_stops_in_its_thread(self):
        status, text = self.gdb(self.ticket("Account.Fails", GOOGLE, "-lgtest", "-lgtest_main"), "bt", "print balance", "continue", "continue")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"check_balance \(\) at [^\n]*program.cc:5")
        self.assertIn("$1 = 0", text)
        self.assertNotIn("IsNotRun", text)

    def test_without_gdb_it_says_so(self):
        ticket = self.ticket("crashes")
        (self.folder / "empty").mkdir()
        self.refused("replay", "--gdb", ticket, says="gdb is not installed", env={"PATH": str(self.folder / "empty")})

    def test_it_is_for_programs_only(self):
        self.write("race.erl", support.RACE)
        self.expect(1, "check", "race.erl", "-t", "race:lost_test")
        self.refused("replay", "--gdb", self.tickets()[0], says="of a test of Erlang")
        self.refused("replay", "--gdb", says="--gdb is for a ticket")


if __name__ == "__main__":
    unittest.main()
