"""Which built-ins the tests call: each row of builtin_table.hrl is called by diff_builtins, or by name in another test.

Prints how many, and what is left over. Fails when a row that diff_builtins leaves out is called nowhere else.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TESTS = HERE.parent

LIST = """
-module(builtin_coverage).
-export([main/0]).
main() ->
    [io:format("~s ~s ~p ~s~n", [M, F, A, diff_builtins:not_called(M, F, A)]) || {_, M, F, A} <- diff_builtins:rows()].
"""


def rows():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "builtin_coverage.erl").write_text(LIST)
        sources = [HERE / "diff_builtins.erl", HERE / "diff_support.erl", path / "builtin_coverage.erl"]
        subprocess.run(["erlc", "-o", folder, *map(str, sources)], check=True)
        run = ["erl", "-noshell", "-pa", folder, "-s", "builtin_coverage", "main", "-s", "erlang", "halt"]
        text = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    return [line.split() for line in text.splitlines()]


def main():
    own = {"diff_builtins.erl", "builtin_coverage.py"}
    files = [f for f in TESTS.rglob("*") if f.suffix in (".erl", ".escript", ".py") and f.name not in own]
    texts = "\n".join(f.read_text(errors="replace") for f in files)
    table = rows()
    called = [row for row in table if row[3] == "called"]
    elsewhere, missing = [], []
    for module, name, arity, reason in table:
        if reason == "called":
            continue
        # Functions of erlang and erts_internal are called without the module, or through erlang's function of that name.
        prefix = "" if module in ("erlang", "erts_internal") else rf"{module}:"
        if re.search(rf"(?<![a-z_]){prefix}{re.escape(name.strip(chr(39)))}\(", texts):
            elsewhere.append(name)
        else:
            missing.append(f"{module}:{name}/{arity} ({reason})")
    print(
        f"built-ins {len(called) + len(elsewhere)}/{len(table)}: {len(called)} called by diff_builtins, {len(elsewhere)} by other tests"
    )
    if missing:
        print("called by no test: " + ", ".join(missing))
    return 1 if missing or not called else 0


if __name__ == "__main__":
    sys.exit(main())
