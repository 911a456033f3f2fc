#!/usr/bin/env python3
"""Runs ravel on the scenarios of Concuerror's own test suite and compares verdicts and numbers of executions.

Usage: concuerror_suite.py CHECKOUT TABLE [--ravel PROGRAM] [--budget TIME] [--only REGEX] [--jobs N] [--out FILE]

CHECKOUT is a checkout of Concuerror's repository. TABLE is a tab-separated file with a header and a row for each scenario;
used are its columns suite, test, kind, entry_module, files (relative to the checkout), function, bound_type, bound, dpor,
forced_options, module_options (Erlang terms), exceptional, expect_crash, exp_exit (ok or error) and exp_explored.

Options of the other tool become ours: see `arguments`. Each scenario is one line; what is compared and how it ended is at the end.
The exceptions in exceptions.tsv, beside this program, name each scenario on which both differ for a reason, with the reason.
Exit status: 0 if every difference is a named exception and no execution was repeated or given up, 1 if not, 2 for bad usage.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

Result = collections.namedtuple("Result", "verdict executions redundant abandoned events stop seconds note")


def option(text, name):
    """The value of {name,Value} in a list of options, or None."""
    found = re.search(r"\{" + name + r",(\[[^]]*\]|[^}]*)\}", text)
    return found.group(1) if found else None


def options(text, name):
    return re.findall(r"\{" + name + r",\[?([^]}]*)\]?\}", text)


def arguments(row):
    """Our options for those of a scenario."""
    forced = row["forced_options"] + row["module_options"]
    words = ["--strategy", "dpor", "--leftovers", "bug", "--crashes", "all", "--long", "bug"]
    # Without keep_going the other tool counts up to the first error.
    if option(forced, "keep_going") != "false":
        words += ["-k"]
    for name in options(forced, "treat_as_normal"):
        words += ["--normal", name]
    for name in options(forced, "ignore_error"):
        ours = {"deadlock": "deadlock", "abnormal_exit": "exit", "abnormal_halt": "halt", "depth_bound": "events"}
        words += ["--ignore", ours[name]]
    for name in options(forced, "non_racing_system"):
        words += ["--non-racing", name]
    if option(forced, "assertions_only") == "true":
        words += ["--assertions-only"]
    if option(forced, "first_process_errors_only") == "true":
        words += ["--first-process-only"]
    if after := option(forced, "after_timeout"):
        words += ["--after-infinite", after]
    if option(forced, "instant_delivery") == "false":
        words += ["--delivery", "channels"]
    words += ["--events", option(forced, "depth_bound") or "10000"]
    return words


def beams(rows, checkout, folder):
    """Compiles each program once; gives its files by (suite, test)."""
    known = {}
    for row in rows:
        key = (row["suite"], row["test"])
        if key in known:
            continue
        out = pathlib.Path(folder) / row["suite"] / row["test"]
        out.mkdir(parents=True, exist_ok=True)
        sources = [str(checkout / name) for name in row["files"].split()]
        subprocess.run(["erlc", "+debug_info", "+nowarn_deprecated_function", "-o", str(out), *sources],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        known[key] = sorted(str(path) for path in out.glob("*.beam"))
    return known


def run(row, files, ravel, budget):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [ravel, "check", "--jobs", "1", *files, "-t", f"{row['entry_module']}:{row['function']}", "--json", out, "--out", folder,
                   "-q", "--time", "any", "--budget", budget, *arguments(row)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder, check=False)
        except subprocess.TimeoutExpired:
            return Result("hangs", 0, 0, 0, 0, "timeout", 0, "")
        try:
            with open(out, encoding="utf-8") as file:
                test = json.load(file)
        except (OSError, ValueError, LookupError) as error:
            note = (done.stderr or done.stdout).strip().splitlines()
            return Result(f"exit {done.returncode}", 0, 0, 0, 0, "none", 0, (note[0] if note else "") or str(error))
        if test["verdict"] == "error":
            return Result(f"exit {done.returncode}", 0, 0, 0, 0, "none", 0, test["message"])
        verdict = {"bug": "error", "pass": "ok"}.get(test["verdict"], test["verdict"])
        note = (test["refusal"] or {}).get("message", "") if isinstance(test["refusal"], dict) else str(test["refusal"] or "")
        return Result(verdict, test["executions"], test["redundant"], test["abandoned"], test["events"], test["stop"],
                      test["seconds"], note)


def kind_of(row):
    """What can be compared: everything, or only the verdict."""
    if row["exceptional"] != "0" or row["expect_crash"] != "0":
        return "artefact"
    if row["bound_type"] != "none" or row["dpor"] != "optimal":
        return "verdict"
    return "both"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--ravel", default=str(HERE.parent.parent / "build" / "ravel"))
    parser.add_argument("--budget", default="20s")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="also writes each scenario's result there, tab-separated")
    options_given = parser.parse_args()
    with open(options_given.table, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                if re.search(options_given.only, f"{row['suite']}/{row['test']}/{row['function']}")]
    if not rows:
        parser.error("no scenario matches")
    exceptions = {}
    with open(HERE / "exceptions.tsv", encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                what, scenario, reason = line.rstrip("\n").split("\t")
                exceptions[(what, scenario)] = reason

    ravel = os.path.abspath(options_given.ravel)
    tally = collections.Counter()
    unexplained = []
    with tempfile.TemporaryDirectory() as folder:
        files = beams(rows, options_given.checkout, folder)
        with concurrent.futures.ThreadPoolExecutor(options_given.jobs) as pool:
            results = list(pool.map(lambda row: run(row, files[(row["suite"], row["test"])], ravel, options_given.budget), rows))
    lines = []
    for row, result in zip(rows, results):
        scenario = f"{row['test']}/{row['function']}"
        kind = kind_of(row)
        expected = int(row["exp_explored"] or 0)
        verdict = "same" if result.verdict == row["exp_exit"] else "other"
        if kind == "artefact":
            verdict = "not compared"
        count = "-"
        if kind == "both":
            count = "unfinished" if result.stop not in ("complete", "first_bug") else \
                "equal" if result.executions == expected else "fewer" if result.executions < expected else "more"
        why = [exceptions[key] for key in (("verdict", scenario), ("count", scenario)) if key in exceptions]
        tally["verdict " + verdict + (" (named)" if verdict == "other" and ("verdict", scenario) in exceptions else "")] += 1
        if verdict == "other" and ("verdict", scenario) not in exceptions:
            unexplained.append(f"{scenario}: {result.verdict}, not {row['exp_exit']}")
        if kind == "both":
            named = count in ("more", "fewer", "unfinished") and ("count", scenario) in exceptions
            tally["count " + count + (" (named)" if named else "")] += 1
            if count != "equal" and not named:
                unexplained.append(f"{scenario}: {result.executions} executions, not {expected}")
        tally["redundant executions"] += result.redundant
        tally["executions given up"] += result.abandoned
        lines.append((row["suite"], scenario, row["bound_type"], kind, verdict, row["exp_exit"], result.verdict, count, expected,
                      result.executions, result.redundant, result.abandoned, result.stop, f"{result.seconds:.3f}",
                      result.note[:150], "; ".join(why)))
    header = ("suite", "scenario", "bound", "compared", "verdict", "expected", "ravel", "count", "expected", "executions",
              "redundant", "given_up", "stop", "seconds", "note", "reason")
    if options_given.out:
        with open(options_given.out, "w", encoding="utf-8") as file:
            for line in [header, *lines]:
                print(*line, sep="\t", file=file)
    for line in lines:
        if line[4] == "other" or line[7] not in ("equal", "-") or line[10] or line[11]:
            print(*line[1:2], *line[3:], sep="  ")
    for name in sorted(tally):
        print(f"{tally[name]:7} {name}")
    print(f"{len(unexplained):7} unexplained")
    for line in unexplained:
        print("       ", line)
    sys.exit(1 if unexplained or tally["redundant executions"] or tally["executions given up"] else 0)


if __name__ == "__main__":
    main()
