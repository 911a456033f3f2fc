#!/usr/bin/env python3
"""The compiler's plugin: where it is used, what it leaves out, and that searches are the same without it.

usage: RAVEL=build/ravel inline_checks_test.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ["RAVEL"]).resolve()
BUILD = RAVEL.parent
PROJECT = pathlib.Path(__file__).resolve().parents[2]

SOURCE = """
int values[2];
void call(void);
int add(int* place) { return *place += values[1]; }
void last(void) { values[0] = 1; call(); }
"""

# A mutex is unlocked at the end of a function, and a data race decides.
STORY = """#include <pthread.h>
#include <cassert>
#include <thread>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;
[[gnu::noipa]] void give_back() {
  pthread_mutex_unlock(&mutex);  // here
}
[[gnu::noipa]] void change() {
  pthread_mutex_lock(&mutex);
  const int before = value;
  give_back();
  value = before + 1;
}
int main() {
  std::thread other(change);
  change();
  other.join();
  assert(value == 2);
}
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)


class InlineChecksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, wrapper, *arguments, **variables):
        done = run(BUILD / wrapper, *arguments, cwd=self.folder, env={**os.environ, **variables})
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")

    def code(self, wrapper="ravel-c++", **variables):
        name = "code.c" if wrapper == "ravel-cc" else "code.cc"
        (self.folder / name).write_text(SOURCE)
        self.compile(wrapper, "-O2", "-S", name, "-o", "code.s", **variables)
        return (self.folder / "code.s").read_text()

    def has_checks(self, code):
        has = "ravel_may_matter_read4@GOTPCREL" in code and "*ravel_write4@GOTPCREL" in code
        self.assertEqual(has, "__tsan_read4" not in code, code)
        self.assertEqual(has, "__tsan_func_exit" not in code, code)
        return has

    def search(self, program, *options):
        """Of each test of the program what does not depend on addresses or time."""
        (self.folder / "results.json").unlink(missing_ok=True)
        run(RAVEL, "check", program, "--json", "results.json", *options, cwd=self.folder)
        results = json.loads((self.folder / "results.json").read_text())
        return [(test["executions"], test["events"], [(bug["kind"], bug["message"]) for bug in test["bugs"]])
                for test in results.get("tests", [results])]

    def test_code_of_this_compiler_has_checks_unless_they_are_switched_off(self):
        for wrapper in "ravel-c++", "ravel-cc":
            self.assertTrue(self.has_checks(self.code(wrapper)))
            self.assertFalse(self.has_checks(self.code(wrapper, RAVEL_INLINE_CHECKS="OFF")))

    def test_another_compiler_works_without(self):
        other = self.folder / "other"
        other.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "g++ (Other 1.0) 12.2.0" && exit\nexec g++ "$@"\n')
        other.chmod(0o755)
        self.assertFalse(self.has_checks(self.code(RAVEL_CXX=str(other))))
        if shutil.which("clang++"):
            self.assertFalse(self.has_checks(self.code(RAVEL_CXX="clang++")))

    def test_questions_change_few_registers(self):
        names = re.findall(r" (ravel_may_matter_\w+)", run("nm", "-D", BUILD / "libravel_threads.so").stdout)
        self.assertEqual(len(names), 10)
        for name in names:
            code = run("objdump", "-d", "--no-show-raw-insn", f"--disassemble={name}", BUILD / "libravel_threads.so").stdout
            code = code[code.index(f"<{name}>:"):code.index("Disassembly of section .fini")]
            self.assertRegex(code, r"\bret\b")
            self.assertNotRegex(code, r"\bcall\b|jmp +\*|%[xyz]mm|%st|%r9|%r1[0-5]|%[re]?b[xpl]\b|%[re]sp")
            for target in re.findall(r"\bj\w+ +[0-9a-f]+ <([^+>]+)", code):
                self.assertEqual(target, name)

    def test_an_access_is_told_where_it_is(self):
        (self.folder / "story.cc").write_text(STORY)
        for level in "-O1", "-O2", "-O3":
            self.compile("ravel-c++", level, "story.cc", "-o", "story")
            told = run(RAVEL, "check", "./story", cwd=self.folder).stdout
            self.assertRegex(told, r"unlocks mutex mutex +story.cc:7 ")
            self.assertRegex(told, r"reads value = 0 +story.cc:11 ")
            self.assertRegex(told, r"writes value = 1 +story.cc:13 ")

    def test_searches_are_the_same_without_checks(self):
        programs = [
            ("examples/threads/dining.cc", ["--strategy", "dpor", "--accesses", "all"]),
            ("bench/threads/three_by_three.cc", ["--strategy", "random", "--budget", "500x"]),
            ("tests/threads/programs/locked_counter.cc", ["--strategy", "dpor"]),
            ("tests/threads/programs/relaxed_race.cc", ["--accesses", "all"]),
            ("tests/threads/programs/whole_arrays.cc", ["--strategy", "vt"]),
            ("tests/threads/programs/repeated_access.cc", ["--track", "value"]),
        ]
        for source, options in programs:
            for level in "-O1", "-O2":
                results = []
                for checks in "ON", "OFF":
                    self.compile("ravel-c++", level, PROJECT / source, "-o", "program", RAVEL_INLINE_CHECKS=checks)
                    results.append(self.search("./program", *options))
                self.assertEqual(*results, source)

    def test_all_ways_to_compile_and_parts_without_checks(self):
        (self.folder / "part.cc").write_text("int value; [[gnu::noipa]] void change() { const int before = value; value = before + 1; }\n")
        (self.folder / "main.cc").write_text("""#include <cassert>
#include <thread>
extern int value;
void change();
int main() {
  std::thread other(change);
  change();
  other.join();
  assert(value == 2);
}
""")
        parts = ["part.cc", "main.cc"]
        expected = None
        for options in [["-O0"], ["-O1"], ["-O3"], ["-Os"], ["-Og"], ["-O2", "-no-pie", "-fno-pie"], ["-O2", "-march=x86-64-v3"],
                        ["-O2", "-flto"], ["-O2", "-ffunction-sections", "-Wl,--gc-sections"]]:
            self.compile("ravel-c++", *options, *parts, "-o", "program")
            found = self.search("./program")
            self.assertEqual([bug[0] for test in found for bug in test[2]], ["assertion"], options)
            expected = expected or found
            self.assertEqual(found, expected, options)
        self.compile("ravel-c++", "-O2", "-c", "part.cc", RAVEL_INLINE_CHECKS="OFF")
        self.compile("ravel-c++", "-O2", "part.o", "main.cc", "-o", "program")
        self.assertEqual(self.search("./program"), expected)
        self.compile("ravel-c++", "-O2", "-fPIC", "-shared", "part.cc", "-o", "libpart.so")
        self.compile("ravel-c++", "-O2", "main.cc", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.assertEqual(self.search("./program"), expected)


if not (BUILD / "ravel_inline_checks.so").exists():
    raise SystemExit(77)
unittest.main()
