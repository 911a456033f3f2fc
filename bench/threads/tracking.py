#!/usr/bin/env python3
"""What watching variables costs: programs that compute, natively, with 0, 1, 2 and all variables tracked, and with
ThreadSanitizer, in one run; table 2 of S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for systematic testing of
multithreaded programs" (ISSTA 2013) for the same question. All are compiled with -O2. Times are processor time of one piece of work, the
least of some runs, without what a program costs that does nothing.

usage: tracking.py [RAVEL]        REPETITIONS=n (default 5); RAVEL_INLINE_CHECKS=OFF without the compiler's plugin
"""

import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
ravel = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here.parents[1] / "build" / "ravel").resolve()
repetitions = int(os.environ.get("REPETITIONS", "5"))

PROGRAMS = ["matrix", "sort", "fourier", "bodies", "mandelbrot", "hash"]
SEARCH = ["--strategy", "random", "--budget", "1x", "--events", "1000000000", "-q"]


def seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cost(command, rounds, folder):
    """Of one round, with `command` taking the number of rounds."""
    least = {count: min(seconds(command(str(count)), folder) for _ in range(repetitions)) for count in (0, rounds)}
    return max(least[rounds] - least[0], 1e-9) / rounds


def main():
    columns = ["native", "v=0", "v=1", "v=2", "all", "ThreadSanitizer"]
    print("| program | native, ms | v = 0 | v = 1 | v = 2 | all | ThreadSanitizer | all / v = 1 |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = {column: [] for column in columns}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in PROGRAMS:
            source = here / "compute" / f"{program}.cc"
            for compiler, output in ((["g++"], "native"), (["g++", "-fsanitize=thread"], "tsan"), ([ravel.parent / "ravel-c++"], "ravel")):
                subprocess.run([*compiler, "-O2", source, "-o", folder / output, "-pthread"], check=True)

            def search(*options):
                return lambda rounds: [ravel, "check", "--jobs", "1", "./ravel", "--time", "any", *SEARCH, *options, "--", rounds]

            native = cost(lambda rounds: ["./native", rounds], 1000, folder)
            costs = {
                "native": native,
                "v=0": cost(search("--track", "idle"), 300, folder),
                "v=1": cost(search("--track", "progress"), 300, folder),
                "v=2": cost(search("--track", "progress", "--track", "result"), 300, folder),
                "all": cost(search("--accesses", "all"), 3, folder),
                "ThreadSanitizer": cost(lambda rounds: ["./tsan", rounds], 100, folder),
            }
            for column in columns:
                ratios[column].append(costs[column] / native)
            cells = [f"{native * 1000:.3f}", *(f"{costs[column] / native:.1f}" for column in columns[1:]), f"{costs['all'] / costs['v=1']:.0f}"]
            print(f"| {program} | " + " | ".join(cells) + " |", flush=True)
        means = [math.exp(sum(math.log(ratio) for ratio in ratios[column]) / len(PROGRAMS)) for column in columns[1:]]
        print("| geometric mean | | " + " | ".join(f"{mean:.1f}" for mean in means) + f" | {means[3] / means[1]:.0f} |")


main()
