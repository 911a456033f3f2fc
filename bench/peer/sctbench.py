#!/usr/bin/env python3
"""Runs the benchmarks of SCTBench (https://github.com/mc-imperial/sctbench) that need no input and no library, and
prints for each what was found and after how many schedules.

usage: sctbench.py CHECKOUT [--ravel RAVEL] [--seeds N] [--budget BUDGET] [--only PART_OF_NAME] [--strategy NAME]...

CHECKOUT is a copy of that repository; it is not part of this one. A line of the table:

    NAME  EXPECTED  STRATEGY  FOUND/SEEDS  KIND  MEAN SCHEDULES TO THE FIRST BUG  SECONDS

The published columns, where there are any, are the mean numbers of schedules to the first bug of PCT (d = 3) and SURW in
"Selectively uniform concurrency testing" (Zhao et al. 2025) and its data.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

# Mean schedules to the first bug: PCT3, SURW. "-": not published.
PUBLISHED = {
    "account_bad": ("4", "6"), "bluetooth_driver_bad": ("112", "70"), "carter01_bad": ("5", "-"),
    "circular_buffer_bad": ("9", "3"), "deadlock01_bad": ("13", "2"), "lazy01_bad": ("5", "2"), "queue_bad": ("3", "2"),
    "reorder_3_bad": ("185", "7"), "reorder_4_bad": ("554", "7"), "reorder_5_bad": ("647", "10"),
    "reorder_10_bad": ("3225", "17"), "reorder_20_bad": ("3005", "6"), "stack_bad": ("3", "5"),
    "token_ring_bad": ("8", "8"), "twostage_bad": ("13", "8"), "twostage_100_bad": ("7466", "454"),
    "wronglock_3_bad": ("58", "9"), "wronglock_bad": ("51", "7"), "stringbuffer": ("281", "8"),
    "WorkStealQueue": ("48", "6"), "InterlockedWorkStealQueue": ("48", "6"),
    "InterlockedWorkStealQueueWithState": ("907", "6"), "StateWorkStealQueue": ("842", "7"), "qsort_mt": ("4714", "3048"),
    "SafeStack": ("miss", "368921"),
}
# What the benchmarks are called with, as their own scripts do.
ARGUMENTS = {"qsort_mt": ["-n", "32", "-f", "4", "-h", "3", "-v"]}
RANDOM = ("random", "pct", "pos", "surw", "pctvb")


def programs(checkout):
    root = checkout / "benchmarks"
    for source in sorted((root / "concurrent-software-benchmarks").glob("*.c")):
        yield source.stem, [source], ["-O0"], "pass" if re.search("_ok$|_unsat$", source.stem) else "bug"
    chess = root / "chess"
    for name in ("InterlockedWorkStealQueue", "InterlockedWorkStealQueueWithState", "StateWorkStealQueue", "WorkStealQueue"):
        yield name, [chess / f"{name}.cpp"], ["-O0", "-std=c++11", f"-I{chess}"], "bug"
    buffer = root / "conc-bugs" / "stringbuffer-jdk1.4"
    yield "stringbuffer", [buffer / "main.cpp", buffer / "stringbuffer.cpp"], ["-O0"], "bug"
    yield "qsort_mt", [root / "inspect_benchmarks" / "qsort_mt.c"], ["-O0"], "bug"
    yield "SafeStack", [root / "safestack" / "SafeStack.cpp"], ["-O0", "-std=c++11"], "bug"


def build(ravel, sources, options, folder):
    wrapper = ravel.parent / ("ravel-cc" if sources[0].suffix == ".c" else "ravel-c++")
    command = [wrapper, *map(str, sources), "-o", str(folder / "program"), "-w", *options]
    return subprocess.run(command, capture_output=True, text=True)


def run(ravel, folder, name, strategy, seed, budget):
    command = [str(ravel), "check", "./program", "-q", "--json", "results.json", "--strategy", strategy, "--out", "tickets"]
    if strategy in RANDOM:
        command += ["--seed", str(seed)]
    for amount in budget:
        command += ["--budget", amount]
    if name in ARGUMENTS:
        command += ["--", *ARGUMENTS[name]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads((folder / "results.json").read_text())
    except (OSError, ValueError):
        return {"verdict": "error", "error": done.stderr.strip(), "bugs": [], "executions": 0, "seconds": 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--ravel", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "build" / "ravel")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budget", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--strategy", action="append", dest="strategies", help="may be repeated; preemption and random if there is none")
    arguments = parser.parse_args()
    ravel = arguments.ravel.resolve()
    strategies = arguments.strategies or ["preemption", "random"]
    budget = arguments.budget or ["100000x", "40s"]
    print(f"{'benchmark':36} {'expected':8} {'strategy':11} {'found':>6}  {'kind':18} {'schedules':>10} {'seconds':>8}   PCT3 SURW (published)")
    wrong = 0
    for name, sources, options, expected in programs(arguments.checkout.resolve()):
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            built = build(ravel, sources, options, folder)
            if built.returncode != 0:
                print(f"{name:36} does not compile: {built.stderr.strip().splitlines()[0]}")
                continue
            for strategy in strategies:
                seeds = range(1, arguments.seeds + 1 if strategy in RANDOM and expected == "bug" else 2)
                results = [run(ravel, folder, name, strategy, seed, budget) for seed in seeds]
                firsts = [r["executions"] for r in results if r["verdict"] == "bug"]
                kinds = sorted({bug["kind"] for r in results for bug in r["bugs"]} or {r.get("error", r["verdict"])[:60] for r in results})
                wrong += expected == "pass" and bool(firsts)
                seconds = sum(r["seconds"] for r in results) / len(results)
                mean = f"{statistics.mean(firsts):.0f}" if firsts else f">{max(r['executions'] for r in results)}"
                print(f"{name:36} {expected:8} {strategy:11} {len(firsts):>3}/{len(results):<3} {','.join(kinds):18} {mean:>10} {seconds:8.3f}   "
                      f"{' '.join(PUBLISHED.get(name, ('', '')))}", flush=True)
    sys.exit(1 if wrong else 0)


main()
