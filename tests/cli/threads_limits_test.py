"""What ends a search of a program of C or C++ from outside: interrupts at its start, budgets, limits of the system."""

import pathlib
import resource
import signal
import subprocess
import time
import unittest

from support import IS_SANITIZED, RAVEL, CommandTest

# Its constructor takes longer than anybody waits.
SLOW_START = """
volatile bool goes_on = true;
struct Slow { Slow() { while (goes_on) {} } } slow;
int main() {}
"""
LONG_EXECUTIONS = """
#include <atomic>
#include <thread>
std::atomic<int> number;
void count() {
  for (int i = 0; i < 400000; ++i) number.fetch_add(1);
}
int main() {
  std::thread one(count), other(count);
  one.join(), other.join();
}
"""
SMALL = """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int number;
void count() { std::lock_guard<std::mutex> lock(mutex); ++number; }
int main() {
  std::thread other(count);
  count();
  other.join();
  assert(number == 2);
}
"""


class ThreadsLimits(CommandTest):
    def build(self, text):
        source = pathlib.Path(self.folder, "program.cc")
        source.write_text(text)
        wrapper = pathlib.Path(RAVEL).with_name("ravel-c++")
        subprocess.run([wrapper, source, "-o", pathlib.Path(self.folder, "program")], check=True)

    def start(self, *options, **more):
        return subprocess.Popen([RAVEL, "check", "./program", *options], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def test_an_interrupt_before_the_search_ends_it_as_one_in_its_middle(self):
        self.build(SLOW_START)
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start()
            time.sleep(1)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, errors)
            self.assertIn("interrupted", errors)

    def test_a_budget_holds_for_long_executions(self):
        self.build(LONG_EXECUTIONS)
        before = time.monotonic()
        process = self.start("--events", "10000000", "--budget", "3s")
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, output + errors)
        self.assertLess(time.monotonic() - before, 15)  # on a busy machine
        self.assertIn("budget of time", output)

    @unittest.skipIf(IS_SANITIZED, "AddressSanitizer wants more address space")
    def test_little_address_space_is_enough(self):
        self.build(SMALL)
        limit = 8_000_000 * 1024
        process = self.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, output + errors)


if __name__ == "__main__":
    unittest.main()
