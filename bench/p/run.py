#!/usr/bin/env python3
"""Programs in P: how fast executions are drawn, and how fast states are visited.

usage: run.py [RAVEL]      RAVEL is the program (build/ravel)
    REPETITIONS=n   default 3: the least time of n runs, since noise only adds

Seconds are those of the processor. The programs are those of examples/p/protocols, and bank.p, whose states
have no end: it is searched for ten seconds.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAVEL = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "ravel").resolve()
REPETITIONS = int(os.environ.get("REPETITIONS", "3"))
PROTOCOLS = ROOT / "examples" / "p" / "protocols"
BANK = ROOT / "bench" / "p" / "bank.p"
DRAWN = [(PROTOCOLS / "two_phase_commit", "tcTwoClients", "100000x"), (PROTOCOLS / "chain_replication", "tcTwoClients", "20000x")]
VISITED = [(PROTOCOLS / "two_phase_commit", "tcOneClientAndACrash", "states"),
           (PROTOCOLS / "two_phase_commit", "tcOneClientAndACrash", "states", "--ignore", "liveness"),
           (PROTOCOLS / "chain_replication", "tcTwoClients", "states"),
           (BANK, "tcBank", "states", "--budget", "10s"), (BANK, "tcBank", "shortest", "--budget", "10s")]


def run(program, test, *options):
    """The results of the fastest run, and its seconds."""
    best = None
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(REPETITIONS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([RAVEL, "check", "--jobs", "1", program, "-t", test, "--json", "results.json",
                                   "--quiet", *options], cwd=folder, capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode not in (0, 3):
                sys.exit(f"{program}, {test}: {done.stderr.strip() or done.stdout.strip()}")
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            if best is None or seconds < best[1]:
                best = json.loads((pathlib.Path(folder) / "results.json").read_text()), seconds
    return best


print(f"{'':42} {'executions':>12} {'events':>14} {'CPU s':>7} {'events/s':>12}")
for program, test, budget in DRAWN:
    results, seconds = run(program, test, "--strategy", "random", "--budget", budget)
    print(f"{program.stem + ', ' + test:42} {results['executions']:>12,} {results['events']:>14,} {seconds:>7.2f} {results['events'] / seconds:>12,.0f}")
print(f"\n{'':62} {'states':>12} {'transitions':>14} {'CPU s':>7} {'states/s':>12} {'bytes/state':>12}")
for program, test, strategy, *options in VISITED:
    results, seconds = run(program, test, "--strategy", strategy, *options)
    print(f"{' '.join([program.stem + ', ' + test, strategy, *options]):62} {results['states']:>12,} {results['transitions']:>14,} {seconds:>7.2f} "
          f"{results['states'] / seconds:>12,.0f} {results['state_bytes'] / results['states']:>12,.0f}")
