#!/usr/bin/env python3
"""A search on a cluster whose workers and coordinator are killed and stopped again and again: the counts must stay.

Usage: cluster.py [--ravel PROGRAM] [--cluster PROGRAM] [--workers N] [--worker-kills N] [--coordinator-kills N] [--seconds S] [--seed N]

Over loopback. At random times a worker, or the part that it runs, is killed (kill -9) or stopped (SIGSTOP, and let go on after some
seconds), or the coordinator is killed and resumed. Searches follow each other until all that was to be killed has been. Each must have the
traces of one process, and at the end no process may be left; else the exit status is 1.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
SOURCES = [HERE / "shared.erl", HERE.parent / "peer" / "tables.erl"]
TEST = ["shared.erl", "tables.erl", "-t", "shared:pool", "--strategy", "dpor", "-k"]


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.drawn = random.Random(options.seed)
        self.done = collections.Counter()
        self.stopped = []  # (when it goes on, process)
        self.end = time.monotonic() + options.seconds
        self.coordinator = None

    def processes(self):
        """Those of this run, by what they are."""
        found = collections.defaultdict(list)
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                said = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                if str(self.folder) not in said and str(self.folder) not in os.readlink(entry / "cwd"):
                    continue
            except OSError:
                continue
            kind = "worker" if said.startswith("work_queue_worker") else "part" if "ravel part" in said else "other"
            found[kind].append(int(entry.name))
        return found

    def begin(self, *arguments):
        environment = {**os.environ, "RAVEL_CHECKPOINT_SECONDS": "1"}
        command = [self.options.cluster, "--ravel", self.options.ravel, "--workers-from", "local", "--workers", str(self.options.workers),
                   "--seconds", "1", "--silence", "4", "--json", "results.json", "-q", *arguments]
        with open(self.folder / "said", "a") as said:
            self.coordinator = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=said, stderr=subprocess.STDOUT)

    @staticmethod
    def send(process, number):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass

    def strike_worker(self):
        processes = self.processes()
        kind = self.drawn.choice(["worker", "part"])
        if not processes[kind]:
            return
        process = self.drawn.choice(processes[kind])
        if self.drawn.random() < 0.5:
            self.send(process, signal.SIGKILL)
            self.done[f"{kind} killed"] += 1
        else:
            self.send(process, signal.SIGSTOP)
            self.stopped.append((time.monotonic() + self.drawn.uniform(2, 8), process))
            self.done[f"{kind} stopped"] += 1

    def strike_coordinator(self):
        # Not before there is a search to go on with.
        if not (self.folder / "s" / "search").exists():
            return
        self.coordinator.kill()
        self.coordinator.wait()
        self.done["coordinator killed"] += 1
        self.begin("--resume", "s")

    def let_go_on(self, all_of_them=False):
        now = time.monotonic()
        for when, process in self.stopped:
            if when <= now or all_of_them:
                self.send(process, signal.SIGCONT)
        self.stopped = [one for one in self.stopped if one[0] > now and not all_of_them]

    def left(self):
        kills = sum(count for what, count in self.done.items() if not what.startswith("coordinator"))
        return self.options.worker_kills - kills, self.options.coordinator_kills - self.done["coordinator killed"]

    def search(self):
        """The number of traces, with as much as can be done to the processes in its time."""
        shutil.rmtree(self.folder / "s", ignore_errors=True)
        self.begin("--into", "s", "--", *TEST)
        while self.coordinator.poll() is None:
            if time.monotonic() > self.end:
                sys.exit(f"cluster.py: not over in {self.options.seconds} s: {dict(self.done)}\n{(self.folder / 'said').read_text()[-2000:]}")
            time.sleep(self.drawn.uniform(0.3, 1.5))
            self.let_go_on()
            workers, coordinators = self.left()
            if coordinators > 0 and self.drawn.random() < 0.2:
                self.strike_coordinator()
            elif workers > 0:
                self.strike_worker()
        self.let_go_on(all_of_them=True)
        if self.coordinator.returncode != 0:
            sys.exit(f"cluster.py: exit status {self.coordinator.returncode}\n{(self.folder / 'said').read_text()[-2000:]}")
        return json.loads((self.folder / "results.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravel", default=BUILD / "ravel", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--cluster", default=str(BUILD / "ravel-cluster"))
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--worker-kills", type=int, default=30)
    parser.add_argument("--coordinator-kills", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=900, help="for all of it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in SOURCES:
            shutil.copy(source, folder)
        run = Run(options, folder)
        subprocess.run([options.ravel, "check", *TEST, "--json", "alone.json", "-q"], cwd=folder, check=True, timeout=options.seconds)
        alone = json.loads((folder / "alone.json").read_text())
        counts = ["executions", "redundant", "abandoned", "erroneous_executions", "verdict", "stop"]
        is_right = True
        searches = 0
        while searches == 0 or max(run.left()) > 0:
            start = time.monotonic()
            found = run.search()
            searches += 1
            differs = [name for name in counts if found[name] != alone[name]]
            is_right = is_right and not differs
            print(f"search {searches}: {found['executions']} traces in {time.monotonic() - start:.0f} s"
                  f"{'; DIFFERENT: ' + ', '.join(differs) if differs else ''}", flush=True)
        for _ in range(200):
            if not any(run.processes().values()):
                break
            time.sleep(0.1)
        left = sum(run.processes().values(), [])
        print(", ".join(f"{count} x {what}" for what, count in sorted(run.done.items())) + f"; processes left: {len(left)}")
        for process in left:
            run.send(process, signal.SIGKILL)
        sys.exit(0 if is_right and not left else 1)


if __name__ == "__main__":
    main()
