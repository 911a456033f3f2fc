#!/usr/bin/env python3
"""The program ravel-cluster over loopback: the results of one process, whoever is killed on the way.

usage: RAVEL=build/ravel RAVEL_CLUSTER=build/ravel-cluster cluster_test.py [work-queue | taskvine]     77: it is not installed
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

RAVEL = os.environ["RAVEL"]
CLUSTER = os.environ.get("RAVEL_CLUSTER", "")
ENGINE = sys.argv.pop(1) if sys.argv[1:2] in (["work-queue"], ["taskvine"]) else "work-queue"
WORKER, FACTORY = {"work-queue": ("work_queue_worker", "work_queue_factory"), "taskvine": ("vine_worker", "vine_factory")}[ENGINE]
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "cluster"
TRACES = 207900

# A bug in some traces.
RACE = """\
-module(race).
-export([t/0]).
t() ->
    ets:new(n, [public, named_table]), ets:insert(n, {n, 0}), Me = self(),
    [spawn_link(fun() -> [{n, N}] = ets:lookup(n, n), ets:insert(n, {n, N + 1}), Me ! d end) || _ <- lists:seq(1, 5)],
    [receive d -> ok end || _ <- lists:seq(1, 5)],
    case ets:lookup(n, n) of [{n, 1}] -> exit(lost); _ -> ok end.
"""


# Three threads lose counts.
COUNT = """\
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>
static std::atomic<int> shared;
int main(int, char** arguments) {
  const int rounds = std::atoi(arguments[1]);
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i)
    all.emplace_back([=] { for (int k = 0; k < rounds; ++k) { const int seen = shared.load(); shared.store(seen + 1); } });
  for (std::thread& one : all) one.join();
  if (shared == 2) std::abort();
}
"""


def can_be_found():
    """Whether this machine's name leads to it: workers of a batch system are told no other address."""
    try:
        return bool(socket.gethostbyname(socket.gethostname()))
    except OSError:
        return False


class ClusterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(EXAMPLE / "pool.erl", self.folder)
        (self.folder / "race.erl").write_text(RACE)

    def begin(self, *arguments, workers="local", path=""):
        environment = {**os.environ, "RAVEL_CHECKPOINT_SECONDS": "0.5", "PATH": f"{path}:{os.environ['PATH']}"}
        command = [CLUSTER, "--ravel", RAVEL, "--engine", ENGINE, "--workers-from", workers, "--workers", "2", "--seconds", "1", "--json", "results.json"]
        return subprocess.Popen([*command, *arguments], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def results(self):
        return json.loads((self.folder / "results.json").read_text())

    def processes(self):
        """Those that were started for this test, with their arguments: they run below its folder, or are told it."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                said = (entry / "cmdline").read_bytes().decode(errors="replace")
                if str(self.folder) in said or str(self.folder) in os.readlink(entry / "cwd"):
                    found[int(entry.name)] = said.split("\0")
            except OSError:
                pass
        return found

    def wait_for_part(self, process):
        """Until a worker runs a part, so that the search is under way, and not over on a fast machine."""
        deadline = time.monotonic() + 100
        while not any("part" in arguments for arguments in self.processes().values()):
            self.assertIsNone(process.poll(), "the search has ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def assert_none_left(self):
        for _ in range(150):
            if not self.processes():
                return
            time.sleep(0.1)
        self.fail(f"processes are left: {self.processes()}")

    def test_the_first_bug_ends_the_search(self):
        process = self.begin("--", "race.erl", "-t", "race:t")
        said = process.communicate(timeout=200)[0]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("Bug 1", said)
        self.assertEqual(len(list(self.folder.glob("ravel-tickets/*.ticket.json"))), 1)
        self.assert_none_left()

    def test_a_program_of_cpp_with_arguments(self):
        (self.folder / "count.cc").write_text(COUNT)
        wrapper = pathlib.Path(RAVEL).with_name("ravel-c++")
        subprocess.run([wrapper, "-std=c++20", "-O1", "count.cc", "-o", "count"], cwd=self.folder, check=True)
        alone = subprocess.run([RAVEL, "check", "./count", "--strategy", "dpor", "-k", "--json", "results.json", "--", "2"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        expected = self.results()
        self.assertEqual((alone.returncode, expected["executions"]), (1, 7134))
        process = self.begin("--", "./count", "--strategy", "dpor", "-k", "--", "2")
        said = process.communicate(timeout=200)[0]
        self.assertEqual(process.returncode, 1, said)
        found = self.results()
        for name in ["verdict", "stop", "executions", "redundant", "erroneous_executions"]:
            self.assertEqual(found[name], expected[name], name)
        self.assert_none_left()

    def test_an_interrupted_search_goes_on(self):
        process = self.begin("--", "pool.erl", "-t", "pool:takes")
        self.wait_for_part(process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("ravel-cluster --resume ravel-search", said)
        self.assert_none_left()
        process = self.begin("--resume", "ravel-search")
        self.wait_for_part(process)
        process.kill()  # without a word
        process.communicate()
        process = self.begin("--resume", "ravel-search")
        said = process.communicate(timeout=200)[0]
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.results()["executions"], TRACES)
        # What is over is told again.
        again = self.begin("--resume", "ravel-search")
        self.assertIn(f"No bug in any of the {TRACES:,} traces.", again.communicate(timeout=60)[0])
        self.assertEqual(again.returncode, 0)
        self.assertEqual(os.stat(self.folder / "ravel-search" / "password").st_mode & 0o777, 0o600)
        self.assert_none_left()

    def test_workers_are_jobs_of_a_batch_system(self):
        if shutil.which(FACTORY) is None:
            self.skipTest(f"{FACTORY} is not installed")
        if not can_be_found():
            self.skipTest("this machine's name leads nowhere, so that jobs of a batch system cannot find it")
        # Slurm as far as it is used: a job begins at once.
        commands = self.folder / "bin"
        commands.mkdir()
        (commands / "sbatch").write_text(f"""#!/bin/bash
echo "$@" >> {self.folder}/submitted
echo "$BATCH_JOB_COMMAND" >> {self.folder}/submitted
setsid timeout 1000 bash "${{@: -1}}" > /dev/null 2>&1 < /dev/null &
echo "Submitted batch job $$"
""")
        (commands / "scancel").write_text("#!/bin/sh\n")
        for command in commands.iterdir():
            command.chmod(0o755)
        process = self.begin("--batch-options", "--partition=long", "--", "pool.erl", "-t", "pool:takes", workers="slurm", path=commands)
        said = process.communicate(timeout=1000)[0]
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.results()["executions"], TRACES)
        submitted = (self.folder / "submitted").read_text()
        self.assertIn("--partition=long", submitted)
        self.assertIn(WORKER, submitted)
        self.assertNotIn(".edu", submitted)  # nobody else hears of the search
        self.assertNotIn("password", said.replace("/password", ""))

    def test_a_factory_that_fails_is_told(self):
        commands = self.folder / "bin"
        commands.mkdir()
        (commands / FACTORY).write_text("#!/bin/sh\necho no such partition\nexit 3\n")
        (commands / FACTORY).chmod(0o755)
        process = self.begin("--", "pool.erl", "-t", "pool:takes", workers="slurm", path=commands)
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 3, said)
        self.assertIn(f"{FACTORY} has ended with status 3; ravel-search/workers.log has what it said", said)
        self.assertIn("no such partition", (self.folder / "ravel-search" / "workers.log").read_text())

    def test_bad_input_is_told_once(self):
        for arguments, why in [(["--", "none.erl"], "none.erl"), ([], "after -- stand the program"),
                               (["--resume", "nowhere"], "no such folder"),
                               (["--resume", "x", "--", "y"], "leave out what is after --")]:
            process = self.begin(*arguments)
            said = process.communicate(timeout=60)[0]
            self.assertEqual(process.returncode, 2, said)
            self.assertIn(why, said)

    def test_the_example(self):
        done = subprocess.run([EXAMPLE / "run.sh", RAVEL, CLUSTER, ENGINE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=400)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"by the cluster: {TRACES} traces; by one process: {TRACES}", done.stdout)


if __name__ == "__main__":
    if not os.path.exists(CLUSTER) or shutil.which(WORKER) is None:
        print(f"skipped: ravel-cluster is not built, or {WORKER} (coop-computing-tools) is not installed")
        sys.exit(77)
    unittest.main()
