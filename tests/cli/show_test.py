"""ravel show: real bugs of the three front ends as text, JSON, lanes, Mermaid, ShiViz and a page."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

import support
from support import RACE, CommandTest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

CACHE = """\
-module(cache).
-export([clients/0, ask/0, spin/0, count/0]).

start() ->
    case whereis(cache) of
        undefined -> register(cache, spawn(fun loop/0));
        _Pid -> true
    end.

loop() ->
    receive stop -> ok end.

clients() ->
    Self = self(),
    [spawn(fun() -> start(), Self ! ready end) || _ <- [1, 2]],
    [receive ready -> ok end || _ <- [1, 2]],
    cache ! stop.

ask() ->
    Server = spawn(fun() -> receive {ask, _} -> ok end end),
    Server ! {ask, list_to_binary([255, 254, <<"</script>">>])},
    receive answer -> ok end.

spin() ->
    Self = self(),
    Other = spawn(fun() -> bounce(Self) end),
    Other ! ball,
    bounce(Other).

bounce(Other) ->
    receive ball -> Other ! ball, bounce(Other) end.

count() -> count(0).

count(N) ->
    self() ! N,
    receive N -> count(N + 1) end.
"""

# A gen_server whose callers are many, so that its story is longer than a screen.
COUNTER = """\
-module(counter).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, test/0]).

init([]) -> {ok, 0}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, N}, _From, _) -> {reply, ok, N}.
handle_cast(_, N) -> {noreply, N}.

add(Server) -> ok = gen_server:call(Server, {set, gen_server:call(Server, get) + 1}).

test() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    {ok, Other} = gen_server:start_link(?MODULE, [], []),
    Self = self(),
    [spawn(fun() -> add(Other) end) || _ <- [1, 2, 3]],
    [spawn(fun() -> add(Server), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    2 = gen_server:call(Server, get).
"""


def pasts(steps):
    """By step: all steps before it, by the order of its actor and by `after`."""
    found, last = [], {}
    for index, step in enumerate(steps):
        past = set()
        causes = step.get("after", []) + ([last[step["actor"]]] if step["actor"] in last else [])
        for cause in causes:
            past |= {cause} | found[cause]
        found.append(past)
        last[step["actor"]] = index
    return found


class ShowTest(CommandTest):
    def bug_of(self, *arguments):
        """The ticket of the bug that a check finds."""
        before = self.tickets()
        self.expect(1, "check", *arguments)
        (ticket,) = set(self.tickets()) - set(before)
        return ticket

    def erlang(self, test):
        self.write("cache.erl", CACHE)
        return self.bug_of("cache.erl", "-t", f"cache:{test}")

    def story(self, *arguments):
        run = self.expect(0, "show", *arguments, "--json", "-")
        return json.loads(run.stdout)

    def hold(self, story):
        """What holds for every story."""
        self.assertEqual((story["format"], story["version"]), ("ravel-story", 1))
        actors, sources = story["actors"], story.get("sources", [])
        self.assertEqual(len({actor["name"] for actor in actors}), len(actors))
        self.assertEqual(len({source["name"] for source in sources}), len(sources))
        for source in sources:
            self.assertEqual("text" in source, "gone" not in source)
        for actor in actors:
            if "parent" in actor:
                self.assertTrue(actor["name"].startswith(actors[actor["parent"]]["name"]))
            if "born" in actor:
                self.assertEqual(actors[story["failing"]["steps"][actor["born"]]["actor"]]["name"],
                                 actors[actor["parent"]]["name"])
        for execution in [story["failing"]] + ([story["passing"]] if "passing" in story else []):
            self.hold_execution(execution, len(actors), len(sources))
        if "passing" in story:
            self.hold_comparison(story["failing"], story["passing"])

    def hold_execution(self, execution, actors, sources):
        steps = execution["steps"]
        before = pasts(steps)
        relevant = {index for index, step in enumerate(steps) if step.get("relevant")}
        for index, step in enumerate(steps):
            self.assertIn(step["actor"], range(actors))
            self.assertNotIn(None, step.values())
            if "source" in step:
                self.assertIn(step["source"], range(sources))
            for cause in step.get("after", []):
                self.assertLess(cause, index)
                self.assertNotEqual(steps[cause]["actor"], step["actor"])
                self.assertFalse(any(cause in before[other] for other in step["after"]))
            for message in step.get("sends", []):
                self.assertIn(message["to"], range(actors))
                if "received" in message:
                    self.assertGreater(message["received"], index)
                    self.assertEqual(steps[message["received"]]["receives"], index)
                    self.assertIn(index, before[message["received"]])
            if "receives" in step:
                self.assertIn(index, [m.get("received") for m in steps[step["receives"]]["sends"]])
            for race in step.get("races", []):
                if "with" in race:
                    self.assertIn(race["with"], range(index + 1, len(steps)))
                    told_again = [other.get("with") for other in steps[race["with"]].get("races", [])]
                    self.assertNotIn(index, told_again)
            for choice in step.get("choices", []):
                self.assertIn(choice["actor"], range(actors))
                if "next" in choice:
                    self.assertEqual(steps[choice["next"]]["actor"], choice["actor"])
                    self.assertGreaterEqual(choice["next"], index)
            if index in relevant:
                self.assertLessEqual(before[index], relevant)
            if step.get("switch") is None and index > 0:
                self.assertEqual(steps[index - 1]["actor"], step["actor"])
        for waiting in execution.get("waiting", []):
            self.assertIn(waiting["actor"], range(actors))
            self.assertLessEqual(set(waiting.get("for", [])), set(range(actors)))

    def hold_comparison(self, failing, passing):
        self.assertEqual(passing["outcome"], "finished")
        common = passing["common"]
        for one, other in zip(failing["steps"][:common], passing["steps"][:common]):
            self.assertEqual((one["actor"], one["text"]), (other["actor"], other["text"]))

    def decides(self, story):
        return [(index, race.get("with")) for index, step in enumerate(story["failing"]["steps"])
                for race in step.get("races", []) if race.get("decides")]


class Stories(ShowTest):
    def test_a_bug_of_erlang(self):
        story = self.story(self.erlang("clients"))
        self.hold(story)
        self.assertEqual(story["front_end"], "erlang")
        self.assertEqual(story["test"], "cache:clients")
        self.assertEqual(story["bug"]["kind"], "abnormal_exit")
        self.assertEqual(story["actors"][story["bug"]["actor"]]["name"], "P.1")
        steps = story["failing"]["steps"]
        ((first, second),) = self.decides(story)
        self.assertEqual(steps[first]["text"], "calls whereis(cache) -> undefined")
        self.assertEqual(steps[second]["text"], "registers P.2.1 as cache")
        self.assertIn("in the other order, the test passes.", story["difference"][0])
        self.assertEqual(sum(step.get("switch") == "preemption" for step in steps), story["preemptions"])
        choices = steps[story["passing"]["common"]]["choices"]
        self.assertIn("passes", [choice.get("leads_to") for choice in choices])
        # What P does when it is told that the second client is ready is no reason for the first one's end.
        unrelated = [step["text"] for step in steps if not step.get("relevant")]
        self.assertIn("receives ready from P.2", unrelated)
        self.assertEqual(story["sources"][0]["text"], CACHE)
        # The state: what the second client has sent lies in the mailbox of P until it is received.
        sent = next(index for index, step in enumerate(steps) if step["text"].startswith("sends ready to P"))
        mailboxes = [change["lines"] for change in steps[sent]["state"]
                     if change["part"] == "mailbox" and change.get("actor") == 0]
        self.assertEqual(mailboxes, [["ready"]])
        self.assertTrue(story["replay"].startswith("ravel replay "))

    def test_a_deadlock_of_erlang_with_a_value_that_is_no_text(self):
        story = self.story(self.erlang("ask"))
        self.hold(story)
        self.assertEqual(story["bug"]["kind"], "deadlock")
        (waiting,) = [one for one in story["failing"]["waiting"] if one["actor"] == 0]
        self.assertIn("cache.erl:22", waiting["lines"][0])

    def test_a_round_is_told_once(self):
        story = self.story(self.erlang("spin"))
        self.hold(story)
        self.assertEqual(story["bug"]["kind"], "livelock")
        failing = story["failing"]
        self.assertLess(failing["loop"], len(failing["steps"]))
        self.assertTrue(all(step.get("relevant") for step in failing["steps"][failing["loop"]:]))
        text = self.expect(0, "show", *self.tickets()).stdout
        self.assertEqual(text.count("-- from here on, again and again --"), 1)

    def test_what_is_cut_off_is_told_up_to_there(self):
        self.write("cache.erl", CACHE)
        story = self.story(self.bug_of("cache.erl", "-t", "cache:count", "--events", "6000",
                                       "--long", "bug"))
        self.hold(story)
        self.assertEqual(story["bug"]["kind"], "event_bound")
        self.assertEqual(len(story["failing"]["steps"]), 5000)
        self.assertEqual(story["failing"]["left_out"], 1000)

    def test_a_bug_of_p(self):
        story = self.story(self.bug_of(EXAMPLES / "p" / "lost_update.p"))
        self.hold(story)
        self.assertEqual(story["front_end"], "p")
        self.assertEqual({actor["kind"] for actor in story["actors"]}, {"machine"})
        self.assertTrue(self.decides(story))
        self.assertTrue(any("received" in message for step in story["failing"]["steps"]
                            for message in step.get("sends", [])))

    def test_a_lasso_of_p(self):
        self.expect(1, "check", EXAMPLES / "p" / "starvation.p", "--strategy", "states")
        for ticket in self.tickets():
            story = self.story(ticket)
            self.hold(story)
            if "loop" in story["failing"]:
                self.assertTrue(story["failing"]["steps"][-1].get("relevant"))

    def test_a_first_execution_without_a_bug(self):
        self.write("race.erl", RACE)
        story = self.story("race.erl", "-t", "race:fine_test")
        self.hold(story)
        self.assertEqual(story["failing"]["outcome"], "finished")
        self.assertNotIn("bug", story)
        self.assertTrue(all(step["relevant"] for step in story["failing"]["steps"]))

    def test_a_trace(self):
        self.write("race.erl", RACE)
        self.expect(0, "trace", "race.erl", "-t", "race:fine_test", "--out", "trace.json")
        self.hold(self.story("trace.json"))


class ThreadsStories(ShowTest):
    def threads(self, name):
        subprocess.run([pathlib.Path(support.RAVEL).parent / "ravel-c++", EXAMPLES / "threads" / f"{name}.cc",
                        "-o", self.folder / name], check=True)
        return self.bug_of(f"./{name}")

    def test_a_bug_of_threads(self):
        story = self.story(self.threads("account"))
        self.hold(story)
        self.assertEqual({actor["kind"] for actor in story["actors"]}, {"thread"})
        steps = story["failing"]["steps"]
        ((first, second),) = self.decides(story)
        self.assertIn("locks mutex", steps[first]["text"])
        self.assertIn("locks mutex", steps[second]["text"])

    def test_sources_are_found_from_another_folder(self):
        """Places count from the project of P, and from where the compiler has run."""
        inner = self.folder / "inner"
        (inner / "src").mkdir(parents=True)
        shutil.copy(EXAMPLES / "threads" / "account.cc", inner / "src")
        subprocess.run([pathlib.Path(support.RAVEL).parent / "ravel-c++", "src/account.cc", "-o", "account"], check=True, cwd=inner)
        (source,) = [one for one in self.story(self.bug_of("inner/account"))["sources"] if one["name"] == "account.cc"]
        self.assertEqual(source["text"], (inner / "src" / "account.cc").read_text())
        self.assertIn("pthread_mutex_lock(&mutex);", self.expect(1, "check", "inner/account").stdout)
        project = EXAMPLES / "p" / "protocols" / "two_phase_commit"
        story = self.story(self.bug_of(project, "-t", "tcVotesCountedTwice"))
        texts = {one["name"]: one.get("text") for one in story["sources"]}
        self.assertEqual(texts["Participant.p"], (project / "PSrc" / "Participant.p").read_text())

    def test_a_deadlock_says_who_waits_for_whom(self):
        story = self.story(self.threads("dining"))
        self.hold(story)
        names = [actor["name"] for actor in story["actors"]]
        waits = {names[one["actor"]]: [names[other] for other in one["for"]]
                 for one in story["failing"]["waiting"]}
        self.assertEqual(waits, {"P": ["P.1"], "P.1": ["P.2"], "P.2": ["P.3"], "P.3": ["P.1"]})
        run = self.expect(0, "show", *self.tickets(), "--story", "lanes")
        self.assertIn("waits for P.", run.stdout)
        self.assertEqual(story["bug"]["title"], "deadlock: no thread can go on")


class Forms(ShowTest):
    def test_text(self):
        ticket = self.erlang("clients")
        lines = self.expect(0, "show", ticket).stdout
        self.assertIn("Bug: abnormal exit (1 preemption, 12 events)", lines)
        self.assertRegex(lines, r"\n   7  P\.2  registers P\.2\.1 as cache +cache\.erl:6  ")
        self.assertIn("-- preemption: P.1 could have gone on --", lines)
        lanes = self.expect(0, "show", ticket, "--story", "lanes").stdout
        self.assertIn("│", lanes)
        self.assertIn("* the race that makes the difference", lanes)
        self.assertEqual(self.expect(0, "show", ticket, "-q").stdout, "")
        replayed = self.expect(1, "replay", ticket, "--story", "lanes").stdout
        self.assertIn("│", replayed)
        self.assertIn("What makes the difference:", replayed)

    def test_a_long_story_is_folded(self):
        self.write("counter.erl", COUNTER)
        ticket = self.bug_of("counter.erl", "-t", "counter:test")
        whole = self.expect(0, "show", ticket, "--whole").stdout
        folded = self.expect(0, "show", ticket).stdout
        self.assertNotIn("nothing to do with the bug", whole)
        self.assertRegex(folded, r"\.\.\. \d+ events of .* nothing to do with the bug \.\.\.")
        self.assertLess(folded.count("\n"), whole.count("\n"))
        self.assertIn("nothing to do with the bug", self.expect(1, "replay", ticket).stdout)
        self.assertNotIn("nothing to do with the bug", self.expect(1, "replay", ticket, "--whole").stdout)
        # Every event is told, counted in a fold, or one of a call that is told by another one of its events.
        events = int(re.search(r", (\d+) events\)", folded)[1])
        told = {int(number) for number in re.findall(r"^ +(\d+)  ", folded, re.MULTILINE)}
        counted = sum(map(int, re.findall(r"\.\.\. (\d+) events? of ", folded)))
        story = self.story(ticket)
        of_calls = [call["last"] - call["first"] for call in story["failing"]["calls"] if call["main"] + 1 in told]
        self.assertGreater(sum(of_calls), 0)
        self.assertEqual(len(told) + counted + sum(of_calls), events)

    def test_mermaid(self):
        text = self.expect(0, "show", self.erlang("ask"), "--mermaid", "-").stdout
        first, *lines = text.rstrip("\n").split("\n")
        self.assertEqual(first, "sequenceDiagram")
        words = r"[^#;<>{}\"%\x00-\x1f]|#\d+;"
        participants = set()
        for line in lines:
            if match := re.fullmatch(rf"  participant (a\d+) as (?:{words})+", line):
                participants.add(match[1])
            elif match := re.fullmatch(rf"  Note over (a\d+)(?:,(a\d+))?: (?:{words})+", line):
                self.assertLessEqual({match[1], match[2] or match[1]}, participants)
            else:
                match = re.fullmatch(rf"  (a\d+)-\)(a\d+): \d+\. (?:{words})+", line)
                self.assertTrue(match, line)
                self.assertLessEqual({match[1], match[2]}, participants)
        self.assertIn("  a0-)a1: ", text)

    def test_shiviz(self):
        ticket = self.erlang("clients")
        story = self.story(ticket)
        text = self.expect(0, "show", ticket, "--shiviz", "-").stdout
        expression, delimiter, log = text.split("\n", 2)
        # Python's names of groups have a P.
        parts = re.split(delimiter.replace("(?<", "(?P<"), log, flags=re.MULTILINE)
        self.assertEqual(parts[1::2], ["failing", "passing"])
        for name, part in zip(parts[1::2], parts[2::2]):
            matches = list(re.finditer(expression.replace("(?<", "(?P<"), part))
            steps = story[name]["steps"]
            self.assertEqual(len(matches), len(steps))
            clocks = [json.loads(match["clock"]) for match in matches]
            hosts = [match["host"] for match in matches]
            self.assertEqual(hosts, [story["actors"][step["actor"]]["name"] for step in steps])
            for index, past in enumerate(pasts(steps)):
                self.assertEqual(clocks[index][hosts[index]], hosts[: index + 1].count(hosts[index]))
                known = {earlier for earlier in range(index)
                         if clocks[index].get(hosts[earlier], 0) >= clocks[earlier][hosts[earlier]]}
                self.assertEqual(known, past)

    def test_a_page(self):
        ticket = self.erlang("ask")
        run = self.ravel("show", ticket, "--html", "bug.html")
        if run.returncode == 2:
            self.assertIn("--html: this ravel was built without its page", run.stderr)
            self.skipTest("the page was left out of this build")
        page = (self.folder / "bug.html").read_text()
        story = re.search(r'<script type="application/json" id="story">(.*?)</script>', page, re.DOTALL)[1]
        self.assertEqual(json.loads(story), self.story(ticket))

    def test_pages_of_a_whole_check(self):
        self.write("cache.erl", CACHE)
        run = self.ravel("check", "cache.erl", "-t", "cache:clients", "-t", "cache:ask", "-k", "-q", "--html", "pages")
        if run.returncode == 2:
            self.assertIn("--html: this ravel was built without its page", run.stderr)
            self.skipTest("the page was left out of this build")
        index = (self.folder / "pages" / "index.html").read_text()
        links = re.findall(r'<a href="([^"]*)">', index)
        tickets = list((self.folder / "ravel-tickets").glob("*.ticket.json"))
        self.assertEqual(sorted(links), sorted(ticket.name.replace(".ticket.json", ".html") for ticket in tickets))
        self.assertGreater(len(links), 0)
        for link in links:
            page = (self.folder / "pages" / link).read_text()
            story = re.search(r'<script type="application/json" id="story">(.*?)</script>', page, re.DOTALL)[1]
            self.hold(json.loads(story))
        self.write("a_file", "")
        self.refused("check", "cache.erl", "-t", "cache:ask", "--html", "a_file", says="--html")

    def test_files(self):
        ticket = self.erlang("ask")
        run = self.expect(0, "show", ticket, "--json", "a.json", "--mermaid", "a.mmd", "--shiviz", "a.log")
        self.assertEqual(run.stdout, "")
        for name in ["a.json", "a.mmd", "a.log"]:
            self.assertGreater((self.folder / name).stat().st_size, 100)
        self.refused("show", ticket, "--json", "no/such/folder/a.json", says=["no/such/folder", "--json"])
        self.refused("show", ticket, "--story", "columns", says=["--story", "lines", "lanes"])
        self.refused("show", says="")

    def test_a_program_that_has_changed(self):
        ticket = self.erlang("clients")
        self.write("cache.erl", CACHE.replace("_Pid -> true", "_Pid -> false").replace(
            "undefined -> register(cache, spawn(fun loop/0));", "undefined -> ok;"))
        run = self.expect(0, "show", ticket, "--json", "-")
        self.assertIn("does not happen any more", run.stderr)
        self.hold(json.loads(run.stdout))


if __name__ == "__main__":
    unittest.main()
