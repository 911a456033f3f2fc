"""A process that takes memory without end, between two operations, is told as that; with a limit on address space, too."""

import subprocess
import unittest

from support import IS_SANITIZED, RAVEL, CommandTest

PROGRAM = """\
-module(grow).
-compile([export_all, nowarn_export_all]).

in_its_heap() -> spawn(fun() -> grow([]) end), ok.
grow(List) -> grow([{item, List} | List]).

in_its_stack() -> deeper(1).
deeper(0) -> [];
deeper(N) -> [N | deeper(N + 1)].

by_doubling() -> double(<<1, 2, 3, 4>>).
double(Binary) -> double(<<Binary/binary, Binary/binary>>).

not_for_long() -> [lists:sum(lists:seq(1, 100000)) || _ <- lists:seq(1, 100)], ok.
"""

LIMIT = 8_000_000  # KB of address space


@unittest.skipIf(IS_SANITIZED, "AddressSanitizer wants more address space")
class Memory(CommandTest):
    def check(self, test):
        self.write("grow.erl", PROGRAM)
        return subprocess.run(["sh", "-c", f'ulimit -v {LIMIT} && exec "$0" "$@"', RAVEL, "check", "grow.erl", "-t", f"grow:{test}",
                               "--json", "results.json"], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              env=self.environment(None))

    def test_a_process_that_grows_without_end_is_a_bug(self):
        for test, actor in [("in_its_heap", "P.1"), ("in_its_stack", "P"), ("by_doubling", "P")]:
            run = self.check(test)
            self.assertEqual(run.returncode, 1, f"{test}\n{run.stdout}{run.stderr}")
            bug = self.results()["bugs"][0]
            self.assertEqual((bug["kind"], bug["actor"]), ("out_of_memory", actor), run.stdout)
            # What wants more at once than there is does not come to a place where it could be asked for its own.
            self.assertEqual(bug["file"], "grow.erl" if test in ("in_its_heap", "in_its_stack") else "", run.stdout)
            self.assertIn("takes more memory than a program may have", run.stdout)
        self.assertEqual(self.ravel("replay", bug["ticket"]).returncode, 1)

    def test_what_is_not_live_any_more_does_not_count(self):
        self.assertEqual(self.check("not_for_long").returncode, 0)


if __name__ == "__main__":
    unittest.main()
