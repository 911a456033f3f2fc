"""The standard input of a program of C or C++ belongs to what is saved of it: tickets, traces, interrupted searches."""

import json
import pathlib
import shutil
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent

# Fails if the input has a z, whatever the order of the threads; reads only as much as it is asked for.
PROGRAM = """\
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>
#include <unistd.h>

static int count = 0;

int main(int argc, char** argv) {
  std::vector<char> bytes(argc > 1 ? std::atoi(argv[1]) : 4096);
  const long got = read(0, bytes.data(), bytes.size());
  std::thread thread([] { ++count; });
  ++count;
  thread.join();
  for (long i = 0; i < got; ++i) assert(bytes[i] != 'z');
}
"""


class ThreadsInputTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("program.cc", PROGRAM)
        subprocess.run([BUILD / "ravel-c++", "program.cc", "-o", "program"], cwd=self.folder, check=True)

    def ravel(self, *arguments, given=b""):
        run = subprocess.run([support.RAVEL, *arguments], cwd=self.folder, input=given, capture_output=True, timeout=120)
        return run.returncode, (run.stdout + run.stderr).decode()

    def ticket(self, given, *options):
        self.assertEqual(self.ravel("check", "./program", *options, given=given)[0], 1)
        return self.tickets()[0]

    def noted(self, ticket):
        return json.loads((self.folder / ticket).read_text())["program"].get("input")

    def test_a_ticket_has_it_as_text(self):
        ticket = self.ticket(b"a b\nz\n")
        self.assertEqual(self.noted(ticket), {"text": "a b\nz\n"})
        status, text = self.ravel("replay", ticket)
        self.assertEqual(status, 1)
        self.assertIn("still happens", text)
        # Also where something else is there to be read.
        self.assertEqual(self.ravel("replay", ticket, given=b"other")[0], 1)

    def test_a_ticket_has_other_bytes_in_letters(self):
        for end, letters in ((b"", "ev+A"), (b"\xfe", "ev+A/g=="), (b"\xfe\x00", "ev+A/gA=")):
            ticket = self.ticket(b"z\xff\x80" + end)
            self.assertEqual(self.noted(ticket), {"base64": letters})
            self.assertEqual(self.ravel("replay", ticket)[0], 1)

    def test_that_there_was_none_is_noted_too(self):
        self.write("fails.cc", "#include <cassert>\n#include <cstdio>\nint main() { assert(std::getchar() != EOF); }\n")
        subprocess.run([BUILD / "ravel-c++", "fails.cc", "-o", "fails"], cwd=self.folder, check=True)
        self.assertEqual(self.ravel("check", "./fails")[0], 1)
        self.assertEqual(self.noted(self.tickets()[0]), {"text": ""})
        self.assertEqual(self.ravel("replay", self.tickets()[0], given=b"z")[0], 1)

    def test_a_program_that_does_not_read_has_none(self):
        self.write("fails.cc", "#include <cassert>\nint main(int count, char**) { assert(count > 1); }\n")
        subprocess.run([BUILD / "ravel-c++", "fails.cc", "-o", "fails"], cwd=self.folder, check=True)
        self.write("input", "z\n")
        with open(self.folder / "input") as given:
            subprocess.run([support.RAVEL, "check", "./fails"], cwd=self.folder, stdin=given, capture_output=True)
        self.assertIsNone(self.noted(self.tickets()[0]))

    def test_a_part_of_a_file_is_kept_from_where_it_stands(self):
        self.write("input", "first\nz\n")
        with open(self.folder / "input") as given:
            given.seek(len("first\n"))
            self.assertEqual(subprocess.run([support.RAVEL, "check", "./program"], cwd=self.folder, stdin=given, capture_output=True).returncode, 1)
        self.assertEqual(self.noted(self.tickets()[0]), {"text": "z\n"})

    def test_what_is_large_has_to_be_given_again(self):
        large = b"a" * (1 << 20) + b"z"
        ticket = self.ticket(large, "--", str(2 << 20))
        self.assertEqual(self.noted(ticket)["size"], len(large))
        self.assertLess((self.folder / ticket).stat().st_size, 10_000)
        status, text = self.ravel("replay", ticket)
        self.assertEqual(status, 2)
        self.assertIn("1,048,577 bytes, too many to be kept here", text)
        self.assertEqual(self.ravel("replay", ticket, given=large[1:])[0], 2)
        self.assertEqual(self.ravel("replay", ticket, given=large)[0], 1)
        status, text = self.ravel("replay", "--gdb", ticket, given=large)
        self.assertEqual(status, 2)
        self.assertIn("too large to be kept in the ticket", text)

    def test_older_tickets_are_read(self):
        ticket = self.folder / self.ticket(b"z")
        saved = json.loads(ticket.read_text())
        del saved["program"]["input"]
        ticket.write_text(json.dumps(saved))
        self.assertEqual(self.ravel("replay", ticket, given=b"z")[0], 1)
        self.assertEqual(self.ravel("replay", ticket)[0], 0)
        saved["program"]["input"] = {"base64": "a"}
        ticket.write_text(json.dumps(saved))
        self.assertIn("damaged", self.ravel("replay", ticket)[1])

    def test_traces_and_races_have_it(self):
        ticket = self.ticket(b"z")
        self.assertEqual(self.ravel("trace", ticket, "--out", "trace.json")[0], 0)
        status, text = self.ravel("replay", "trace.json")
        self.assertEqual(status, 1)
        self.assertIn("assertion", text)
        self.assertNotIn("does not happen any more", self.ravel("races", ticket)[1])
        self.assertEqual(self.ravel("check", "--trace", "trace.json", "--budget", "3x")[0], 1)

    def test_an_interrupted_search_goes_on_with_it(self):
        status, text = self.ravel("check", "./program", "--strategy", "dfs", "--budget", "1x", given=b"a")
        self.assertEqual(status, 3)
        search = next((self.folder / "ravel-tickets").glob("*.search"))
        self.assertEqual(self.ravel("check", "--resume", search, given=b"z")[0], 0)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_shows_it(self):
        # Of optimised code g++ 14 does not say where variables are.
        subprocess.run([BUILD / "ravel-c++", "-O0", "program.cc", "-o", "program"], cwd=self.folder, check=True)
        status, text = self.ravel("replay", "--gdb", self.ticket(b"axz"), given=b"set width 0\nprint got\nprint bytes[2]\ncontinue\n")
        self.assertEqual(status, 1)
        self.assertIn("$1 = 3", text)
        self.assertIn("$2 = 122 'z'", text)


if __name__ == "__main__":
    unittest.main()
