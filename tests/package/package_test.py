#!/usr/bin/env python3
"""The CMake package as a user meets it: from the build folder, and from where it was installed and then moved.

usage: RAVEL=build/ravel package_test.py
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RAVEL"]).resolve().parent
PROJECT = pathlib.Path(__file__).resolve().parent

EXPECTED = {
    "ravel.transfer": "Passed",
    "ravel.marked.loses_a_payment": "Failed",
    "ravel.marked.refuses_nothing": "Failed",
    "ravel.marked.pays_often": "Passed",
    "ravel.marked.in_c": "Passed",
    "ravel.google.Account.LosesAPayment": "Failed",
    "ravel.google.Account.PaysSafely": "Passed",
}

# If it is installed.
DOCTEST = {
    'ravel.with_doctest.loses; a payment, "always"  [x]': "Failed",
    "ravel.with_doctest.  Scenario: pays safely": "Passed",
}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def succeed(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def install(self):
        self.succeed("cmake", "--install", BUILD, "--prefix", self.folder / "first")
        (self.folder / "first").rename(self.folder / "prefix")
        return self.folder / "prefix"

    def build_project(self, ravel, *options, has_checks):
        build = self.folder / "project"
        self.succeed("cmake", "-S", PROJECT, "-B", build, f"-DRavel_DIR={ravel}", *options)
        self.succeed("cmake", "--build", build, "-j2")
        self.assertEqual("ravel_may_matter" in self.succeed("nm", build / "ravel_transfer"), has_checks)
        return build

    def check_project(self, ravel, *options, expected=EXPECTED, has_checks=(BUILD / "ravel_inline_checks.so").exists()):
        build = self.build_project(ravel, *options, has_checks=has_checks)
        done = run("ctest", "--test-dir", build, "--output-on-failure")
        results = dict(re.findall(r"Test +#\d+: (.+?) \.*\.\.\. *\**(\w+)", done.stdout))
        self.assertEqual(results, expected, done.stdout)
        self.assertIn("FIRST_BALANCE + 2", done.stdout)
        self.assertIn("amount > 0", done.stdout)
        tickets = re.findall(r"Replay it with: ravel replay (\S+)", done.stdout)
        self.assertEqual(len(tickets), list(expected.values()).count("Failed"), done.stdout)
        return tickets

    def test_from_the_build_folder(self):
        has_doctest = pathlib.Path("/usr/include/doctest/doctest.h").exists()
        expected = {**EXPECTED, **(DOCTEST if has_doctest else {})}
        for ticket in self.check_project(BUILD, "-DCMAKE_BUILD_TYPE=Release", f"-DWITH_DOCTEST={has_doctest}", expected=expected):
            self.assertTrue(ticket.startswith(str(self.folder)), ticket)
            self.assertEqual(run(BUILD / "ravel", "replay", ticket).returncode, 1)

    def test_installed_and_moved(self):
        prefix = self.install()
        self.check_project(prefix / "lib" / "cmake" / "Ravel")
        (self.folder / "lock.c").write_text("#include <ravel.h>\n#include <ravel/test.h>\nRAVEL_TEST(one) { ravel_choose(2); }\n")
        self.succeed(prefix / "bin" / "ravel-cc", "lock.c", "-o", "lock", cwd=self.folder)
        self.assertEqual(self.succeed(prefix / "bin" / "ravel", "tests", "./lock", cwd=self.folder), "one\n")
        self.succeed(prefix / "bin" / "ravel", "check", "./lock", cwd=self.folder)
        if (BUILD / "ravel-cluster").exists():
            self.assertIn("--workers-from", self.succeed(prefix / "bin" / "ravel-cluster", "--help"))

    def test_libraries_for_programs_in_p_need_what_is_installed_only(self):
        prefix = self.install()
        example = PROJECT.parents[1] / "examples" / "p" / "foreign"
        self.succeed("c++", "-std=c++17", "-shared", "-fPIC", "-I", prefix / "include", example / "queue.cc", "-o", "queue.so", cwd=self.folder)
        self.succeed(prefix / "bin" / "ravel", "check", example / "jobs.p", "-t", "tcUrgentFirst", "--foreign", "queue.so", cwd=self.folder)

    def test_with_clang(self):
        if shutil.which("clang++") is None:
            self.skipTest("there is no clang++")
        self.check_project(BUILD, "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_C_COMPILER=clang", has_checks=False)

    def test_without_the_plugin_of_the_compiler(self):
        self.build_project(BUILD, "-DRAVEL_INLINE_CHECKS=OFF", has_checks=False)

    def test_mistakes_are_told(self):
        for call, says in [("ravel_add_test(nothing)", "there is no such target"),
                           ("add_library(l a.cc)\nravel_add_test(l)", "no executable"),
                           ("add_executable(e a.cc)\nravel_add_test(e SPEED 1)", "what is SPEED")]:
            with self.subTest(call=call):
                project = self.folder / "mistake"
                project.mkdir(exist_ok=True)
                (project / "a.cc").write_text("int main() {}\n")
                (project / "CMakeLists.txt").write_text(
                    f"cmake_minimum_required(VERSION 3.20)\nproject(m CXX)\nfind_package(Ravel REQUIRED)\n{call}\n")
                done = run("cmake", "-S", project, "-B", project / "build", f"-DRavel_DIR={BUILD}")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(says, " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
