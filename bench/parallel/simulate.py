#!/usr/bin/env python3
"""How many workers one coordinator can serve: costs that are measured on real searches, and a simulation with more workers than anybody has.

Usage: simulate.py [--ravel PROGRAM] [--only REGEX] [--slice EXECUTIONS] [--results N] [--seconds S,S,...] [--hours H] [--workers N,N,...] [--costs FILE]

First each test of shared.erl is divided and searched by one worker, in slices, with `ravel merge --serve` as the coordinator. That gives, in
seconds of the processor: of an execution on a worker, of starting a part; of a result at the coordinator, as so much for each result, each
execution that was noted and run again, and each part that was written; and the sizes of leaves, of results and of parts.

Then N workers search a tree of such leaves that keeps them busy for H hours if nobody waits. The coordinator does one thing at a time. A
worker has a part for S seconds, or until it ends. Parts are divided when fewer wait than there are workers. What is printed: how busy the
workers and the coordinator are. `--costs FILE` keeps what was measured, or reads it if the file is there.
"""

import argparse
import heapq
import json
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [HERE / "shared.erl", HERE.parent / "peer" / "tables.erl"]
TESTS = ["pool", "clients", "last_zero", "readers"]

# Of Work Queue, measured over loopback with empty tasks: 300 of them in 5.9 s.
SECONDS_OF_TASK = 5.9 / 300


