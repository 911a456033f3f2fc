#!/usr/bin/env python3
"""Runs the benchmarks of SCTBench (https://github.com/mc-imperial/sctbench) that build on Debian 12, and prints for each what
was found and after how many schedules.

usage: sctbench.py CHECKOUT [--period CHECKOUT2] [--ravel RAVEL] [--seeds N] [--budget BUDGET] [--only PART_OF_NAME] [--strategy NAME]...
                   [--accesses WHICH]

CHECKOUT is a copy of that repository; CHECKOUT2 one of https://github.com/wcventure/PERIOD, whose sources of ten programs are
others, and those of the published numbers: main() waits for the threads, or a thread does what main() does, ctrace-test has
other threads. They are run as that repository runs them. Neither is part of this one. A line of the table:

    NAME  EXPECTED  STRATEGY  FOUND/SEEDS  KINDS  MEAN SCHEDULES TO THE FIRST BUG  ITS STANDARD ERROR  SECONDS

Seconds are those of one seed, in the mean; the budget is for one seed, too. The published columns, where there are any, are the
mean numbers of schedules to the first bug of PCT (d = 3) and SURW in "Selectively uniform concurrency testing" (Zhao et al.
2025) and its data. The programs of SPLASH-2 need m4. What is wrong with streamcluster2 is what it writes, which SCTBench compares
outside of the program; here output_check.cc does, with what the mended program writes.
"""

import argparse
import json
import pathlib
import re
import shutil
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
    "SafeStack": ("miss", "368921"), "ctrace-test": ("2", "-"), "barnes": ("2", "3"), "fft": ("2", "-"), "lu": ("4", "3"),
}
# What the benchmarks are called with, as their own scripts do.
ARGUMENTS = {
    "qsort_mt": ["-n", "32", "-f", "4", "-h", "3", "-v"], "ctrace-test": ["2"],
    "InterlockedWorkStealQueue": ["2"], "InterlockedWorkStealQueueWithState": ["2"], "StateWorkStealQueue": ["2"], "WorkStealQueue": ["2"],
    "aget": ["-l", "dl.txt", "http://www.gnu.org/licenses/gpl.txt"], "pbzip2": ["-k", "-f", "-p2", "-1", "-b1", "test.tar"],
    "fft": ["-p2", "-m2", "-n4", "-l4"], "lu": ["-p2", "-n2", "-b1"],
    "streamcluster": ["2", "5", "1", "10", "10", "5", "none", "output.txt", "2"],
    "streamcluster2": ["2", "5", "1", "10", "10", "5", "none", "output.txt", "3"],
    "streamcluster2 (mended)": ["2", "5", "1", "10", "10", "5", "none", "output.txt", "3"],
    "streamcluster3": ["2", "5", "1", "10", "10", "5", "none", "output.txt", "2"],
}
PERIOD_ARGUMENTS = {
    "InterlockedWorkStealQueue": ["1", "4", "2"], "InterlockedWorkStealQueueWithState": ["2", "4", "2"],
    "StateWorkStealQueue": ["2", "4", "2"], "WorkStealQueue": ["1", "4", "2"], "ctrace-test": ["2"],
}
ARGUMENTS |= {f"{name} (PERIOD)": arguments for name, arguments in PERIOD_ARGUMENTS.items()}
# main() of ctrace-test ends with status 6 whatever happens.
IGNORED = {"ctrace-test": {"exit_status"}, "ctrace-test (PERIOD)": {"exit_status"}}
# Executions of these have more events than ravel allows by default.
EVENTS = {"barnes": 100_000, "streamcluster": 100_000, "streamcluster2": 100_000, "streamcluster2 (mended)": 100_000,
          "streamcluster3": 100_000, "pbzip2": 100_000}
RANDOM = ("random", "pct", "pos", "surw", "pctvb")


