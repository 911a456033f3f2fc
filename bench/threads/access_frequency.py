#!/usr/bin/env python3
"""Executions to a bug with one preemption at one variable, as that variable is accessed more and more seldom: probabilistic
concurrency testing (`pct`) beside the same with variable bounding (`pct --variables 1`), which is figure 6 of S. Bindal, S. Bansal,
A. Lal, "Variable and thread bounding for systematic testing of multithreaded programs" (ISSTA 2013).

usage: access_frequency.py [RAVEL]        TRIALS=n (default 100, a seed each)
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
ravel = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here.parents[1] / "build" / "ravel").resolve()
trials = int(os.environ.get("TRIALS", "100"))
ACCESSES = 200  # to both variables together


def executions(folder, strategy, others, buggies):
    """To the bug by each seed, and the least probability of an execution that the strategy tells at the end."""
    found = []
    for seed in range(1, trials + 1):
        done = subprocess.run([ravel, "check", "--jobs", "1", "./program", "--time", "any", *strategy, "--depth", "2", "--seed", str(seed), "--budget", "1000000x", "--json", "results.json",
                               "--", str(others), str(buggies)], cwd=folder, capture_output=True, text=True)
        results = json.loads((folder / "results.json").read_text())
        assert results["bugs"], done.stdout
        found.append(results["executions"])
    # The same without stopping at the bug knows how many accesses there are.
    done = subprocess.run([ravel, "check", "--jobs", "1", "./program", "--time", "any", *strategy, "-k", "--depth", "2", "--budget", "200000x", "--json", "results.json", "--", str(others),
                           str(buggies)], cwd=folder, capture_output=True, text=True)
    promise = re.search(r"of at least (\S+)", (folder / "results.json").read_text() + done.stdout)
    share = json.loads((folder / "results.json").read_text())["bugs"][0]["executions"] / 200000
    return statistics.mean(found), promise.group(1) if promise else "?", share


def main():
    print("| accesses to the variable with the bug, of 200 | pct: executions | found by one of | promised | pct --variables 1: executions | found by one of | promised |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([ravel.parent / "ravel-c++", here / "access_frequency.cc", "-o", folder / "program"], check=True)
        for buggies in (160, 100, 60, 40, 20, 10, 5):
            row = [str(buggies)]
            for strategy in (["--strategy", "pct"], ["--strategy", "pct", "--variables", "1"]):
                mean, promise, share = executions(folder, strategy, ACCESSES - buggies, buggies)
                one_of = f"{1 / share:.0f}" if share > 0 else "-"
                row += [f"{mean:.0f}", one_of, promise]
            print("| " + " | ".join(row) + " |", flush=True)


main()
