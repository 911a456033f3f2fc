#!/usr/bin/env python3
"""One test by one process and by several, side by side: executions or states, time, and time of the processor.

Usage: run.py [--ravel PROGRAM] [--jobs N] [--only REGEX] [--repetitions N] [--sctbench CHECKOUT]

Prints for each test of shared.erl, and each strategy, for three programs of C++, for searches by states of the locker of bench/states and of
two-phase commit in P, how many times as fast N processes are as one (medians of runs that take turns), and how much more time of the
processor they need. On a machine that does other things as well only the latter means something. The number of executions or states must be
the same; else the exit status is 1. CHECKOUT is a copy of https://github.com/mc-imperial/sctbench, some programs of which are searched as well.
"""

import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [HERE / "shared.erl", HERE.parent / "peer" / "tables.erl"]
COMMIT = HERE.parents[1] / "examples" / "p" / "protocols" / "two_phase_commit"
LOCKER = HERE.parent / "states" / "locker.erl"
ACCOUNT = HERE.parents[1] / "examples" / "threads" / "account.cc"
THREE_BY_THREE = HERE.parent / "threads" / "three_by_three.cc"
COUNTERS = HERE / "counters.cc"
BY_STATES = ["states", "shortest", "ses"]
SCTBENCH = pathlib.Path("benchmarks/concurrent-software-benchmarks")
# The test, the strategy, and what else it is asked for. A program of C or C++ is its source.
RUNS = [(test, "dpor", []) for test in ["pool", "clients", "last_zero", "readers"]] + [
    ("pool", "random", ["--budget", "300000x"]),
    ("pool", "surw", ["--budget", "100000x"]),
    ("pool", "preemption", ["--preemptions", "3"]),
    ("pool", "delay", ["--delays", "6"]),
    ("locker", "states", []),
    ("locker", "shortest", []),
    ("locker", "ses", []),
    ("commit", "states", ["--ignore", "liveness"]),
    ("commit", "shortest", ["--ignore", "liveness"]),
    ("commit", "ses", ["--ignore", "liveness"]),
    (ACCOUNT, "random", ["--budget", "3000000x"]),
    (THREE_BY_THREE, "random", ["--budget", "300000x"]),
    (THREE_BY_THREE, "surw", ["--budget", "200000x"]),
    (THREE_BY_THREE, "preemption", ["--preemptions", "3"]),
    (THREE_BY_THREE, "dpor", []),
    (COUNTERS, "states", []),
    (COUNTERS, "shortest", []),
    (COUNTERS, "ses", []),
]
RUNS_OF_SCTBENCH = [
    (SCTBENCH / "reorder_5_bad.c", "random", ["--budget", "100000x"]),
    (SCTBENCH / "reorder_5_bad.c", "preemption", ["--preemptions", "2"]),
    (SCTBENCH / "reorder_5_bad.c", "dpor", []),
    (SCTBENCH / "twostage_100_bad.c", "random", ["--budget", "5000x"]),
]


def build(ravel, source, folder):
    """The program of that source, which is in `folder` from then on."""
    compiler = pathlib.Path(ravel).parent / ("ravel-cc" if source.suffix == ".c" else "ravel-c++")
    program = pathlib.Path(folder) / source.stem
    if not program.exists():
        subprocess.run([compiler, "-O1", "-w", source, "-o", program], check=True)
    return program


def search_of(test, strategy, asked):
    """Arguments, and what is counted. A program of C or C++ is there by now."""
    if isinstance(test, pathlib.Path):
        return [test, "--strategy", strategy, *asked, "-k"], "states" if strategy in BY_STATES else "executions"
    if test == "locker":
        return [LOCKER, "-t", "locker:s5_test", "--strategy", strategy, *asked], "states"
    if test == "commit":
        return [COMMIT, "-t", "tcOneClientAndACrash", "--strategy", strategy, *asked, "-k"], "states"
    return [*SOURCES, "-t", f"shared:{test}", "--strategy", strategy, *asked, "-k", "--ignore", "deadlock"], "executions"


def run(ravel, test, strategy, asked, jobs, folder):
    """Seconds, seconds of the processor, executions or states."""
    arguments, counted = search_of(test, strategy, asked)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    command = [ravel, "check", *map(str, arguments), "--jobs", str(jobs), "--json", "results.json", "-q"]
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    results = json.loads((pathlib.Path(folder) / "results.json").read_text()) if ended.returncode in (0, 1) else None
    if results is None or results["stop"] != "complete":
        sys.exit(f"{' '.join(command)}\n{ended.stdout}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, results[counted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravel", default=HERE.parents[1] / "build" / "ravel", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--sctbench", type=pathlib.Path)
    options = parser.parse_args()
    is_right = True
    print(f"{'test':27} {'count':>10} {'one':>8} {options.jobs:>3} processes {'faster':>8} {'processor':>10}")
    runs = RUNS + [(options.sctbench / source, *rest) for source, *rest in RUNS_OF_SCTBENCH] if options.sctbench else RUNS
    for test, strategy, asked in runs:
        name = f"{test.stem if isinstance(test, pathlib.Path) else test} {strategy}"
        if not re.search(options.only, name):
            continue
        times, used, counts = {1: [], options.jobs: []}, {1: [], options.jobs: []}, set()
        with tempfile.TemporaryDirectory() as folder:
            if isinstance(test, pathlib.Path):
                test = build(options.ravel, test, folder)
            for _ in range(options.repetitions):
                for jobs in times:
                    seconds, processor, count = run(options.ravel, test, strategy, asked, jobs, folder)
                    times[jobs].append(seconds)
                    used[jobs].append(processor)
                    counts.add(count)
        is_right = is_right and len(counts) == 1
        one, several = (statistics.median(times[jobs]) for jobs in times)
        more = statistics.median(used[options.jobs]) / statistics.median(used[1])
        executions = "/".join(map(str, sorted(counts)))
        print(f"{name:27} {executions:>10} {one:7.2f}s {several:12.2f}s {one / several:7.2f}x {more:9.2f}x")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
