#!/usr/bin/env python3
"""One row about a project's own suite, checked with default options: suite_row.py FOLDER [OPTION...]

The folder is a clone whose dependencies are built; nothing is fetched or built here. RAVEL names the program (build/ravel), and options
such as --budget 2s are passed on. Prints how many tests there are by verdict, then the kinds of refusals and of bugs, most frequent first."""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/ravel")).resolve()
KINDS_MAX = 10


def results_of(folder, options):
    with tempfile.TemporaryDirectory() as kept:
        file = pathlib.Path(kept, "results.json")
        run = subprocess.run([RAVEL, "check", "--jobs", "1", "--quiet", "--json", file, "--out", kept, *options], cwd=folder, capture_output=True, text=True)
        if not file.exists():
            sys.exit(f"{folder}: {run.stderr.strip()[-1000:]}")
        results = json.loads(file.read_text())
    if results["verdict"] == "error":
        sys.exit(f"{folder}: {results['message']}")
    return results.get("tests", [results])


def print_kinds(title, texts):
    for text, number in collections.Counter(texts).most_common(KINDS_MAX):
        print(f"  {title}: {number} x {text[:150]}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, *options = sys.argv[1:]
    tests = results_of(folder, options)
    verdicts = collections.Counter(test["verdict"] for test in tests)
    print(f"| {pathlib.Path(folder).resolve().name} | {len(tests)} tests | " + " | ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common()) + " |")
    print_kinds("refused", [test["refusal"]["message"] for test in tests if test.get("refusal")])
    print_kinds("bug", [test["bugs"][0]["kind"] + ", " + test["bugs"][0]["message"] for test in tests if test.get("bugs")])


if __name__ == "__main__":
    main()
