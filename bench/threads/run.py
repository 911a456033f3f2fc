#!/usr/bin/env python3
"""Speed of the front end for C and C++: executions per second of small programs, and what a memory access costs beside the
same program without instrumentation and with ThreadSanitizer. Seconds are those of the processor, in the program and in the
command, without those of a search of 2,000 executions, which starts the same processes and confirms and tells the same bug;
the least of several times, since noise only adds. What a machine does a second says little by itself, so the executions are also
counted in the time in which the system creates and joins one thread that does nothing.

usage: run.py [RAVEL [OTHER_RAVEL]]       REPETITIONS=n (default 5)

With a second build each program is run with both in turns, and the last column says how many times as fast the first is.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).parent.resolve()
builds = [pathlib.Path(name).resolve() for name in sys.argv[1:3] or [here.parents[1] / "build" / "ravel"]]
ravel = builds[0]
repetitions = int(os.environ.get("REPETITIONS", "5"))

account = here.parents[1] / "examples" / "threads" / "account.cc"
START = 2_000  # executions of the search whose seconds are left out
three_by_three = here / "three_by_three.cc"
PROGRAMS = [  # source, strategy, executions; small enough programs would soon have no more schedules
    (account, "random", 1_000_000),
    (here.parents[1] / "tests" / "threads" / "programs" / "locked_counter.cc", "random", 1_000_000),
    *((three_by_three, strategy, 200_000) for strategy in ("random", "preemption", "pct", "pos", "surw")),
]


def seconds_of(command, folder):
    best = float("inf")
    for _ in range(repetitions):
        begin = time.monotonic()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, time.monotonic() - begin)
    return best


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def search(number, folder, strategy, executions):
    """Executions, events and seconds of the processor."""
    begin = cpu_seconds()
    subprocess.run([builds[number], "check", "--jobs", "1", f"./program{number}", "--time", "any", "-q", "-k", "--strategy", strategy, "--budget", f"{executions}x",
                    "--json", "results.json"], cwd=folder, stdout=subprocess.DEVNULL)
    seconds = cpu_seconds() - begin
    results = json.loads((folder / "results.json").read_text())
    return results["executions"], results["events"], seconds


def speeds(folder, strategy, executions):
    """For each build executions and events per second."""
    best = {}
    for _ in range(repetitions):
        for number in range(len(builds)):
            start_done, start_events, start_seconds = search(number, folder, strategy, START)
            done, events, seconds = search(number, folder, strategy, executions)
            done, events, seconds = done - start_done, events - start_events, max(seconds - start_seconds, 1e-9)
            if number not in best or events / seconds > best[number][1]:
                best[number] = (done / seconds, events / seconds)
    return [best[number] for number in range(len(builds))]


def main():
    for build in builds:
        if not build.is_file():
            sys.exit(f"{build} is no program: give the path of a built ravel, as build/ravel, or build it with `make build`")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["g++", "-O2", "-pthread", here / "native_threads.cc", "-o", folder / "native_threads"], check=True)
        threads = 20_000
        thread = (seconds_of(["./native_threads", str(threads)], folder) - seconds_of(["./native_threads", "1"], folder)) / threads
        print(f"a thread is created and joined natively in {thread * 1e6:.1f} us\n")
        print(f"{'executions':24} {'strategy':12} {'per second':>12} {'events/s':>12} {'a thread':>8}")
        for source, strategy, executions in PROGRAMS:
            for number, build in enumerate(builds):
                subprocess.run([build.parent / "ravel-c++", source, "-o", folder / f"program{number}"], check=True)
            measured = speeds(folder, strategy, executions)
            ratio = f" {measured[0][1] / measured[1][1]:8.2f}" if len(measured) > 1 else ""
            done, events = measured[0]
            print(f"{source.stem:24} {strategy:12} {done:12,.0f} {events:12,.0f} {done * thread:8.1f}{ratio}", flush=True)
        accesses = here / "accesses.cc"
        rounds = 20_000
        compilers = {
            "native -O1": ["g++", "-O1"],
            "ThreadSanitizer": ["g++", "-O1", "-fsanitize=thread"],
            "Ravel": [str(ravel.parent / "ravel-c++")],
        }
        print(f"\n{'an access':24} {'ns':>8}")
        for label, command in compilers.items():
            subprocess.run([*command, accesses, "-o", folder / "accesses"], check=True)
            seconds = seconds_of(["./accesses", str(rounds)], folder) - seconds_of(["./accesses", "1"], folder)
            print(f"{label:24} {seconds / (rounds * 4095 * 2) * 1e9:8.2f}")


main()
