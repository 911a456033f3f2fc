#!/usr/bin/env python3
"""Table 1 of a paper on delaying explorers, for the defects of our own protocols: what each strategy needs until it finds a bug.

The paper: A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015. Numbers are
executions, repeated ones and those that were given up included, or distinct states. Those of strategies that draw are medians
over seeds; "> N" means that at least half of the runs, or each of the first six, had no bug within N. "all N" means that a
complete search found none.

The end of the output has for each strategy in how many rows it found the bug within its cap, and in how many it needed the
fewest executions, or states, of all.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
P = ROOT / "examples" / "p" / "protocols"
PATIENCE = 6
ERLANG = ROOT / "examples" / "protocols"


@dataclasses.dataclass
class Column:
    name: str
    options: list
    is_drawn: bool = False  # from a seed
    counts_states: bool = False


def columns(asked):
    explorers = ["rr", "rtc", "prr"]
    return ([Column("RS", ["random"], is_drawn=True), Column("IRS", ["irs", "--stratum", str(asked.irs_stratum)], is_drawn=True), Column("PCT", ["pct", "--depth", str(asked.pct_depth)], is_drawn=True)]
            + [Column("SS " + explorer, ["ss", "--explorer", explorer], is_drawn=True) for explorer in explorers]
            + [Column("PB", ["dpor", "--preemptions", "1000"]), Column("dpor", ["dpor"])]
            + [Column("SES " + explorer, ["ses", "--explorer", explorer], is_drawn=explorer == "prr", counts_states=True) for explorer in explorers]
            + [Column("PB states", ["ses", "--explorer", "preemptions"], counts_states=True)]
            + [Column("states", ["states"], counts_states=True)])


def rows():
    """Name, file and test of each defect: those in P as their README lists them."""
    folder = None
    found = []
    for line in (P / "README.md").read_text().splitlines():
        if heading := re.fullmatch(r"## .* \(`(\w+)/`\)", line):
            folder = P / heading[1]
        elif defect := re.match(r"\| ([A-Z0-9]\w* \d+) \| `(\w+)` \|", line):
            found.append((defect[1], folder, defect[2]))
    erlang = {"two_phase_commit": ["first_vote", "any_abort"], "paxos": ["own_value", "old_ballot", "no_quorum"],
              "chain": ["not_sent_again", "no_reply", "early_reply"]}
    return found + [(f"{module}, {name} (Erlang)", ERLANG / f"{module}.erl", f"{module}:{name}_test") for module, names in erlang.items() for name in names]


@dataclasses.dataclass
class Needed:
    count: int
    is_found: bool
    is_all: bool = False

    def text(self):
        return f"{self.count:,}" if self.is_found else f"all {self.count:,}" if self.is_all else f"> {self.count:,}"


def end_after_search(running, tickets):
    """As soon as a bug has its ticket, the search is over, and what takes time is to make its schedule simpler."""
    while running.poll() is None:
        if list(tickets.glob("*.ticket.json")):
            time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            running.wait()
        time.sleep(0.005)


def run_once(asked, column, file, test, seed=1):
    options = [*column.options, "--budget", f"{asked.states_seconds if column.counts_states or not column.is_drawn else asked.seconds}s"]
    if column.is_drawn:
        options += ["--seed", str(seed)]
    if column.is_drawn and not column.counts_states:
        options += ["--budget", f"{asked.executions}x"]
    with tempfile.TemporaryDirectory() as folder:
        command = [asked.ravel, "check", "--jobs", "1", file, "-t", test, "--json", "results.json", "--quiet", "--budget", asked.memory, "--strategy", *options]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
            end_after_search(running, pathlib.Path(folder) / "ravel-tickets")
            problem = running.stderr.read()
        if running.returncode not in (0, 1, 3):
            sys.exit(f"{test}, {column.name}: {problem.strip()}")
        results = json.loads((pathlib.Path(folder) / "results.json").read_text())
    count = results["states"] if column.counts_states else results["executions"] + results["redundant"] + results["abandoned"]
    return Needed(count, is_found=results["verdict"] == "bug", is_all=results["verdict"] == "pass" and results["coverage"]["complete"])


def median_of(asked, column, file, test):
    """Ends as soon as half of the runs have found nothing: then the median is larger than any cap. So it is most likely if
    none of the first ones has found something."""
    needed, missed = [], []
    for seed in range(1, asked.seeds + 1):
        one = run_once(asked, column, file, test, seed)
        (needed if one.is_found else missed).append(one.count)
        if 2 * len(missed) >= asked.seeds or (not needed and len(missed) >= PATIENCE):
            return Needed(min(missed), is_found=False)
    return Needed(round(statistics.median(needed + [float("inf")] * len(missed))), is_found=True)


def compiled(file, folder):
    """A module of Erlang as a .beam file, so that it is not compiled for each run."""
    if file.suffix != ".erl":
        return file
    subprocess.run(["erlc", "+debug_info", "-o", folder, file], check=True)
    return pathlib.Path(folder) / f"{file.stem}.beam"


def print_ranking(chosen, table):
    kinds = {"executions": [c for c in chosen if not c.counts_states], "states": [c for c in chosen if c.counts_states]}
    for kind, of_kind in kinds.items():
        if not of_kind:
            continue
        print(f"\n| {kind} | found, of {len(table)} | the fewest |\n|---|---|---|")
        for column in of_kind:
            found = sum(row[column.name].is_found for row in table)
            fewest = 0
            for row in table:
                counts = [row[other.name].count for other in of_kind if row[other.name].is_found]
                fewest += bool(counts) and row[column.name].is_found and row[column.name].count == min(counts)
            print(f"| {column.name} | {found} | {fewest} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravel", default=ROOT / "build" / "ravel", type=pathlib.Path, help="the program (default build/ravel)")
    parser.add_argument("--rows", default="", help="those whose names match this regular expression somewhere (default all)")
    parser.add_argument("--columns", default="", help="the same of columns")
    parser.add_argument("--seeds", default=20, type=int, help="how many runs a median is of (default 20)")
    parser.add_argument("--executions", default=20_000, type=int, help="the cap of a run that draws executions (default 20,000)")
    parser.add_argument("--seconds", default=2, type=float, help="the cap in time of such a run (default 2)")
    parser.add_argument("--states-seconds", default=2, type=float, help="the cap in time of all other runs (default 2)")
    parser.add_argument("--memory", default="4G", help="the cap in memory of each run (default 4G)")
    parser.add_argument("--pct-depth", default=5, type=int, help="the d of PCT (default 5)")
    parser.add_argument("--irs-stratum", default=20, type=int, help="the steps of a stratum of IRS (default 20)")
    asked = parser.parse_args()
    asked.ravel = asked.ravel.resolve()
    if not os.access(asked.ravel, os.X_OK):
        sys.exit(f"{asked.ravel}: there is no such program; build it, or name it with --ravel")
    chosen = [column for column in columns(asked) if re.search(asked.columns, column.name)]
    wanted = [row for row in rows() if re.search(asked.rows, row[0])]
    if not chosen or not wanted:
        sys.exit("no row or no column has such a name; rows: " + ", ".join(row[0] for row in rows()))
    print("| | " + " | ".join(column.name for column in chosen) + " |\n" + "|---" * (len(chosen) + 1) + "|")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for name, file, test in wanted:
            program = compiled(file, folder)
            table.append({column.name: (median_of if column.is_drawn else run_once)(asked, column, program, test) for column in chosen})
            print(f"| {name} | " + " | ".join(needed.text() for needed in table[-1].values()) + " |", flush=True)
    print_ranking(chosen, table)


main()