class Program:
    def __init__(self, name, sources, options=(), expected="bug", inputs=(), macros=None, published=None, corrected=None):
        self.name, self.sources, self.options, self.expected = name, sources, list(options), expected
        self.inputs, self.macros, self.published = inputs, macros, PUBLISHED.get(published or name, ("", ""))
        self.corrected = corrected  # the options that mend it, where the bug is another output than that of the mended program

    def build(self, ravel, folder):
        """Nothing, or the compiler's complaint."""
        if not self.sources or not all(source.is_file() for source in self.sources):
            return "its sources are not in that copy"
        for file in self.inputs:
            shutil.copy(file, folder)
        if self.macros is not None and shutil.which("m4") is None:
            return "its sources are written for m4, which is missing: apt-get install m4"
        sources = self.sources if self.macros is None else self.expand(folder)
        wrapper = ravel.parent / ("ravel-cc" if all(source.suffix == ".c" for source in sources) else "ravel-c++")
        options = ["-w", "-O0", *self.options]
        if self.corrected is not None:
            subprocess.run(["g++", *map(str, sources), "-o", "corrected", "-pthread", *options, *self.corrected], cwd=folder, check=True)
            subprocess.run(["./corrected", *ARGUMENTS[self.name]], cwd=folder, check=True, capture_output=True)
            (folder / "output.txt").rename(folder / "expected.txt")
            sources, options = [*sources, pathlib.Path(__file__).parent / "output_check.cc"], [*options, "-Dmain=program_main"]
        done = subprocess.run([wrapper, *map(str, sources), "-o", str(folder / "program"), *options], capture_output=True, text=True)
        return done.stderr.strip() if done.returncode != 0 else ""

    def expand(self, folder):
        """The programs of SPLASH-2 are written for m4. Pointers that they cut to 32 bits stay whole."""
        for source in self.sources:
            text = subprocess.run(["m4", "-s", "-Ulen", "-Uindex", self.macros, source], capture_output=True, text=True, check=True).stdout
            suffix = ".c" if source.suffix == ".C" else ".h"
            (folder / (source.stem + suffix)).write_text(text.replace("((unsigned) ", "((unsigned long) "))
        return sorted(folder.glob("*.c"))


CHESS = ("InterlockedWorkStealQueue", "InterlockedWorkStealQueueWithState", "StateWorkStealQueue", "WorkStealQueue")


def period_programs(root, headers):
    for name in ("account", "bluetooth_driver", "token_ring", "lazy01"):
        yield Program(f"{name} (PERIOD)", [root / "CS" / name / f"{name}_bad.c"], [f"-I{headers}"], published=f"{name}_bad")
    for name in CHESS:
        yield Program(f"{name} (PERIOD)", [root / "Chess" / name / f"{name}.cpp"], ["-std=c++11", "-fpermissive"], published=name)
    buffer = root / "CB" / "stringbuffer-jdk1.4"
    yield Program("stringbuffer (PERIOD)", [buffer / "main.cpp", buffer / "stringbuffer.cpp"], published="stringbuffer")
    yield Program("ctrace-test (PERIOD)", [root / "Inspect_benchmarks" / "ctrace-test" / "ctrace-test.c"], published="ctrace-test")


def programs(checkout, period):
    root = checkout / "benchmarks"
    cs = root / "concurrent-software-benchmarks"
    for source in sorted(cs.glob("*.c")):
        yield Program(source.stem, [source], expected="pass" if re.search("_ok$|_unsat$", source.stem) else "bug")
    if period is not None:
        yield from period_programs(period / "evaluation", cs)
    chess = root / "chess"
    for name in CHESS:
        yield Program(name, [chess / f"{name}.cpp"], ["-std=c++11", f"-I{chess}"])
    bugs = root / "conc-bugs"
    buffer = bugs / "stringbuffer-jdk1.4"
    yield Program("stringbuffer", [buffer / "main.cpp", buffer / "stringbuffer.cpp"])
    aget = bugs / "aget-bug2" / "aget-devel"
    yield Program("aget", sorted(aget.glob("*.c")), inputs=[aget / "0", aget / "17573"])
    pbzip2 = bugs / "pbzip2-0.9.4"
    bzip2 = pbzip2 / "bzip2-1.0.6"
    library = [bzip2 / f"{name}.c" for name in ("blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib")]
    yield Program("pbzip2", [pbzip2 / "pbzip2-0.9.4" / "pbzip2.cpp", *library], [f"-I{bzip2}", "-fpermissive"], inputs=[pbzip2 / "test.tar"])
    yield Program("qsort_mt", [root / "inspect_benchmarks" / "qsort_mt.c"])
    yield Program("ctrace-test", [root / "inspect_examples" / "ctrace-test.c"])
    yield Program("SafeStack", [root / "safestack" / "SafeStack.cpp"], ["-std=c++11"])
    splash = root / "splash2"
    macros = splash / "null_macros" / "c.m4.null"
    barnes = splash / "apps" / "barnes"
    options = ["-include", "stdlib.h", "-lm"]
    yield Program("barnes", sorted(barnes.glob("*.[CH]")), options, inputs=[barnes / "input"], macros=macros)
    yield Program("fft", [splash / "kernels" / "fft" / "fft.C"], options, macros=macros)
    yield Program("lu", [splash / "kernels" / "lu" / "non_contiguous_blocks" / "lu.C"], options, macros=macros)
    kernels = root / "parsec-2.0" / "pkgs" / "kernels"
    for name in ("streamcluster", "streamcluster3"):
        yield Program(name, sorted((kernels / name / "src").glob("*.cpp")), ["-DENABLE_THREADS"])
    mend = ["-DFIX_BUG_2"]
    second = sorted((kernels / "streamcluster2" / "src").glob("*.cpp"))
    yield Program("streamcluster2", second, ["-DENABLE_THREADS"], corrected=mend)
    yield Program("streamcluster2 (mended)", second, ["-DENABLE_THREADS", *mend], expected="pass", corrected=[])


