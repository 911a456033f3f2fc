#!/usr/bin/env python3
"""Executions per CPU second of ravel and of Concuerror, side by side in one run, on the same tests.

Usage: concuerror_speed.py CHECKOUT CONCUERROR [--ravel PROGRAM] [--only REGEX] [--small]

CHECKOUT is a checkout of Concuerror's repository, for the programs of its test suite; CONCUERROR is its built command.
Both run every execution of each test in turns. What counts is user and system time of the whole command, less what the same
command needs for a test with a single execution, so that the start of both tools is left out. Runs of ravel that are too short
to be measured are made many times, in turns with those of the single execution, and the medians of both count. Peak memory is of the whole command. --small takes the smaller size of each program, for a quick look.
Exit status: 1 if the numbers of executions differ where they should not, else 0.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUITES = "tests/suites"
INSTANT = ([], [])
CHANNELS = (["--instant_delivery", "false"], ["--delivery", "channels"])
DEEP = (["--depth_bound", "5000"], [])

# Name, source (None: tables.erl), call, options of both; the second call is the larger size.
TESTS = [
    ("readers 12", None, "tables:readers(12)", INSTANT),
    ("readers 14", None, "tables:readers(14)", INSTANT),
    ("last_zero 10", None, "tables:last_zero(10)", INSTANT),
    ("last_zero 12", None, "tables:last_zero(12)", INSTANT),
    ("last_zero 14", None, "tables:last_zero(14)", INSTANT),
    ("file_system 18", "dpor_tests/src/file_system_example.erl", "file_system_example:main(18)", DEEP),
    ("file_system 20", "dpor_tests/src/file_system_example.erl", "file_system_example:main(20)", DEEP),
    ("file_system 22", "dpor_tests/src/file_system_example.erl", "file_system_example:main(22)", DEEP),
    ("workers", "dpor_tests/src/workers.erl", "workers:workers()", CHANNELS),
    ("workers_2", "dpor_tests/src/workers_2.erl", "workers_2:workers_2()", INSTANT),
    ("rush hour small", "advanced_tests/src/manolis", "test:test_2workers_small()", CHANNELS),
    ("shared_ptr", "advanced_tests/src/shared_ptr.erl", "shared_ptr:shared_ptr()", INSTANT),
    ("hairbrush_teeth_4", "dpor_tests/src/hairbrush_teeth_4.erl", "hairbrush_teeth_4:hairbrush_teeth_4()", INSTANT),
]
SHORT_SECONDS, SHORT_RUNS = 0.5, 40
SLOW = ("readers 14", "last_zero 12", "last_zero 14", "file_system 20", "file_system 22")


def measure(command, folder):
    """CPU seconds, peak MB and output of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["/usr/bin/time", "-f", "%M", "-o", "peak.txt", *command], cwd=folder, capture_output=True, text=True,
                          check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.path.join(folder, "peak.txt"), encoding="utf-8") as file:
        peak = int(file.read().split()[-1]) / 1024
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak, done.stdout + done.stderr


def run_ravel(ravel, beams, name, options, folder):
    command = [ravel, "check", "--jobs", "1", *beams, "-t", f"{name}:start", "--strategy", "dpor", "--time", "any", "-k", "--crashes", "all",
               "--ignore", "deadlock",
               "--ignore", "exit", "--json", "out.json", "-q", *options]
    seconds, peak, output = measure(command, folder)
    try:
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError):
        sys.exit("ravel failed: " + output)
    if result["stop"] != "complete":
        sys.exit(f"ravel did not complete {name}: {result['stop']}")
    return seconds, peak, result["executions"], result["redundant"] + result["abandoned"]


def run_ravel_often(ravel, beams, name, options, empty, folder):
    """What a run needs more than one of the empty test; of many of both in turns, if they are short."""
    runs, starts = [], []
    while not runs or (len(runs) < SHORT_RUNS and runs[0][0] < SHORT_SECONDS):
        starts.append(run_ravel(ravel, empty, "nothing", [], folder)[0])
        runs.append(run_ravel(ravel, beams, name, options, folder))
    seconds = statistics.median(run[0] for run in runs) - statistics.median(starts)
    return (seconds, *runs[0][1:])


def run_concuerror(concuerror, beams, name, options, folder):
    files = [word for beam in beams for word in ("-f", beam)]
    command = [concuerror, "-q", "-k", *files, "-m", name, "-t", "start", "--ignore_error", "deadlock", "--ignore_error",
               "abnormal_exit", "-o", "report.txt", *options]
    seconds, peak, output = measure(command, folder)
    with open(os.path.join(folder, "report.txt"), encoding="utf-8", errors="replace") as file:
        found = re.findall(r"Summary: .*?(\d+)/\d+ interleavings", file.read())
    if not found:
        sys.exit("Concuerror failed: " + output)
    return seconds, peak, int(found[-1])


def compile_start(name, call, sources, folder):
    """A module whose start/0 makes the call, and the program's own modules."""
    with open(os.path.join(folder, name + ".erl"), "w", encoding="utf-8") as file:
        file.write(f"-module({name}).\n-export([start/0]).\nstart() -> {call}.\n")
    subprocess.run(["erlc", "+debug_info", "-o", folder, os.path.join(folder, name + ".erl"), *sources], check=True,
                   stdout=subprocess.DEVNULL)
    modules = [pathlib.Path(source).stem for source in sources]
    return [os.path.join(folder, module + ".beam") for module in [name, *modules]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("concuerror")
    parser.add_argument("--ravel", default=str(HERE.parent.parent / "build" / "ravel"))
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    ravel, concuerror = os.path.abspath(given.ravel), os.path.abspath(given.concuerror)
    ratios, differs = [], False
    print(f"{'test':18} {'executions':>10} {'theirs':>8} {'per CPU s':>10} {'theirs':>8} {'ratio':>7} {'MB':>6} {'theirs':>7} {'in vain':>8}")
    with tempfile.TemporaryDirectory() as folder:
        empty = compile_start("nothing", "ok", [], folder)
        their_start = min(run_concuerror(concuerror, empty, "nothing", [], folder)[0] for _ in range(3))
        for number, (title, source, call, (theirs, ours)) in enumerate(TESTS):
            if not re.search(given.only, title) or (given.small and title in SLOW):
                continue
            path = HERE / "tables.erl" if source is None else given.checkout / SUITES / source
            sources = [str(file) for file in sorted(path.glob("*.erl"))] if path.is_dir() else [str(path)]
            name = f"start_{number}"
            beams = compile_start(name, call, sources, folder)
            mine = run_ravel_often(ravel, beams, name, ours, empty, folder)
            other = run_concuerror(concuerror, beams, name, theirs, folder)
            rates = [mine[2] / max(mine[0], 0.001), other[2] / max(other[0] - their_start, 0.001)]
            ratios.append(rates[0] / rates[1])
            differs |= mine[2] != other[2]
            print(f"{title:18} {mine[2]:10} {other[2]:8} {rates[0]:10.0f} {rates[1]:8.0f} {ratios[-1]:7.1f} {mine[1]:6.0f} "
                  f"{other[1]:7.0f} {mine[3]:8}", flush=True)
    if ratios:
        print(f"median ratio {statistics.median(ratios):.0f}, least {min(ratios):.0f}")
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