class Reader:
    """Numbers of seven bits a byte, as engine/position.h has them."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def get(self):
        number = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def get_bytes(self):
        size = self.get()
        self.at += size
        return self.data[self.at - size:self.at]


def notes_of(result):
    """For each slice of a result file: the number of its part, and how many executions it has noted."""
    reader = Reader(result.read_bytes().split(b"\n", 2)[2])
    reader.get(), reader.get()
    found = []
    for _ in range(reader.get()):
        piece = Reader(reader.get_bytes())
        piece.get()
        part, notes = piece.get(), Reader(piece.get_bytes())
        count = 0
        while notes.at < len(notes.data):
            notes.get_bytes()
            count += 1
        found.append((part, count))
    return found


class Served:
    """`ravel merge --serve`, and the processor's time that it takes."""

    def __init__(self, ravel, folder):
        self.process = subprocess.Popen([ravel, "merge", "s", "--serve"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def used(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        said = [self.process.stdout.readline().rstrip("\n")]
        while not line.startswith("result") and said[-1] not in ("done", "over", ""):
            said.append(self.process.stdout.readline().rstrip("\n"))
        return said


def measure(ravel, test, pieces):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in SOURCES:
            shutil.copy(source, folder)
        command = [ravel, "split", "shared.erl", "tables.erl", "-t", f"shared:{test}", "--strategy", "dpor", "-k", "--ignore", "deadlock",
                   "--into", "s", "--parts", "16", "-q"]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
        served = Served(ravel, folder)
        served.ask("files")
        costs = {"executions": 0, "notes": 0, "results": 0, "parts": 0, "takes": [], "go": 0.0, "result bytes": [], "part bytes": []}
        leaves = {}
        waiting, is_over = [], False
        while not is_over and costs["results"] < pieces[1]:
            before = served.used()
            said = served.ask("go")
            costs["go"] += served.used() - before
            is_over = said[-1] != "done"
            new = [line.split(" ", 2)[2] for line in said[:-1]]
            costs["parts"] += len(new)
            costs["part bytes"] += [(folder / part).stat().st_size for part in new]
            waiting += new
            for part in waiting:
                told = subprocess.run([ravel, "part", part, "--budget", f"{pieces[0]}x"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
                executions = int(told.stdout.split()[0].replace(",", ""))
                result = folder / part.replace(".part", ".result")
                costs["result bytes"].append(result.stat().st_size)
                found = notes_of(result)
                for leaf, count in found:
                    costs["notes"] += count
                    leaves[leaf] = leaves.get(leaf, 0) + executions / len(found)
                costs["executions"] += executions
                costs["results"] += 1
                before = served.used()
                served.ask(f"result {result}")
                costs["takes"].append((sum(count for _, count in found), served.used() - before))
            waiting = []
        served.process.stdin.close()
        served.process.wait()
        costs["alone"] = alone(ravel, test, folder)
        # Starting: a part that is run for one execution.
        start_of_part = empty_part(ravel, folder)
    costs["leaves"] = sorted(leaves.values())
    costs["start"] = start_of_part
    for name in ["result bytes", "part bytes"]:
        costs[name] = statistics.median(costs[name])
    return costs


def alone(ravel, test, folder):
    """Seconds of an execution by one process."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([ravel, "check", "--jobs", "1", "shared.erl", "tables.erl", "-t", f"shared:{test}", "--strategy", "dpor", "-k", "--ignore", "deadlock",
                    "--json", "alone.json", "-q"], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    executions = json.loads((folder / "alone.json").read_text())["executions"]
    return (end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime) / executions


def empty_part(ravel, folder):
    parts = sorted((folder / "s").glob("*.part"))
    if not parts:
        shutil.rmtree(folder / "s")
        subprocess.run([ravel, "split", "shared.erl", "tables.erl", "-t", "shared:pool", "-k", "--into", "s", "-q"], cwd=folder,
                       stdout=subprocess.DEVNULL, check=False)
        parts = sorted((folder / "s").glob("*.part"))
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    for part in parts[:3]:
        subprocess.run([ravel, "part", part, "--budget", "1x", "-q"], cwd=folder, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime) / len(parts[:3])


def line_through(pairs):
    """What a result costs, and what each note of it: by least squares, neither below 0."""
    notes, seconds = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if max(notes) == min(notes):
        return statistics.mean(seconds), 0.0
    each = max(0.0, statistics.linear_regression(notes, seconds).slope)
    fixed = statistics.mean(seconds) - each * statistics.mean(notes)
    return (fixed, each) if fixed >= 0 else (0.0, sum(seconds) / sum(notes))


def derived(costs):
    """Seconds, as the simulation takes them."""
    take, note = line_through(costs["takes"])
    return {
        "execution": costs["alone"],
        "start": costs["start"],
        "take": take,
        "notes": costs["notes"] / costs["executions"],
        "note": note,
        "part": costs["go"] / max(1, costs["parts"]),
    }


def simulate(cost, workers, seconds, hours, drawn):
    """Shares of the time: of workers that run executions, and of the coordinator at work; and the hours that it took."""
    work = workers * hours * 3600 / cost["execution"]  # executions in all
    notes_each = cost["notes"]
    # What is left of the tree is in parts; one is divided into two of any sizes. Times are of the clock of the simulation.
    parts = [work / workers] * workers
    idle, events, coordinator, busy, used, now = workers, [], 0.0, 0.0, 0.0, 0.0
    most = int(60 * workers * max(1.0, hours * 3600 / seconds))
    for _ in range(most):
        while idle and parts:
            size = parts.pop()
            done = min(size, max(1.0, (seconds - cost["start"]) / cost["execution"]))
            run = done * cost["execution"]
            idle -= 1
            busy += run
            heapq.heappush(events, (max(now, coordinator) + cost["start"] + run, done, size - done))
        if not events:
            break
        now, done, left = heapq.heappop(events)
        begin = max(now, coordinator)
        service = SECONDS_OF_TASK + cost["take"] + done * notes_each * cost["note"] + cost["part"]
        idle += 1
        if left > 0:
            if len(parts) < workers and left * cost["execution"] > seconds:
                share = left * drawn.random()
                parts += [share, left - share]
                service += cost["part"]
            else:
                parts.append(left)
        used += service
        coordinator = begin + service
    end = max(now, coordinator)
    return busy / (workers * end), used / end, end / 3600


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravel", default=HERE.parents[1] / "build" / "ravel", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--slice", type=int, default=5000, help="executions of a part at a time, where costs are measured")
    parser.add_argument("--results", type=int, default=60, help="results of each test that are measured")
    parser.add_argument("--seconds", default="10,60,600", help="of a part at a time, in the simulation")
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--workers", default="10,100,1000,10000")
    parser.add_argument("--costs", default="")
    options = parser.parse_args()
    kept = pathlib.Path(options.costs) if options.costs else None
    if kept and kept.exists():
        measured = json.loads(kept.read_text())
    else:
        measured = {test: measure(options.ravel, test, (options.slice, options.results)) for test in filter(re.compile(options.only).search, TESTS)}
        if kept:
            kept.write_text(json.dumps(measured))
    if not measured:
        sys.exit("simulate.py: no test has such a name")
    print(f"{'test':10} {'execution':>10} {'start':>7} {'noted':>7} {'a result':>9} {'a note':>8} {'a part':>8} {'result':>8} {'leaves of':>10}")
    for test, costs in measured.items():
        cost = derived(costs)
        print(f"{test:10} {cost['execution'] * 1e6:7.1f} us {cost['start']:5.2f} s {cost['notes'] * 100:5.2f} % {cost['take'] * 1e6:6.0f} us {cost['note'] * 1e6:5.0f} us "
              f"{cost['part'] * 1e3:5.1f} ms {costs['result bytes'] / 1024:5.1f} KB {statistics.median(costs['leaves']):10.0f}")
    print(f"\n{'test':10} {'slice':>6} {'workers':>8} {'workers at work':>16} {'coordinator at work':>20} {'hours':>7}")
    for test, costs in measured.items():
        for seconds in map(float, options.seconds.split(",")):
            for workers in map(int, options.workers.split(",")):
                share, coordinator, hours = simulate(derived(costs), workers, seconds, options.hours, random.Random(1))
                print(f"{test:10} {seconds:4.0f} s {workers:8} {share * 100:14.1f} % {coordinator * 100:18.1f} % {hours:7.2f}")


if __name__ == "__main__":
    main()
