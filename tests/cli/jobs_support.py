"""What the tests of searches by states by several processes have in common."""

import os
import pathlib
import random
import subprocess

import support

ROOT = pathlib.Path(__file__).parents[2]
LOCKER = ROOT / "bench" / "states" / "locker.erl"
FAMILIES = ["signals", "names", "messages", "tables", "owners", "numbers", "choices", "askers"]
PROGRAMS = int(os.environ.get("STATES_JOBS_PROGRAMS", "2"))  # random ones, of each family

# A server that starts a worker for each request, which may fail, and a client that registers names: new processes, atoms and
# modules on the way. Endless, and with a bug.
LEARNING = """\
-module(learning).
-export([names/0, fails/0, looks/0, late/0]).
names() -> [spawn(fun() -> child(N, 3) end) || N <- [1, 2, 3]], ok.
child(_, 0) -> ok;
child(N, K) ->
    {Pid, Ref} = spawn_monitor(fun() -> put(name, list_to_atom("n" ++ integer_to_list(N) ++ integer_to_list(K))), self() ! go,
                                        receive go -> ok end end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    child(N, K - 1).
fails() ->
    ets:new(t, [named_table, public]), ets:insert(t, {n, 0}),
    [spawn(fun() -> work(4) end) || _ <- [1, 2, 3]], ok.
work(0) -> ok;
work(K) -> [{n, N}] = ets:lookup(t, n), ets:insert(t, {n, N + 1}),
    case N of 7 -> exit({seven, K}); _ -> ok end, work(K - 1).
looks() -> ets:new(t, [named_table, public]), [spawn(fun() -> work(3) end) || _ <- [1, 2]], ets:insert(t, {n, 0}), look().
look() -> case ets:lookup(t, done) of [] -> look(); _ -> ok end.
late() -> Me = self(), [spawn(fun() -> string:uppercase("a"), lists:usort(processes()), Me ! N end) || N <- [1, 2]],
    [receive N -> N end || N <- [1, 2]], ok.
"""


class JobsTest(support.CommandTest):
    def begin(self, *arguments, alone="0.001"):
        environment = {**os.environ, "RAVEL_ALONE_SECONDS": alone}
        return subprocess.Popen([support.RAVEL, "check", *map(str, arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def search(self, *arguments):
        process = self.begin(*arguments, "--json", "results.json", "--out", "tickets")
        said = process.communicate()[0]
        self.assertIn(process.returncode, [0, 1, 3], said)
        return said

    def all_results(self):
        return [self.results()]

    def small_programs(self, chosen):
        """Of each family the files, and the numbers of some programs in them: test small_programs:pN."""
        for family in FAMILIES:
            module = "asking" if family == "askers" else "commute"
            numbers = [chosen.randrange(1000) for _ in range(PROGRAMS)]
            self.write("small_programs.erl", "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n" + "".join(
                f"p{number}() -> {module}:small({number}, {family}, 3).\n" for number in numbers))
            yield [ROOT / "tests/erlang_system/programs" / f"{module}.erl", "small_programs.erl"], numbers


def random_program_in_p(chosen):
    """Machines that send each other events, which some states defer or do not expect; some choose, halt, or create others."""
    def statement():
        to, event = f"m[{chosen.randrange(3)}]", f"e{chosen.randrange(3)}"
        return chosen.choice([f"receive {{ case {event}: (y: int) {{ n = n + y; }} }}", "if (choose()) { n = n + 1; }", "announce e1, n;",
                              "new Child(m[0]);", "n = 0;", *[f"send {to}, {event}, {chosen.choice(['n', '1'])};"] * 4])

    def handler(event):
        how = chosen.randrange(5)
        if how == 0:
            return f"defer {event}; "
        if how == 1:
            return f"ignore {event}; "
        return f"on {event} do (x: int) {{ n = x; {' '.join(statement() for _ in range(chosen.randrange(2)))} }} "

    text = ("event e0: int; event e1: int; event e2: int; event others: seq[machine];\n"
            "spec Watch observes e1, e2 { var n: int; start state Calm { on e1 do (x: int) { n = n * 2 + x; assert n < 5; } "
            "on e2 goto Calm; } }\nmachine Child { start state S { entry (one: machine) { send one, e0, 7; } } }\n")
    for machine in range(3):
        text += (f"machine M{machine} {{ var m: seq[machine]; var n: int; start state S {{ defer e0, e1, e2; "
                 "on others do (all: seq[machine]) { m = all; goto T; } } "
                 f"state T {{ entry {{ {' '.join(statement() for _ in range(1 + chosen.randrange(3)))} }} "
                 f"{''.join(handler(f'e{event}') for event in range(3))} }} }}\n")
    return text + ("machine Main { start state S { entry { var m: seq[machine]; var i: int;\n"
                   "m += (0, new M0()); m += (1, new M1()); m += (2, new M2());\n"
                   "while (i < 3) { send m[i], others, m; i = i + 1; } } ignore e0, e1, e2; } }\n"
                   "test t [main = Main]: assert Watch in {Main, Child, M0, M1, M2};\n")
