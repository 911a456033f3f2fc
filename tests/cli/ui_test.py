#!/usr/bin/env python3
"""ravel ui from outside: what its page can ask for, and what the server refuses.

usage: RAVEL=build/ravel ui_test.py
"""

import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import time
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_TO_WAIT = 120


class Server:
    """A running `ravel ui`, and requests as its page makes them."""

    def __init__(self, test, *arguments):
        self.test = test
        self.process = subprocess.Popen(
            [support.RAVEL, "ui", *map(str, arguments)], cwd=test.folder, env=test.environment(None), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        test.addCleanup(self.stop)
        said = self.process.stdout.readline() + self.process.stdout.readline()
        if not said and "built without its page" in (complaint := self.process.stderr.read()):
            test.skipTest(complaint.strip())
        match = re.search(r"http://(127\.0\.0\.1:(\d+))/\?token=([0-9a-f]+)", said)
        test.assertIsNotNone(match, said)
        self.host, self.port, self.token = match[1], int(match[2]), match[3]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode

    def send(self, method, path, body=None, headers=None):
        """(status, headers, text) of any request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def ask(self, name, status=200, **members):
        """What a request of the page is answered with."""
        said = self.send("POST", f"/api/{name}", json.dumps(members),
                         {"X-Ravel-Token": self.token, "Content-Type": "application/json",
                          "Origin": f"http://{self.host}"})
        self.test.assertEqual(said[0], status, said[2])
        return json.loads(said[2])

    def search(self, **members):
        """The search, when it has ended."""
        self.ask("search", **members)
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while time.monotonic() < deadline:
            told = self.ask("branches")
            if not told["search"]["running"]:
                return told
            time.sleep(0.05)
        self.test.fail("the search did not end")


class UiTest(support.CommandTest):
    def start(self, *arguments):
        return Server(self, *arguments)

    def ticket(self, *arguments):
        self.expect(1, "check", *arguments, "-q", "--out", "tickets")
        (ticket,) = (self.folder / "tickets").glob("*.ticket.json")
        return ticket

    def race(self):
        return self.start(self.write_race(), "-t", "race:both_test")

    def write_race(self):
        return self.write("race.erl", support.RACE)

    # ---- what can be tried

    def test_the_page_has_the_story_and_asks_nobody_else(self):
        server = self.race()
        status, headers, page = server.send("GET", f"/?token={server.token}")
        self.assertEqual(status, 200)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["Cache-Control"], "no-store")
        story = re.search(r'<script type="application/json" id="story">(.*?)</script>', page, re.S)
        self.assertEqual(json.loads(story[1])["format"], "ravel-story")
        self.assertIsNone(re.search(r'(src|href)="https?:', page))

    def test_a_choice_is_taken(self):
        server = self.race()
        story = server.ask("story", branch=0)
        steps = story["failing"]["steps"]
        at, choice = next((i, choice) for i, step in enumerate(steps) for choice in step.get("choices", []))
        told = server.ask("choose", branch=0, step=at, actor=story["actors"][choice["actor"]]["name"],
                          kind=choice.get("kind", "operation"), alternative=choice.get("alternative", 0))
        tried = told["branches"][told["added"]]
        self.assertEqual((tried["parent"], tried["common"]), (0, at))
        other = server.ask("story", branch=told["added"])
        moved = other["failing"]["steps"][at]["actor"]
        self.assertEqual(other["actors"][moved]["name"], story["actors"][choice["actor"]]["name"])

    def test_all_choices_of_all_steps_can_be_taken(self):
        server = self.race()
        story = server.ask("story", branch=0)
        outcomes = set()
        for at, step in enumerate(story["failing"]["steps"]):
            for choice in step.get("choices", []):
                told = server.ask("choose", branch=0, step=at, actor=story["actors"][choice["actor"]]["name"],
                                  kind=choice.get("kind", "operation"), alternative=choice.get("alternative", 0))
                outcomes.add(told["branches"][told["added"]]["outcome"])
        self.assertGreater(len(outcomes), 1, outcomes)

    def test_a_receive_takes_the_other_message(self):
        server = self.race()
        story = server.ask("story", branch=0)
        races = [(at, race["with"]) for at, step in enumerate(story["failing"]["steps"])
                 for race in step.get("races", []) if "with" in race]
        self.assertTrue(races)
        added = []
        for one, other in races:
            for step, instead in ((one, other), (other, one)):
                status, _, text = server.send(
                    "POST", "/api/vary", json.dumps({"branch": 0, "step": step, "other": instead}),
                    {"X-Ravel-Token": server.token, "Content-Type": "application/json"})
                if status == 200:
                    added.append(json.loads(text))
        self.assertTrue(added)
        last = added[-1]
        self.assertNotEqual(last["branches"][last["added"]]["outcome"], last["branches"][0]["outcome"])

    def test_what_is_no_race_is_told(self):
        server = self.race()
        self.assertIn("no race", server.ask("vary", 400, branch=0, step=0, other=1)["error"])

    def test_a_step_is_rolled_back_with_what_it_has_caused(self):
        server = self.race()
        story = server.ask("story", branch=0)
        steps = story["failing"]["steps"]
        receive = next(i for i, step in enumerate(steps) if "receives" in step)
        told = server.ask("roll_back", branch=0, step=receive)
        after = server.ask("story", branch=told["added"])["failing"]["steps"]
        self.assertIn(f"step {receive + 1} ", told["branches"][told["added"]]["change"])
        # What came before it happens as it did.
        self.assertEqual([step["text"] for step in after[:receive]], [step["text"] for step in steps[:receive]])

    def test_a_search_goes_on_from_a_step_and_what_it_finds_is_shown_and_replayed(self):
        server = self.race()
        told = server.search(branch=0, step=2, strategy="dpor", seconds=60)
        self.assertEqual(told["search"]["verdict"], "bug", told)
        found = told["search"]["found"]
        self.assertGreaterEqual(told["branches"][found]["common"], 2)
        self.assertIn("bug", told["branches"][found])
        saved = server.ask("save", branch=found)
        self.expect(1, "replay", saved["file"])

    def test_a_search_is_stopped(self):
        server = self.start(self.write("endless.erl", support.ENDLESS), "-t", "endless:pass_test")
        server.ask("search", branch=0, step=0, strategy="dfs", seconds=600)
        self.assertIn("running", server.ask("search", 400, branch=0, step=0, strategy="dfs", seconds=600)["error"])
        self.assertTrue(server.ask("branches")["search"]["running"])
        server.ask("stop")
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while server.ask("branches")["search"]["running"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(server.ask("branches")["search"]["verdict"], "incomplete")

    def test_a_search_that_makes_no_sense_is_told(self):
        told = self.race().search(branch=0, step=0, strategy="nonsense", seconds=5)
        self.assertIn("nonsense", told["search"]["problem"])
        self.assertNotIn("verdict", told["search"])

    def test_an_execution_without_a_bug_is_saved_as_a_trace(self):
        server = self.start(self.write_race(), "-t", "race:fine_test")
        saved = server.ask("save", branch=0)
        self.assertTrue(saved["file"].endswith(".trace.json"))
        self.expect(0, "replay", saved["file"])

    def test_a_ticket_of_a_program_of_cpp(self):
        program = self.folder / "account"
        compiler = pathlib.Path(support.RAVEL).with_name("ravel-c++")
        subprocess.run([compiler, ROOT / "examples" / "threads" / "account.cc", "-o", program], check=True, timeout=300)
        server = self.start(self.ticket(program))
        self.tries_choices(server)

    def test_a_ticket_of_a_program_in_p(self):
        server = self.start(self.ticket(ROOT / "examples" / "p" / "lost_update.p"))
        self.tries_choices(server)

    def tries_choices(self, server):
        story = server.ask("story", branch=0)
        self.assertIn("bug", story)
        tried = 0
        for at, step in enumerate(story["failing"]["steps"]):
            for choice in step.get("choices", [])[:1]:
                told = server.ask("choose", branch=0, step=at, actor=story["actors"][choice["actor"]]["name"],
                                  kind=choice.get("kind", "operation"), alternative=choice.get("alternative", 0))
                self.assertEqual(told["branches"][told["added"]]["common"], at)
                tried += 1
        self.assertGreater(tried, 0)
        told = server.search(branch=0, step=0, strategy="random", seconds=20)
        self.assertEqual(told["search"]["verdict"], "bug", told)

    # ---- what is refused

    def test_bad_members_are_told(self):
        server = self.race()
        for name, members, says in [
                ("story", {}, "'branch' must be a number"), ("story", {"branch": 1}, "from 0 to 0"),
                ("story", {"branch": -1}, "'branch'"), ("story", {"branch": "0"}, "'branch'"),
                ("choose", {"branch": 0, "step": 999, "actor": "P", "kind": "operation", "alternative": 0}, "'step'"),
                ("choose", {"branch": 0, "step": 0, "actor": "nobody!", "kind": "operation", "alternative": 0}, "actor"),
                ("choose", {"branch": 0, "step": 0, "actor": "P.9", "kind": "operation", "alternative": 0}, "P.9 cannot"),
                ("choose", {"branch": 0, "step": 0, "actor": "P", "kind": "magic", "alternative": 0}, "'kind'"),
                ("search", {"branch": 0, "step": 0, "strategy": 7, "seconds": 1}, "'strategy'"),
                ("search", {"branch": 0, "step": 0, "strategy": "dpor", "seconds": 10**9}, "'seconds'")]:
            self.assertIn(says, server.ask(name, 400, **members)["error"], name)

    def test_who_does_not_know_the_token_or_comes_from_elsewhere_gets_nothing(self):
        server = self.race()
        right = {"Host": server.host, "X-Ravel-Token": server.token, "Content-Type": "application/json"}
        self.assertEqual(server.send("POST", "/api/branches", "{}", right)[0], 200)
        wrong = [{"Host": "evil.example"}, {"Host": f"evil.example:{server.port}"}, {"Host": ""},
                 {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"https://{server.host}"},
                 {"X-Ravel-Token": ""}, {"X-Ravel-Token": server.token[:-1]}, {"X-Ravel-Token": server.token + "0"}]
        for changed in wrong:
            status, _, text = server.send("POST", "/api/branches", "{}", {**right, **changed})
            self.assertIn(status, (400, 403), changed)
            self.assertNotIn("branches", text)
        self.assertEqual(server.send("POST", "/api/branches", "{}", {**right, "Content-Type": "text/plain"})[0], 415)
        for path in ("/", f"/?token={server.token[:-1]}x", "/?token=", "/index.html", "/etc/passwd"):
            status, _, text = server.send("GET", path)
            self.assertEqual(status, 403, path)
            self.assertEqual(text, "Forbidden\n")
        for path in ("/../../etc/passwd", "/etc/passwd", "//etc/passwd", "/api/branches", "/%2e%2e/etc/passwd"):
            self.assertEqual(server.send("GET", f"{path}?token={server.token}")[0], 404, path)

    def test_a_thousand_hostile_requests_harm_nothing(self):
        server = self.race()
        draw = random.Random(1)
        token = server.token

        def anything(most):
            return bytes(draw.randrange(256) for _ in range(draw.randrange(most)))

        for number in range(1000):
            kind = number % 8
            host = draw.choice([server.host, "evil.example", "127.0.0.1", ""])
            if kind == 0:
                request = anything(300)
            elif kind == 1:
                request = b"GET /" + anything(60).replace(b"\n", b"") + b" HTTP/1.1\r\nHost: " + host.encode() + b"\r\n\r\n"
            elif kind == 2:
                request = (f"POST /api/choose HTTP/1.1\r\nHost: {server.host}\r\nX-Ravel-Token: {token}\r\n"
                           f"Content-Type: application/json\r\nContent-Length: ").encode()
                request += draw.choice([b"-1", b"99999999999999999999", b"1000000000", b"x", b"70000"]) + b"\r\n\r\n{}"
            elif kind == 3:
                body = draw.choice([b"[", b"[" * 5000, b"{\"branch\":1e999}", b"null", b"\"x\"", anything(200),
                                    b'{"branch":0,"step":18446744073709551615}'])
                request = (f"POST /api/{draw.choice(['story', 'choose', 'vary', 'search'])} HTTP/1.1\r\n"
                           f"Host: {server.host}\r\nX-Ravel-Token: {token}\r\nContent-Type: application/json\r\n"
                           f"Content-Length: {len(body)}\r\n\r\n").encode() + body
            elif kind == 4:
                request = f"{draw.choice(['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH', 'HEAD'])} /api/save HTTP/1.1\r\nHost: {server.host}\r\nX-Ravel-Token: {token}\r\n\r\n".encode()
            elif kind == 5:
                request = f"GET /?token={token} HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode()
            elif kind == 6:
                request = f"GET /{'../' * draw.randrange(1, 30)}etc/passwd?token={token} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
            else:
                request = b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * draw.randrange(100_000) + b"\r\n\r\n"
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
                try:
                    connection.sendall(request)
                    connection.shutdown(socket.SHUT_WR)
                    answer = b""
                    while piece := connection.recv(65536):
                        answer += piece
                except (ConnectionError, socket.timeout):
                    answer = b""
            self.assertNotIn(b"root:", answer)
            if kind != 3:
                self.assertFalse(answer.startswith(b"HTTP/1.1 200"), request[:200])
        told = server.ask("branches")
        self.assertEqual(len(told["branches"]), 1, told)
        self.assertFalse((self.folder / "ravel-tickets").exists())
        self.assertEqual(server.stop(), 0)

    def test_it_listens_to_this_machine_only(self):
        server = self.race()
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table][1:]
        listening = [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == server.port]
        self.assertEqual([address.split(":")[0] for address in listening], ["0100007F"])

    def test_two_servers_do_not_share_a_port(self):
        server = self.race()
        self.refused("ui", "race.erl", "-t", "race:both_test", "--port", server.port, says="--port")

    def test_it_leaves_no_process_behind(self):
        server = self.start(self.write("endless.erl", support.ENDLESS), "-t", "endless:pass_test")
        server.ask("search", branch=0, step=0, strategy="dfs", seconds=600)
        children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        self.assertEqual(server.stop(), 0)
        self.assertFalse(children.exists())
        # A compiler that was under way ends by itself.
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while left := self.left_behind():
            self.assertLess(time.monotonic(), deadline, left)
            time.sleep(0.1)

    def left_behind(self):
        lines = [self.command_line(path) for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                 if os.getpid() != int(path.parent.name)]
        return [line for line in lines if str(self.folder) in line]

    @staticmethod
    def command_line(path):
        try:
            return path.read_bytes().decode(errors="replace")
        except OSError:
            return ""


if __name__ == "__main__":
    unittest.main()
