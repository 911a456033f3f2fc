#!/usr/bin/env python3
"""What the bugs of the programs of a paper need: c preemptions, v variables, t threads, ours beside the paper's.

The paper is S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for systematic testing of multithreaded programs" (ISSTA
2013), table 1; the programs are in variable_thread_programs, written from its descriptions and those of the suite that they are from
(Y. Eytani, K. Havelund, S. D. Stoller, S. Ur, "Towards a framework and a benchmark for testing tools for multi-threaded programs", 2007).

usage: variable_thread_numbers.py [RAVEL]        prints a table for docs/variable-thread-numbers.md
"""

import json
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
ravel = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here.parents[1] / "build" / "ravel").resolve()

# program, its name in the paper, threads, (c, v, t) and schedules there
PAPER = [
    ("merge_sort", "MergeSort", 100, (1, 1, 2), 651),
    ("producer_consumer", "Producer Consumer", 7, (0, 0, 2), 1),
    ("linked_list", "LinkedList", 3, (1, 1, 2), 23),
    ("bubble_sort", "BubbleSort", 9, (0, 0, 2), 1),
    ("bubble_sort_2", "BubbleSort2", 101, (0, 0, 2), 2),
    ("piper", "Piper", 9, (1, 1, 2), 64),
    ("allocation_vector", "Allocation Vector", 3, (2, 1, 2), 113),
    ("buffer_writer", "BufWriter", 5, (0, 0, 2), 12),
    ("ping_pong", "PingPong", 18, (1, 1, 2), 234),
    ("manager", "Manager", 6, (1, 1, 2), 33),
    ("merge_sort_bug", "MergeSortBug", 29, (1, 1, 2), 89),
    ("account", "Account", 3, (1, 1, 2), 19),
    ("airline_tickets", "AirLineTickets", 11, (0, 0, 2), 2),
    ("hash_set", "HashSet", 200, (1, 1, 2), 813),
    ("tree_set", "TreeSet", 200, (1, 1, 2), 813),
]
OPTIONS = ["--strategy", "vt", "--preemptions", "2", "--variables", "2", "--threads", "3", "--budget", "300s"]


def main():
    print("| program | threads | (c, v, t) paper | (c, v, t) ours | schedules paper | executions ours | bug |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, title, threads, numbers, schedules in PAPER:
            source = here / "variable_thread_programs" / f"{program}.cc"
            subprocess.run([ravel.parent / "ravel-c++", source, "-o", folder / program], check=True)
            subprocess.run([ravel, "check", "--jobs", "1", f"./{program}", "--time", "any", "-q", *OPTIONS, "--json", "results.json"], cwd=folder,
                           stdout=subprocess.DEVNULL)
            results = json.loads((folder / "results.json").read_text())
            ours, kind = "not found", ""
            if results["bugs"]:
                bug = results["bugs"][0]
                ours, kind = f"({bug['priority_changes']}, {bug['variables']}, {bug['threads']})", bug["kind"].replace("_", " ")
            told = "({}, {}, {})".format(*numbers)
            same = "" if ours == told else " *"
            print(f"| {title} | {threads} | {told} | {ours}{same} | {schedules:,} | {results['executions'] + results['redundant'] + results['abandoned']:,} | {kind} |", flush=True)


main()
