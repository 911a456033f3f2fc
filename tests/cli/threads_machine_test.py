"""Programs of C and C++ that use names which all processes of the machine share, as ports: nobody else runs them meanwhile."""

import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent

# Three tests in which two threads add; PORT, PATH and USE are defined by whoever compiles it.
PROGRAM = """\
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>
#include <ravel.h>
#include <ravel/test.h>

std::atomic<int> sum;

sockaddr_in at_port(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int listening(const sockaddr* address, socklen_t size) {
  const int made = socket(address->sa_family, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ravel_assert(bind(made, address, size) == 0, "the name is free");
  ravel_assert(listen(made, 8) == 0, "it listens");
  return made;
}
int listening(int port) {
  const sockaddr_in address = at_port(port);
  return listening(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

int use() { USE }

void add() {
  for (int i = 0; i < 4; ++i) sum.store(sum.load() + 1);
}
void test(bool is_used) {
  const int made = is_used ? use() : -1;
  std::thread one(add), two(add);
  one.join(), two.join();
  if (made >= 0) close(made);
}
RAVEL_TEST(one) { test(true); }
RAVEL_TEST(two) { test(true); }
RAVEL_TEST(three) { test(false); }
RAVEL_TEST(four) { test(true); }
RAVEL_TEST(seldom) {
  std::thread one(add), two(add);
  one.join(), two.join();
  if (sum.load() == 2) close(use());
}
"""
FIXED = "return listening(PORT);"
CHOSEN = """
  const int server = listening(0);
  sockaddr_in address;
  socklen_t size = sizeof address;
  getsockname(server, reinterpret_cast<sockaddr*>(&address), &size);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  ravel_assert(connect(client, reinterpret_cast<const sockaddr*>(&address), size) == 0, "it is there");
  close(client);
  return server;"""
PATH = """
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path + 1, "ravel" PATH);
  return listening(reinterpret_cast<const sockaddr*>(&address), offsetof(sockaddr_un, sun_path) + 6 + std::strlen(PATH));"""
OTHER = """
  const sockaddr_in address = at_port(PORT);
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  ravel_assert(connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0, "nobody is there");
  return made;"""
DATAGRAM = """
  const sockaddr_in address = at_port(PORT);
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  sendto(made, "", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return made;"""
MADE = """
  FILE* const file = std::fopen("made", "wx");
  ravel_assert(file != nullptr, "the file is not there yet");
  std::fclose(file);
  unlink("made");
  return -1;"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def counts_of(results):
    return {test["test"]: (test["verdict"], test["executions"]) for test in results.get("tests", [results])}


class ThreadsMachine(support.CommandTest):
    def build(self, use):
        port = free_port()
        subprocess.run([BUILD / "ravel-c++", "-O1", f"-DPORT={port}", f'-DPATH="{port}"', f"-DUSE={use.replace(chr(10), ' ')}",
                        self.write("program.cc", PROGRAM), "-o", self.folder / "program"], cwd=self.folder, check=True)
        return port

    def begin(self, *arguments):
        environment = {**os.environ, "RAVEL_ALONE_SECONDS": "0.00001"}
        return subprocess.Popen([support.RAVEL, "check", "./program", *map(str, arguments), "--json", "results.json"],
                                cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def check(self, *arguments):
        return self.begin(*arguments).communicate()[0]

    def compare(self, jobs, *arguments):
        """The same tests by one process and by several, which find no bug. What these have said."""
        self.check(*arguments, "--jobs", 1)
        one = counts_of(self.results())
        self.assertNotIn("bug", {verdict for verdict, _ in one.values()})
        said = self.check(*arguments, "--jobs", jobs)
        self.assertEqual(counts_of(self.results()), one, said)
        self.assertNotIn("came to an end (signal", said)
        return said

    def test_tests_with_the_same_name_for_a_socket_are_searched_one_after_the_other(self):
        for use in FIXED, PATH:
            self.build(use)
            self.compare(4, "-t", "one", "-t", "two", "-t", "three", "-t", "four", "--strategy", "dpor")
            self.compare(4, "-t", "one", "-t", "two", "-t", "three", "--strategy", "preemption", "--preemptions", 0, "--isolate")

    def test_tests_that_change_files_of_the_host_are_searched_one_after_the_other(self):
        self.build(MADE)
        self.compare(4, "-t", "one", "-t", "two", "-t", "four", "--strategy", "dpor", "--host-files")

    def test_one_process_searches_a_test_with_such_a_name(self):
        why = {FIXED: "it binds port {}, which one process at a time can have",
               PATH: "it binds a socket to a name, which one process at a time can have",
               OTHER: "it connects to port {}, where somebody else would notice several",
               DATAGRAM: "it connects to port {}, where somebody else would notice several"}
        for use in FIXED, PATH, OTHER, DATAGRAM, CHOSEN:
            port = self.build(use)
            said = self.check("-t", "one", "--strategy", "random", "--budget", "1.3s", "--jobs", 2)
            self.assertEqual(self.results()["bugs"], [], said)
            if use in why:
                self.assertIn("one process has searched one, since " + why[use].format(port), said)
            else:
                self.assertNotIn("one process has searched", said)

    def test_a_name_that_shows_late_has_one_process_search_again(self):
        self.build(FIXED)
        # In the 950th trace and the 6,700th execution, when others have searched for long.
        for search in ["dpor"], ["random", "--budget", "20000x"]:
            said = self.compare(2, "-t", "seldom", "--strategy", *search)
            self.assertNotIn("a process for each execution", said)

    def test_such_a_search_is_not_divided_into_files(self):
        self.build(FIXED)
        self.refused("split", "./program", "-t", "one", "--strategy", "dpor", "--into", "s", says="would get in each other's way")
        self.build(CHOSEN)
        self.expect(3, "split", "./program", "-t", "one", "--strategy", "dpor", "--into", "s")

    def test_an_interrupt_tells_of_those_that_have_waited(self):
        self.build(FIXED)
        process = self.begin("-t", "one", "-t", "three", "--strategy", "random", "--budget", "60s", "--jobs", 2)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        self.assertEqual(process.returncode, 3, said)
        self.assertEqual([test["verdict"] for test in self.results()["tests"]], ["incomplete", "incomplete"], said)
        self.assertIn("an interrupt while it waited for the others", said)


if __name__ == "__main__":
    unittest.main()
