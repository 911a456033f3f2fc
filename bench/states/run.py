#!/usr/bin/env python3
"""Searches that store states, side by side: ravel on locker.erl, SPIN on locker.pml, Rumur on locker.m; and
ravel on otp_locker.erl, where the server is a gen_server of OTP and has other states.

usage: run.py [RAVEL [OPTION...]]     RAVEL is the program (build/ravel); OPTIONs go to `ravel check`
    ONLY=pattern    only programs whose name matches: e3s2 is three exclusive clients and two that share
    REPETITIONS=n   default 3: the least time and memory of n runs, since noise only adds

Seconds are those of the processor, without compiling. What the program with one client takes is subtracted
from seconds and memory, so that the start of a tool does not count; bytes per state are the memory that is
left, by the states. A tool that is not installed, or that refuses, is said to be left out. All search on one
core and store all states, but for the lines of Rumur with clients that cannot be told apart.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent.resolve()
REPETITIONS = int(os.environ.get("REPETITIONS", "3"))
START = (1, 0)  # what is subtracted
PROGRAMS = {  # exclusive clients, clients that share: states of the models
    (5, 0): 52_192,
    (4, 1): 50_800,
    (3, 2): 56_308,
    (2, 3): 75_796,
    (1, 4): 130_096,
    (0, 5): 284_272,
    (6, 0): 751_552,
    (3, 3): 1_051_540,
    (0, 6): 10_364_272,
}


class LeftOut(Exception):
    """Why a tool has no line."""


def name_of(program):
    return "".join(f"{letter}{count}" for letter, count in zip("es", program) if count)


def must_run(command, folder):
    """The output of a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LeftOut((done.stderr.strip() or done.stdout.strip() or f"{command[0]} failed").splitlines()[0])
    return done.stdout


def measure(command, folder):
    """CPU seconds, peak bytes and output of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = must_run(["/usr/bin/time", "-f", "%M", "-o", "peak.txt", *command], folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = int((folder / "peak.txt").read_text().split()[-1]) * 1024
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak, output


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise LeftOut(f"{program} is not installed")


class Spin:
    name = "spin"

    def prepare(self, program, folder):
        need("spin", "gcc")
        macros = [f"-DN={sum(program)}", f"-DSHARED={program[1]}"]
        must_run(["spin", "-a", "-o2", *macros, HERE / "locker.pml"], folder)
        must_run(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)

    def search(self, program, folder):
        """CPU seconds, peak bytes, states and transitions."""
        table = max(20, PROGRAMS.get(program, 1).bit_length())  # as many slots as states, or a few more
        seconds, peak, output = measure(["./pan", "-m1000000", f"-w{table}"], folder)
        if "errors: 0" not in output:
            raise LeftOut("it finds an error in the model")
        states = int(re.search(r"(\d+) states, stored", output).group(1))
        transitions = int(re.search(r"(\d+) transitions", output).group(1))
        return seconds, peak, states, transitions - 1  # it counts the first state, too


class Rumur:
    def __init__(self, name, symmetry):
        self.name, self.symmetry = name, symmetry

    def prepare(self, program, folder):
        need("rumur", "gcc")
        model = (HERE / "locker.m").read_text()
        model = model.replace("  N: 5;", f"  N: {sum(program)};")
        model = model.replace("  Shared: 0;", f"  Shared: {program[1]};")
        (folder / "locker.m").write_text(model)
        options = ["--threads", "1", "--symmetry-reduction", self.symmetry, "--output", "locker.c"]
        must_run(["rumur", *options, "locker.m"], folder)
        flags = ["-std=c11", "-O3", "-march=native", "-w"]
        must_run(["gcc", *flags, "-o", "locker", "locker.c", "-lpthread"], folder)

    def search(self, _program, folder):
        seconds, peak, output = measure(["./locker"], folder)
        states, transitions = re.search(r"(\d+) states, (\d+) rules fired", output).groups()
        return seconds, peak, int(states), int(transitions)


def states_of(results):
    """States and transitions of a search: the one place that knows what `ravel check --json` calls them."""
    return results["states"], results["transitions"]


class Ravel:
    def __init__(self, name, modules, binary, options):
        self.name, self.modules, self.binary, self.options = name, modules, binary, options

    def prepare(self, _program, folder):
        need(self.binary, "erlc")
        must_run(["erlc", "-o", folder, *(HERE / f"{module}.erl" for module in self.modules)], folder)

    def search(self, program, folder):
        options = ["--strategy", "states", "--quiet", "--json", "results.json", *self.options]
        beams = [f"{module}.beam" for module in self.modules]
        test = f"{self.modules[0]}:{name_of(program)}_test"
        seconds, peak, _ = measure([self.binary, "check", *beams, "-t", test, *options], folder)
        results = json.loads((folder / "results.json").read_text())
        return seconds, peak, *states_of(results)


def least(tool, program):
    """Of some runs, the least seconds and bytes; and states and transitions."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tool.prepare(program, folder)
        runs = [tool.search(program, folder) for _ in range(REPETITIONS)]
    return min(run[0] for run in runs), min(run[1] for run in runs), *runs[0][2:]


def figures(tool, program, start):
    """What a line of the table holds, by column."""
    seconds, peak, states, transitions = least(tool, program)
    seconds, held = max(seconds - start[0], 0.001), max(peak - start[1], 0)
    return {
        "states": states,
        "transitions": transitions,
        "CPU s": seconds,
        "peak MB": peak / 1e6,
        "states/s": states / seconds,
        "transitions/s": transitions / seconds,
        "bytes/state": held / states,
    }


COLUMNS = ["states", "transitions", "CPU s", "peak MB", "states/s", "transitions/s", "bytes/state"]


def print_line(program, tool, cells):
    print(f"{program:8}{tool:17}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


def cells_of(values):
    return [f"{values[column]:,.2f}" if column == "CPU s" else f"{values[column]:,.0f}" for column in COLUMNS]


def compare(tools, starts, program):
    found = {}
    for tool in tools:
        try:
            found[tool.name] = figures(tool, program, starts[tool.name])
        except LeftOut as reason:
            print(f"{name_of(program):8}{tool.name:17}left out: {reason}")
            continue
        print_line(name_of(program), tool.name, cells_of(found[tool.name]))
    for peer in ("spin", "rumur"):
        if peer not in found:
            continue
        if found[peer]["states"] != PROGRAMS[program]:
            print(f"{peer}: {PROGRAMS[program]:,} states are expected")
        if "ravel" in found:
            ratios = [found["ravel"][column] / max(found[peer][column], 1e-9) for column in COLUMNS]
            print_line("", f"ravel / {peer}", [f"{ratio:.2f}" for ratio in ratios])


def main():
    binary, *options = sys.argv[1:] or [HERE.parents[1] / "build" / "ravel"]
    if not pathlib.Path("/usr/bin/time").exists():
        sys.exit("run.py: needs GNU time")
    tools, starts = [], {}
    binary = pathlib.Path(binary).resolve()
    for tool in (Spin(), Rumur("rumur", "off"), Rumur("rumur, symmetry", "heuristic"),
                 Ravel("ravel", ["locker"], binary, options),
                 Ravel("ravel, OTP", ["otp_locker", "locker"], binary, options)):
        try:
            starts[tool.name] = least(tool, START)
            tools.append(tool)
        except LeftOut as reason:
            print(f"{tool.name} is left out: {reason}")
    if not tools:
        return
    print_line("", "", COLUMNS)
    for program in PROGRAMS:
        if re.search(os.environ.get("ONLY", ""), name_of(program)):
            compare(tools, starts, program)


if __name__ == "__main__":
    main()
