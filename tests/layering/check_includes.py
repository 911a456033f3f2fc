#!/usr/bin/env python3
"""Fails if a source file includes a component that its own component may not use.

usage: check_includes.py COMPONENTS SOURCE_ROOT

COMPONENTS is the table that CMake writes from the ravel_component() lines, one "NAME FOLDER DEPENDS..."
a line. That table could itself be edited to allow anything, so the arrows that the design forbids for
ever are listed here a second time, by folder.
"""

import pathlib
import re
import sys

# No component in the left folder may reach, directly or not, one in a right folder.
COMMANDS = ["story", "host", "options", "check", "ui", "dap", "mcp", "front_ends", "cli"]
FORBIDDEN = {
    "base": ["ltl", "fair_cycles", "engine", "states", "strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "ltl": ["fair_cycles", "engine", "states", "strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "fair_cycles": ["ltl", "engine", "states", "strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "engine": ["parts", "states", "strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "states": ["parts", "strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "strategy": ["parts", "states", "races", "report", "erlang", "threads", *COMMANDS],
    "strategy/history": ["strategy/optimal_reduction"],
    "parts": ["states", "strategy", "races", "report", "erlang", "threads", "p", *COMMANDS],
    "races": ["parts", "states", "strategy/optimal_reduction", "report", "erlang", "threads", *COMMANDS],
    "report": ["parts", "states", "strategy", "races", "erlang", "threads", *COMMANDS],
    "erlang": ["strategy", "races", "report", "threads", *COMMANDS],
    "threads": ["races", "report", "erlang", *COMMANDS],
    "p": ["strategy", "races", "report", "erlang", "threads", *COMMANDS],
    "p/source": ["engine", "states", "p/syntax", "p/program", "p/checker", "p/project"],
    "p/syntax": ["engine", "states", "p/program", "p/checker", "p/project"],
    "p/program": ["engine", "states", "p/syntax", "p/checker", "p/project"],
    "p/checker": ["engine", "states", "p/project"],
    "p/value": ["engine", "states", "p/source", "p/syntax", "p/program", "p/checker", "p/project"],
    "p/code": ["engine", "states", "p/syntax", "p/checker", "p/project", "p/machine", "p/system"],
    "p/machine": ["engine", "states", "p/syntax", "p/checker", "p/project", "p/system"],
    "p/system": ["p/syntax", "p/checker", "p/project"],
    "p/project": ["engine", "states", "p/source", "p/syntax", "p/program", "p/checker", "p/value"],
    "story": ["states", "strategy/optimal_reduction", "erlang", "threads", "p", "host", "options", "check", "ui", "dap", "mcp", "front_ends", "cli"],
    "host": ["states", "strategy", "races", "story", "erlang", "threads", "options", "check", "front_ends", "cli"],
    "options": ["engine", "states", "strategy", "races", "report", "story", "erlang", "threads", "host", "check", "front_ends", "cli"],
    "check": ["erlang", "threads", "ui", "dap", "mcp", "front_ends", "cli"],
    "ui": ["erlang", "threads", "p", "dap", "mcp", "front_ends", "cli"],
    "dap": ["erlang", "threads", "p", "ui", "mcp", "front_ends", "cli"],
    "mcp": ["erlang", "threads", "p", "ui", "dap", "front_ends", "cli"],
    "front_ends": ["ui", "dap", "mcp", "cli"],
    "front_ends/erlang": ["threads", "front_ends/threads"],
    "front_ends/threads": ["erlang", "front_ends/erlang"],
    "threads/compiler": ["base", "engine", "states", "strategy", "threads/protocol", "threads/runtime", "threads/search", "threads/worker", "threads/remote"],
    "threads/protocol": ["strategy", "states", "threads/search", "threads/runtime", "threads/worker", "threads/remote"],
    "threads/runtime": ["strategy", "states", "threads/search", "threads/worker", "threads/remote"],
    "threads/search": ["threads/runtime", "threads/worker", "threads/remote"],
    "threads/worker": ["threads/remote"],
    "threads/remote": ["strategy", "states", "threads/search", "threads/runtime", "threads/worker"],
    "erlang/term": ["engine", "states", "erlang/beam", "erlang/machine", "erlang/bif", "erlang/system"],
    "erlang/beam": ["engine", "states", "erlang/machine", "erlang/bif", "erlang/system"],
    "erlang/machine": ["engine", "states", "erlang/bif", "erlang/system"],
    "erlang/bif": ["engine", "states", "erlang/system"],
}

# Slow to compile, so only a .cc file may include them.
HEAVY = ("iostream", "regex", "fmt/", "nlohmann/", "CLI/")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def read_table(text):
    folders, depends = {}, {}
    for line in text.splitlines():
        words = line.split()
        if words:
            folders[words[0]] = words[1]
            depends[words[0]] = words[2:]
    return folders, depends


def reachable(name, depends):
    seen, todo = set(), [name]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo.extend(depends[one])
    return seen


def inside(path, folder):
    return path == folder or path.startswith(folder + "/")


def check(table_text, root):
    """Returns one sentence per violation."""
    folders, depends = read_table(table_text)
    complaints = []
    allowed = {name: reachable(name, depends) for name in folders}

    for name, folder in folders.items():
        for left, rights in FORBIDDEN.items():
            for other in allowed[name]:
                for right in rights:
                    if inside(folder, left) and inside(folders[other], right):
                        complaints.append(f"CMakeLists.txt: {name} may not depend on {other}")

    def component_of(path):
        owners = [name for name, folder in folders.items() if path.startswith(folder + "/")]
        return max(owners, key=lambda name: len(folders[name]), default=None)

    root = pathlib.Path(root)
    for file in sorted(root.rglob("*")):
        if file.suffix not in (".h", ".cc", ".def", ".inc"):
            continue
        relative = file.relative_to(root).as_posix()
        owner = component_of(relative)
        if owner is None:
            complaints.append(f"{relative}: belongs to no component")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            where = f"{relative}:{number}"
            quoted, angled = match.groups()
            if quoted is not None:
                target = component_of(quoted)
                # A bare NAME.inc is what the build generates for this component alone.
                if target is None and "/" not in quoted and quoted.endswith(".inc"):
                    continue
                if target is None:
                    complaints.append(f'{where}: "{quoted}" is not a path from src/')
                elif target not in allowed[owner]:
                    complaints.append(f"{where}: {owner} may not include {quoted}, which is {target}'s")
            elif file.suffix == ".h" and angled.startswith(HEAVY):
                complaints.append(f"{where}: <{angled}> is too slow to compile for a header")
    return complaints


def main():
    table, root = sys.argv[1:]
    complaints = check(pathlib.Path(table).read_text(), root)
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
