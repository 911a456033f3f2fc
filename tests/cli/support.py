"""Starts the command in a temporary folder and looks at what it says."""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

# So that a search is saved soon after it has begun.
OFTEN = {"RAVEL_CHECKPOINT_SECONDS": "0.05"}

# A remark of newer compilers on what our programs do on purpose; older ones do not know the word and say nothing.
os.environ["ERL_COMPILER_OPTIONS"] = "nowarn_deprecated_catch"

# Whether the command runs under AddressSanitizer, which wants more address space than a limit leaves.
IS_SANITIZED = os.environ.get("RAVEL_SANITIZE") == "ON"

RAVEL = os.environ.get("RAVEL", str(pathlib.Path(__file__).parents[2] / "build" / "ravel"))

# lost_test fails if the new process ends before it is registered; both_test waits for ever, or exits if 2 comes first.
RACE = """\
-module(race).
-export([lost_test/0, fine_test/0, both_test/0, helper/1]).

lost_test() ->
    Pid = spawn(fun() -> ok end),
    register(math, Pid).

fine_test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok end.

both_test() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    receive 1 -> ok; 2 -> exit(second) end,
    receive
        2 -> receive never -> ok end
    end.

helper(X) -> X.
"""

# More schedules and traces than any test waits for, and a bug in one of the first.
ENDLESS = """\
-module(endless).
-export([pass_test/0, bug_test/0]).

workers() ->
    Work = fun() -> [persistent_term:put(last, {self(), N}) || N <- lists:seq(1, 12)] end,
    [spawn(Work) || _ <- [1, 2, 3, 4]].

pass_test() -> workers(), ok.

bug_test() ->
    workers(),
    Pid = spawn(fun() -> ok end),
    register(gone, Pid).
"""


def of_process(pid, name):
    """What /proc has in the file of this name for a process, "" if it has ended, even while this looks at it."""
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid, name=""):
    """The processes that this one has made, if what they run begins with this name."""
    found = {child: of_process(child, "comm") for child in of_process(pid, f"task/{pid}/children").split()}
    return [int(child) for child, command in found.items() if command and command.startswith(name)]


def limit_files(size):
    """For a new process: no file gets larger than so many bytes, which stands for a full disk."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


class CommandTest(unittest.TestCase):
    """A temporary folder as working folder, and the command."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path

    def environment(self, changes):
        """Without the caller's Erlang; a sanitizer's report must not look like a bug of the program, status 1."""
        environment = {**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
        environment.pop("RAVEL_OTP", None)
        return {**environment, **(changes or {})}

    def ravel(self, *arguments, env=None):
        """Runs the command to its end."""
        return subprocess.run(
            [RAVEL, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def wait_for_children(self, process, count):
        """Copies of the command, not what it runs besides, as a compiler: when there are so many, or it has ended."""
        for _ in range(200):
            found = children(process.pid, "ravel")
            if len(found) >= count or process.poll() is not None:
                return found
            time.sleep(0.05)
        self.fail(f"there are no {count} processes")

    def expect(self, status, *arguments, env=None):
        """Runs the command and requires its exit status."""
        run = self.ravel(*arguments, env=env)
        self.assertEqual(run.returncode, status, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def refused(self, *arguments, says, env=None):
        """Bad input: exit status 2, and one line on standard error that begins with the name of the command."""
        run = self.expect(2, *arguments, env=env)
        self.assertEqual(run.stdout, "")
        self.assertTrue(run.stderr.startswith("ravel: "), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, run.stderr)
        return run

    def searches(self, folder="ravel-tickets"):
        """The files of searches to go on from."""
        return sorted((self.folder / folder).glob("*.search"))

    def kill_at_checkpoint(self, *arguments, folder="ravel-tickets"):
        """Kills a search when it has written a file to go on from, and returns that. None: it was done before."""
        before = {file: file.stat().st_mtime_ns for file in self.searches(folder)}
        said = self.folder / "said.txt"
        with open(said, "w") as out:
            process = subprocess.Popen([RAVEL, *map(str, arguments)], cwd=self.folder, env=self.environment(OFTEN),
                                       stdout=subprocess.DEVNULL, stderr=out)
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            for file in self.searches(folder):
                if before.get(file) != file.stat().st_mtime_ns:
                    process.kill()
                    process.wait()
                    return file
            time.sleep(0.002)
        process.kill()
        process.wait()
        self.assertEqual(said.read_text(), "")
        return None

    def last_saved(self, process):
        """Waits for the end of a search. A copy of the last file to go on from that it has written."""
        saved = self.folder / "saved.search"
        while process.poll() is None:
            for file in self.searches():
                try:
                    shutil.copy(file, saved)
                except FileNotFoundError:
                    pass
            time.sleep(0.01)
        return saved

    def tickets(self, folder="ravel-tickets"):
        return sorted((self.folder / folder).glob("*.ticket.json"))

    def results(self, name="results.json"):
        return json.loads((self.folder / name).read_text())
