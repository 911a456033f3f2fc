#!/usr/bin/env python3
"""Speed of the front end for C and C++: executions per second of small programs, and what a memory access costs beside the
same program without instrumentation and with ThreadSanitizer. The least of several times, since noise only adds.

usage: run.py [RAVEL]       REPETITIONS=n (default 5)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).parent.resolve()
ravel = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here.parents[1] / "build" / "ravel").resolve()
repetitions = int(os.environ.get("REPETITIONS", "5"))

PROGRAMS = [  # source, executions
    (here.parents[1] / "examples" / "threads" / "account.cc", 500_000),
    (here.parents[1] / "tests" / "threads" / "programs" / "locked_counter.cc", 500_000),
    (here / "three_by_three.cc", 200_000),
]


def seconds_of(command, folder):
    best = float("inf")
    for _ in range(repetitions):
        begin = time.monotonic()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, time.monotonic() - begin)
    return best


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print(f"{'executions':24} {'strategy':12} {'per second':>12} {'events/s':>12}")
        for source, executions in PROGRAMS:
            subprocess.run([ravel.parent / "ravel-c++", source, "-o", folder / "program"], check=True)
            for strategy in ("random", "preemption"):
                best = None
                for _ in range(repetitions):
                    subprocess.run([ravel, "check", "./program", "-q", "-k", "--strategy", strategy, "--budget", f"{executions}x",
                                    "--json", "results.json"], cwd=folder, stdout=subprocess.DEVNULL)
                    results = json.loads((folder / "results.json").read_text())
                    if best is None or results["seconds"] / results["events"] < best["seconds"] / best["events"]:
                        best = results
                print(f"{source.stem:24} {strategy:12} {best['executions'] / best['seconds']:12,.0f} {best['events'] / best['seconds']:12,.0f}")
        accesses = here / "accesses.cc"
        rounds = 20_000
        builds = {
            "native -O1": ["g++", "-O1"],
            "ThreadSanitizer": ["g++", "-O1", "-fsanitize=thread"],
            "Ravel": [str(ravel.parent / "ravel-c++")],
        }
        print(f"\n{'an access':24} {'ns':>8}")
        for label, command in builds.items():
            subprocess.run([*command, accesses, "-o", folder / "accesses"], check=True)
            seconds = seconds_of(["./accesses", str(rounds)], folder) - seconds_of(["./accesses", "1"], folder)
            print(f"{label:24} {seconds / (rounds * 4095 * 2) * 1e9:8.2f}")


main()