def run(ravel, folder, name, strategy, accesses, seed, budget):
    """The results, and the first execution with a bug that counts."""
    ignored = IGNORED.get(name, set())
    command = [str(ravel), "check", "--jobs", "1", "./program", "-q", "--json", "results.json", "--strategy", strategy, "--accesses", accesses, "--time", "any", "--out", "tickets"]
    if strategy in RANDOM:
        command += ["--seed", str(seed)]
    for amount in budget:
        if not ignored or not amount.endswith("x"):
            command += ["--budget", amount]
    if name in EVENTS:
        command += ["--events", str(EVENTS[name])]
    arguments = ["--", *ARGUMENTS[name]] if name in ARGUMENTS else []
    if ignored:
        return first_that_counts(command, arguments, folder, ignored)
    results = run_once(command + arguments, folder)
    return results, results["executions"] if results["verdict"] == "bug" else None


def run_once(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads((folder / "results.json").read_text())
    except (OSError, ValueError):
        return {"verdict": "error", "error": done.stderr.strip(), "bugs": [], "executions": 0, "seconds": 0}


def first_that_counts(command, arguments, folder, ignored):
    """Where every execution has some bug: the smallest number of executions that shows another one."""
    executions, seconds = 1, 0
    while executions <= 4096:
        results = run_once([*command, "-k", "--budget", f"{executions}x", *arguments], folder)
        seconds += results["seconds"]
        results["bugs"] = [bug for bug in results["bugs"] if bug["kind"] not in ignored]
        results["seconds"] = seconds
        if results["bugs"]:
            return results, executions
        executions += 1 if executions < 32 else executions
    return results, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--period", type=pathlib.Path)
    parser.add_argument("--ravel", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "build" / "ravel")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budget", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--accesses", default="racy", help="of which variables accesses are operations, as ravel's option says")
    parser.add_argument("--strategy", action="append", dest="strategies", help="may be repeated; preemption and random if there is none")
    arguments = parser.parse_args()
    ravel = arguments.ravel.resolve()
    strategies = arguments.strategies or ["preemption", "random"]
    budget = arguments.budget or ["100000x", "40s"]
    print(f"{'benchmark':36} {'expected':8} {'strategy':11} {'found':>6}  {'kind':18} {'schedules':>10} {'error':>6} {'seconds':>8}   PCT3 SURW (published)")
    wrong = 0
    for program in programs(arguments.checkout.resolve(), arguments.period and arguments.period.resolve()):
        if arguments.only not in program.name:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            complaint = program.build(ravel, folder)
            if complaint:
                print(f"{program.name:36} does not compile: {complaint.splitlines()[0]}")
                continue
            for strategy in strategies:
                seeds = range(1, arguments.seeds + 1 if strategy in RANDOM and program.expected == "bug" else 2)
                runs = [run(ravel, folder, program.name, strategy, arguments.accesses, seed, budget) for seed in seeds]
                results = [result for result, _ in runs]
                firsts = [first for _, first in runs if first is not None]
                kinds = sorted({bug["kind"] for r in results for bug in r["bugs"]} or {r.get("error", r["verdict"])[:60] for r in results})
                wrong += program.expected == "pass" and bool(firsts)
                seconds = sum(r["seconds"] for r in results) / len(results)
                mean = f"{statistics.mean(firsts):.{1 if statistics.mean(firsts) < 20 else 0}f}" if firsts else f">{max(r['executions'] for r in results)}"
                error = f"{statistics.stdev(firsts) / len(firsts) ** 0.5:.1f}" if len(firsts) > 1 else ""
                print(f"{program.name:36} {program.expected:8} {strategy:11} {len(firsts):>3}/{len(results):<3} {','.join(kinds):18} {mean:>10} {error:>6} "
                      f"{seconds:8.3f}   {' '.join(program.published)}", flush=True)
    sys.exit(1 if wrong else 0)


main()
