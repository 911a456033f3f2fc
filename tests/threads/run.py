#!/usr/bin/env python3
"""Compiles a program of C or C++ with the wrapper beside ravel and checks what its comments expect.

usage: run.py RAVEL PROGRAM [OPTIONS of ravel check, for all]

    // expect: bug KIND [OPTIONS of ravel check]     a bug of this kind is found, its ticket replays to the same bug
    // expect: pass [OPTIONS]                        the search is complete and finds nothing
    // expect: incomplete [OPTIONS]                  a budget ends the search, which has found nothing
    // expect: refused [OPTIONS]                     the program does what cannot be controlled
    // expect: error [OPTIONS]                       ravel says what is wrong with the options
    // expect: executions=N bug|pass ...             and runs exactly so many executions
    // expect: preemptions=N priority_changes=N variables=N threads=N iterations=N bug ...   and these are what the bug needs
    // expect: changes=N bug ...                     and so many changes make an execution that passes of it
    // expect: race VARIABLE ...                     there is a warning of a data race on it; the rest as above
    // expect: says "TEXT" ...                       this is among what it prints; the rest as above
    // expect: silent "TEXT" ...                     and does not have this
    // expect: changes-files ...                     and it changes the files that are there; without this it must not
    // files: NAMES                                  empty ones that are there
    // address-space: MB                             no process has more
    // needs: HEADER                                 of a library; without it nothing is tested, and the status is 77
    // compile: OPTIONS                              for the compiler
    // input: TEXT                                   a line for the standard input of the program, from a file and through a pipe; tickets have it
"""

import itertools
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile


def run(command, folder, given):
    """`given`: None, or what the standard input is."""
    if isinstance(given, str):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, input=given)
    with open(given or os.devnull) as file:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, stdin=file)


def files_in(folder):
    """What the program could change, by name."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))
            if "ravel-tickets" not in str(path) and path.name != "results.json"}


def check(ravel, program, folder, words, given, more):
    wanted = {}
    race = says = silent = None
    changes_files = False
    while words and words[0] not in ("bug", "pass", "refused", "incomplete", "error"):
        if words[0] == "changes-files":
            changes_files, words = True, words[1:]
        elif words[0] == "race":
            race, words = words[1], words[2:]
        elif words[0] == "says":
            says, words = words[1], words[2:]
        elif words[0] == "silent":
            silent, words = words[1], words[2:]
        else:
            key, value = words[0].split("=")
            wanted[key], words = int(value), words[1:]
    verdict, words = words[0], words[1:]
    kind = None
    if verdict == "bug":
        kind, words = words[0], words[1:]
    if kind == "event_bound":  # the older rule, with the bound that it had
        words = ["--long", "bug", *([] if "--events" in words else ["--events", "10000"]), *words]
    command = [ravel, "check", "./program", "--json", "results.json", *more, *words]
    before = files_in(folder)
    done = run(command, folder, given)
    if (files_in(folder) != before) != changes_files:
        return f"files: {before}, then {files_in(folder)}: {' '.join(command)}"
    text = " ".join(command) + "\n" + done.stdout + done.stderr
    status = {"pass": 0, "bug": 1, "error": 2, "refused": 4, "incomplete": 3}[verdict]
    if done.returncode != status:
        return f"exit status {done.returncode} instead of {status}: {text}"
    if says is not None and says not in done.stdout + done.stderr:
        return f"it does not say '{says}': {text}"
    if verdict == "error":
        return None if done.stderr.startswith("ravel: ") else f"no message: {text}"
    results = json.loads((folder / "results.json").read_text())
    if "tests" in results:  # of several tests the first with a bug, or else the first one
        results = next((test for test in results["tests"] if test["bugs"]), results["tests"][0])
    told = {**results, **(results["bugs"][0] if kind else {})}
    if told.get("explanation"):
        told["changes"] = len(told["explanation"]["changes"])
    for key, value in wanted.items():
        if told.get(key) != value:
            return f"{key} is {told.get(key)} instead of {value}: {text}"
    if race is not None and f"data race on {race}" not in done.stdout:
        return f"no warning of a data race on {race}: {text}"
    if silent is not None and silent in done.stdout:
        return f"it says '{silent}': {text}"
    if kind is None:
        return None
    bug = results["bugs"][0]
    if bug["kind"] != kind:
        return f"the bug is {bug['kind']} instead of {kind}: {text}"
    if not bug["ticket"]:
        return f"there is no ticket: {text}"
    again = run([ravel, "replay", bug["ticket"]], folder, None)
    if again.returncode != 1 or "still there" not in again.stdout and bug["message"] not in again.stdout:
        return f"the ticket does not replay ({again.returncode}): {text}{again.stdout}{again.stderr}"
    return None


def main():
    ravel, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    source = program.read_text()
    wrapper = ravel.parent / ("ravel-cc" if program.suffix == ".c" else "ravel-c++")
    options = " ".join(re.findall(r"^// compile: (.*)$", source, re.M)).split()
    for header in re.findall(r"^// needs: (.*)$", source, re.M):
        if not any((pathlib.Path(folder) / header).exists() for folder in ["/usr/include", "/usr/local/include"]):
            print(f"{header} is not installed")
            sys.exit(77)
    for limit in re.findall(r"^// address-space: (\d+)$", source, re.M):
        if os.environ.get("RAVEL_SANITIZE") == "ON":
            print("AddressSanitizer wants more address space")
            sys.exit(77)
        resource.setrlimit(resource.RLIMIT_AS, (int(limit) << 20, int(limit) << 20))
    expectations = re.findall(r"^// expect: (.*)$", source, re.M)
    assert expectations, "a program without an expectation tests nothing"
    failures = []
    for compiler in os.environ.get("COMPILERS", "default").split():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            environment = {} if compiler == "default" else {"RAVEL_CXX": compiler, "RAVEL_CC": compiler}
            built = subprocess.run([wrapper, program.resolve(), "-o", folder / "program", *options], text=True,
                                   capture_output=True, env={**os.environ, **environment})
            if built.returncode != 0:
                sys.exit(f"{program} does not compile: {built.stderr}")
            for name in " ".join(re.findall(r"^// files: (.*)$", source, re.M)).split():
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).touch()
            inputs = [None]
            for line in re.findall(r"^// input: (.*)$", source, re.M):
                (folder / "input").write_text(line + "\n")
                inputs = [folder / "input", line + "\n"]
            for expectation, given in itertools.product(expectations, inputs):
                failure = check(str(ravel), program, folder, shlex.split(expectation), given, sys.argv[3:])
                if failure:
                    failures.append(f"{program}: expect: {expectation}\n{failure}")
    if failures:
        sys.exit("\n\n".join(failures))


main()
