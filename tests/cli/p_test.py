"""Programs in P: projects and files, tests, what is told of bugs, tickets, traces for P's viewers, what is refused."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from support import CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "p"

# A machine that asks itself for ever, and stops only by its choice; the spec is hot until then.
CHOOSES = """\
event eAgain;
event eStarted;
event eStopped;
machine Main {
  start state Init {
    entry { announce eStarted; send this, eAgain; }
    on eAgain do { if (CHOICE) announce eStopped; else send this, eAgain; }
  }
}
spec Stops observes eStarted, eStopped {
  start cold state Idle { on eStarted goto Running; }
  hot state Running { on eStopped goto Idle; }
}
test tcStops [main=Main]: assert Stops in { Main };
"""

# Every execution ends; one of the two is answered, and the other one waits inside its handler.
WAITS = """\
event eAsk: Asker;
event eAnswer;
machine Server {
  start state Init { on eAsk do (asker: Asker) { send asker, eAnswer; goto Closed; } }
  state Closed { ignore eAsk; }
}
machine Asker {
  start state Init {
    entry (server: Server) {
      send server, eAsk, this;
      receive { case eAnswer: { } }
    }
  }
}
machine Main {
  start state Init { entry { var s: Server; s = new Server(); new Asker(s); new Asker(s); } }
}
"""

# Endless, with values that the viewers of P show.
VALUES = """\
event eValues: (numbers: seq[int], truth: bool, text: string, who: machine, pairs: map[int, string], two: (int, int));
machine Other {
  start state Init {
    entry { receive { case eValues: (v: (numbers: seq[int], truth: bool, text: string, who: machine, pairs: map[int, string], two: (int, int))) {
      print "taken"; goto Failing; } } }
  }
  state Failing { entry { assert false, "never"; } }
}
machine Main {
  start state Init {
    entry {
      var numbers: seq[int];
      var pairs: map[int, string];
      numbers += (0, 4);
      pairs[7] = "seven";
      send new Other(), eValues, (numbers = numbers, truth = true, text = "t", who = this, pairs = pairs, two = (1, 2));
    }
  }
}
"""


# Cancelled in time if nobody is slow.
TIMER = """\
event eStartTimer; event eCancelTimer; event eTimeOut; event eDelayedTimeOut; event eDone;
machine Timer {
  var client: machine;
  start state Init { entry (c: machine) { client = c; goto Idle; } }
  state Idle { on eStartTimer goto Started; ignore eCancelTimer, eDelayedTimeOut; }
  state Started {
    entry
    {
      if ($) { send client, eTimeOut; goto Idle; } else { send this, eDelayedTimeOut; }
    }
    on eDelayedTimeOut goto Started; on eCancelTimer goto Idle; defer eStartTimer;
  }
}
machine Main { start state Init { entry { var timer: Timer;
  timer = new Timer(this); send timer, eStartTimer; send this, eDone;
  receive { case eDone: { send timer, eCancelTimer; } case eTimeOut: {
    assert false, "timed out"; } } }
  ignore eTimeOut, eDone; } }
"""

COVERED = """\
event eGo; event eOther;
event eNever;
machine Main { start state S {
    entry { send this, eGo; }
    on eGo goto T; on eNever do { } }
  state T { entry { announce eGo; raise eAgain; } on eOther do { } on eAgain do { } } }
event eAgain; event eUnused;
machine Unused { start state S { on eUnused do { } } }
scenario Twice observes eGo {
  start state None { on eGo goto One; }
  state One { on eGo goto Two; }
  cold state Two { } }
scenario Other observes eOther {
  start state None { on eOther goto Seen; }
  cold state Seen { } }
test t [main = Main]: { Main, Unused };
"""


RAISES = """\
event eTold: int; event eMine;
machine Main { start state S {
    entry { print "before"; announce eTold, 7; print "after"; raise eMine; }
    on eMine goto Passed; }
  state Passed { entry { goto Last; } }
  state Last { entry { assert false; } } }
spec Watch observes eTold {
  start state Calm { on eTold do { raise eMine; } on eMine goto Seen; }
  state Seen { } }
test t [main = Main]: assert Watch in { Main };
"""


class PTest(CommandTest):
    def check(self, status, *arguments):
        """The results of a check, by test."""
        self.expect(status, "check", *arguments, "--json", "results.json")
        results = self.results()
        return {test["test"]: test for test in results.get("tests", [results])}


class Tests(PTest):
    def test_a_project_passes_completely(self):
        tests = self.check(0, EXAMPLES / "echo" / "Echo.pproj")
        self.assertEqual({name: (test["verdict"], test["states"]) for name, test in tests.items()},
                         {"tcOneClient": ("pass", 20), "tcClients___pClients_1": ("pass", 20),
                          "tcClients___pClients_2": ("pass", 199)})

    def test_the_folder_of_a_project_is_enough(self):
        named = self.expect(0, "check", EXAMPLES / "echo").stdout
        self.assertIn("3 tests: 3 pass.", named)
        self.folder = pathlib.Path(shutil.copytree(EXAMPLES / "echo", self.folder / "echo"))
        self.assertIn("3 tests: 3 pass.", self.expect(0, "check").stdout)
        shutil.copy(self.folder / "Echo.pproj", self.folder / "Second.pproj")
        self.refused("check", says=["2 project files", "Name one"])

    def test_tests_are_listed_and_chosen(self):
        listed = self.expect(0, "tests", EXAMPLES / "echo").stdout
        self.assertEqual(listed, "tcOneClient\ntcClients___pClients_1\ntcClients___pClients_2\n")
        of_one = self.check(0, EXAMPLES / "echo", "-t", "tcClients___pClients_2")
        self.assertEqual(list(of_one), ["tcClients___pClients_2"])
        of_all = self.check(0, EXAMPLES / "echo", "-t", "tcClients")
        self.assertEqual(list(of_all), ["tcClients___pClients_1", "tcClients___pClients_2"])
        self.refused("check", EXAMPLES / "echo", "-t", "tcNone", says=["-t tcNone", "'ravel tests"])

    def test_p_s_own_options_for_tests_are_understood(self):
        listed = self.expect(0, "tests", EXAMPLES / "echo").stdout
        self.assertEqual(self.expect(0, "check", EXAMPLES / "echo", "--list-tests").stdout, listed)
        self.assertEqual(list(self.check(0, EXAMPLES / "echo", "-tc", "tcOneClient")), ["tcOneClient"])

    def test_a_program_without_tests_begins_with_main(self):
        self.assertEqual(self.expect(0, "tests", EXAMPLES / "lost_update.p").stdout, "DefaultImpl  an implementation\n")

    def test_a_program_without_tests_and_main_is_refused(self):
        self.write("empty.p", "event e;\n")
        self.refused("check", "empty.p", says=["no test", "no machine Main"])


class Bugs(PTest):
    def test_a_failed_assertion_is_told_and_replayed(self):
        found = self.expect(1, "check", EXAMPLES / "lost_update.p").stdout
        self.assertIn("Bug 1: assertion (0 preemptions, 23 events)\n  two have added 1, and the value is 1\n", found)
        self.assertRegex(found, r"at \S*lost_update.p:31, in P.1\n +in Keeper\(P.1\) in state OneIsDone\n")
        self.assertIn("sends eRead with Adder(P.2) to P.1 (Keeper)", found)
        self.assertIn("instead, the test passes", found)
        replayed = self.expect(1, "replay", self.tickets()[0]).stdout
        self.assertIn("The bug still happens: assertion", replayed)

    def test_a_spec_is_violated(self):
        tests = self.check(1, EXAMPLES / "two_phase_commit.p")
        bug = tests["tcTwoParticipants"]["bugs"][0]
        self.assertEqual((bug["kind"], bug["message"], bug["line"]),
                         ("assertion", "a transaction is committed that a participant has refused", 73))

    def test_a_spec_that_stays_hot_for_ever(self):
        found = self.expect(1, "check", EXAMPLES / "starvation.p").stdout
        self.assertIn("Bug 1: liveness", found)
        self.assertIn("monitor `FirstEats` is hot again and again, and never cold again", found)
        self.assertRegex(found, r"at \S*starvation.p:64\n")
        self.assertIn("is in hot state `IsHungry`", found)
        self.assertIn("-- from here on, again and again --", found)
        replayed = self.expect(1, "replay", self.tickets()[0]).stdout
        self.assertIn("The bug still happens: liveness", replayed)
        self.assertIn("never cold again", replayed)
        self.check(0, EXAMPLES / "starvation.p", "--ignore", "liveness")

    def test_a_fair_choice_is_made_in_both_ways_some_day(self):
        self.write("unfair.p", CHOOSES.replace("CHOICE", "$"))
        self.write("fair.p", CHOOSES.replace("CHOICE", "$$"))
        self.assertEqual(self.check(1, "unfair.p")["tcStops"]["bugs"][0]["kind"], "liveness")
        self.check(0, "fair.p")
        # It does not make up for one that is made in both ways and in vain.
        vain = CHOOSES.replace("if (CHOICE) announce eStopped; else send this, eAgain;",
                               "if ($$) send this, eAgain; else send this, eAgain;")
        self.write("vain.p", vain)
        self.assertEqual(self.check(1, "vain.p")["tcStops"]["bugs"][0]["kind"], "liveness")

    def test_a_deadlock(self):
        self.write("waits.p", WAITS)
        bug = self.check(1, "waits.p")["DefaultImpl"]["bugs"][0]
        self.assertEqual((bug["kind"], bug["file"], bug["line"]), ("deadlock", "waits.p", 11))
        self.check(0, "waits.p", "--ignore", "deadlock")

    def test_specs_of_no_test_are_named_and_can_be_attached(self):
        self.write("old.p", CHOOSES.replace("CHOICE", "$").replace("test tcStops", "// "))
        loose = self.expect(0, "check", "old.p")
        self.assertIn("the spec Stops is part of no test", loose.stderr)
        attached = self.expect(1, "check", "old.p", "--attach-specs")
        self.assertIn("monitor `Stops` is hot", attached.stdout)
        self.assertNotIn("is part of no test", attached.stderr)
        self.assertIn("The bug still happens", self.expect(1, "replay", self.tickets()[0]).stdout)

    def test_all_bugs_of_a_test(self):
        self.write("two.p", "machine Main { start state S { entry {\n if ($) assert false, \"one\";\n else assert false, \"two\"; } } }")
        bugs = self.check(1, "two.p", "-k")["DefaultImpl"]["bugs"]
        self.assertEqual(sorted((bug["message"], bug["line"]) for bug in bugs), [("one", 2), ("two", 3)])


class Tickets(PTest):
    def test_after_the_folder_has_moved(self):
        self.write("old/bug.p", WAITS)
        self.folder = self.folder / "old"
        self.expect(1, "check", "bug.p")
        moved = self.folder.parent / "new"
        os.rename(self.folder, moved)
        self.folder = moved
        self.assertIn("The bug still happens", self.expect(1, "replay", self.tickets()[0]).stdout)
        self.folder = moved.parent
        ticket = next((moved / "ravel-tickets").iterdir())
        self.refused("replay", ticket, says="bug.p")
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket, "new/bug.p").stdout)

    def test_of_a_project(self):
        project = pathlib.Path(shutil.copytree(EXAMPLES / "echo", self.folder / "echo"))
        server = project / "PSrc" / "Server.p"
        server.write_text(server.read_text().replace("request.number;", "request.number + 1;"))
        bug = self.check(1, "echo", "-t", "tcOneClient")["tcOneClient"]["bugs"][0]
        self.assertEqual((bug["file"], bug["line"], bug["message"]), ("PSrc/Client.p", 18, "asked 0, and was answered 1"))
        server.write_text(server.read_text().replace(" + 1;", ";"))
        mended = self.expect(0, "replay", self.tickets()[0]).stdout
        self.assertIn("Since this ticket was written PSrc/Server.p has changed.", mended)
        self.assertIn("this execution goes on without it", mended)

    def test_how_steps_were_taken_is_part_of_it(self):
        self.expect(1, "check", EXAMPLES / "lost_update.p", "--steps", "handlers")
        self.assertIn("The bug still happens", self.expect(1, "replay", self.tickets()[0]).stdout)

    def test_traces_and_races(self):
        self.expect(1, "check", EXAMPLES / "lost_update.p")
        shown = self.expect(0, "trace", self.tickets()[0], "--out", "trace.json").stdout
        self.assertIn("4 actors, 23 events; it ends: assertion.", shown)
        races = self.expect(0, "races", "trace.json").stdout
        self.assertIn("variant 1", races)
        after = self.expect(1, "check", "--trace", "trace.json")
        self.assertIn("Bug 1: assertion", after.stdout)
        self.assertIn("sends P.2#1 = eRead to P.1", self.expect(0, "trace", EXAMPLES / "lost_update.p").stdout)

    def test_a_damaged_one(self):
        self.expect(1, "check", EXAMPLES / "lost_update.p")
        ticket = json.loads(self.tickets()[0].read_text())
        del ticket["program"]["test"]
        self.write("damaged.ticket.json", json.dumps(ticket))
        self.refused("replay", "damaged.ticket.json", says="damaged")


class Strategies(PTest):
    def test_executions_are_drawn_first_unless_a_strategy_is_named(self):
        drawn = self.check(1, EXAMPLES / "lost_update.p")["DefaultImpl"]
        self.assertEqual((drawn["strategy"], drawn["executions"]), ("partial order sampling, seed 1", 2))
        named = self.check(1, EXAMPLES / "lost_update.p", "--strategy", "states")["DefaultImpl"]
        self.assertEqual((named["strategy"], named["states"]), ("states", 65))
        endless = self.check(1, EXAMPLES / "starvation.p")["tcTwoPhilosophers"]
        self.assertEqual((endless["strategy"], endless["states"]), ("states", 52))

    def test_each_finds_the_bug_or_is_refused(self):
        for strategy in ["dpor", "preemption", "delay", "variants", "dfs", "states", "shortest", "random", "irs", "pct", "pos", "surw", "ss", "ses", "ses,ss"]:
            bug = self.check(1, EXAMPLES / "lost_update.p", "--strategy", strategy)["DefaultImpl"]["bugs"][0]
            self.assertEqual((bug["kind"], bug["line"]), ("assertion", 31), strategy)
        self.refused("check", EXAMPLES / "lost_update.p", "--strategy", "vt", says="share no variables")

    def test_steps_of_whole_handlers(self):
        tests = self.check(0, EXAMPLES / "echo", "--steps", "handlers", "-t", "tcClients")
        self.assertEqual(tests["tcClients___pClients_2"]["states"], 64)
        self.assertIn("One step each", self.expect(0, "check", EXAMPLES / "echo", "--steps", "handlers").stdout)
        bug = self.check(1, EXAMPLES / "two_phase_commit.p", "--steps", "handlers", "--strategy", "dpor")
        self.assertEqual(bug["tcTwoParticipants"]["bugs"][0]["line"], 73)

    def test_fewer_states(self):
        self.write("waits.p", WAITS)
        whole = self.check(0, "waits.p", "--ignore", "deadlock")["DefaultImpl"]["states"]
        reduced = self.check(0, "waits.p", "--ignore", "deadlock", "--reduced")["DefaultImpl"]["states"]
        self.assertEqual((whole, reduced), (55, 24))
        self.assertEqual(self.check(1, "waits.p", "--reduced")["DefaultImpl"]["bugs"][0]["kind"], "deadlock")
        self.refused("check", EXAMPLES / "echo", "--reduced", says=["tcOneClient", "--ignore liveness"])
        self.check(0, EXAMPLES / "echo", "--reduced", "--ignore", "liveness")

    def test_one_state_of_those_that_differ_in_names_only(self):
        self.write("waits.p", WAITS)
        search = ["waits.p", "--ignore", "deadlock"]
        whole = self.check(0, *search)["DefaultImpl"]["states"]
        for options in [[], ["--strategy", "shortest"], ["--fingerprints", "64"], ["--jobs", "2"]]:
            found = self.check(0, *search, "--symmetric", "Asker", *options)["DefaultImpl"]
            self.assertEqual((whole, found["states"]), (55, 36), options)
        bug = self.check(1, "waits.p", "--symmetric", "Asker", "--strategy", "states")["DefaultImpl"]
        self.assertEqual(bug["bugs"][0]["kind"], "deadlock")
        [ticket] = self.tickets()
        self.expect(1, "replay", ticket)
        # Who is asked first is told apart.
        self.write("listed.p", WAITS.replace("new Asker(s); new Asker(s);", "a += (new Asker(s)); a += (new Asker(s)); foreach (one in a) send s, eAsk, one;")
                   .replace("var s: Server;", "var s: Server; var a: set[Asker]; var one: Asker;"))
        said = self.expect(4, "check", "listed.p", "--symmetric", "Asker", "--strategy", "states")
        self.assertRegex(said.stdout + said.stderr, r"listed\.p:\d+: the machines of --symmetric Asker are told apart: the name of one of them, P\.2, is seen in the order")

    def test_what_symmetry_is_not_for(self):
        self.write("waits.p", WAITS)
        search = ["check", "waits.p", "--symmetric", "Asker"]
        self.refused("check", "waits.p", "--symmetric", "Nobody", says=["waits.p has no machine 'Nobody'", "Server, Asker, Main"])
        self.refused(*search, "--strategy", "dpor", says="--symmetric is for --strategy states or shortest")
        self.refused(*search, "--strategy", "ses", says="--symmetric is for --strategy states or shortest")
        self.refused(*search, "--reduced", says="--reduced is not for --symmetric")
        self.refused(*search, "--ltl", "always eventually true", says="--symmetric is not for --ltl")
        said = self.expect(0, "check", EXAMPLES / "echo", "-t", "tcOneClient", "--symmetric", "Client", "--strategy", "states").stdout
        self.assertIn("a spec stays hot were not looked for: that needs to know who goes on for ever, which --symmetric leaves open", said)

    def test_a_search_that_was_interrupted_goes_on(self):
        self.write("waits.p", WAITS)
        search = ["waits.p", "--ignore", "deadlock", "--strategy", "dfs"]
        whole = self.check(0, *search)["DefaultImpl"]["executions"]
        self.check(3, *search, "--budget", "5x")
        saved = next((self.folder / "ravel-tickets").glob("interrupted.*.search"))
        self.expect(0, "check", "--resume", saved, "--json", "results.json")
        self.assertEqual(self.results()["executions"], whole)
        self.check(3, *search, "--budget", "5x")
        self.write("waits.p", WAITS + "// changed")
        self.refused("check", "--resume", saved, says=["waits.p", "changed", "Begin anew"])

    def test_an_endless_program_is_cut_off_and_no_livelock(self):
        run = self.expect(3, "check", EXAMPLES / "echo", "-t", "tcOneClient", "--strategy", "dfs")
        self.assertNotIn("livelock", run.stdout)
        self.assertIn("--strategy states does", run.stdout)

    def test_formulas_of_their_own(self):
        echo = [EXAMPLES / "echo", "-t", "tcOneClient"]
        self.check(0, *echo, "--ltl", "always eventually hot(AllAreAnswered)")
        self.check(1, *echo, "--ltl", "always cold(AllAreAnswered)")
        self.refused("check", *echo, "--ltl", "always cold(AllAreAnswered)", "--reduced", says="--reduced is not for --ltl")
        self.refused("check", *echo, "--ltl", "always idle", says="nobody says when 'idle' holds")
        self.refused("check", *echo, "--ltl", "always idle", "--strategy", "dpor", says="--ltl is for --strategy states")

    def test_what_is_not_for_p_is_refused_by_name(self):
        echo = EXAMPLES / "echo"
        for option in [["--kill", "1"], ["--delivery", "channels"], ["--property", "x"],
                       ["--abstraction", "m:f"], ["--steps", "receives"], ["--accesses", "all"]]:
            self.refused("check", echo, *option, says=[" ".join(option[:1]), "and this is one in P"])
        for option in [["--time", "deadlines"], ["--early", "1"]]:
            self.refused("check", echo, *option, says=[option[0], "programs in P"])
        for option in [["--fingerprints", "64"], ["--bitstate", "8"]]:
            self.refused("check", echo, "--ltl", "always cold(AllAreAnswered)", *option, says=f"{option[0]} is not for --ltl")
        self.refused("check", echo, "--steps", "words", says="operations, receives, handlers")
        self.refused("run", echo, says="'ravel run' is not for programs in P")

    def test_options_of_p_are_refused_for_others(self):
        self.write("m.erl", "-module(m).\n-export([t/0]).\nt() -> ok.\n")
        self.refused("check", "m.erl", "-t", "m:t", "--steps", "handlers", says="--steps handlers is for programs in P")
        self.refused("check", "m.erl", "-t", "m:t", "--trace-json", "x", says="--trace-json is for programs in P")
        self.check(0, "m.erl", "-t", "m:t", "--steps", "receives")


class TimersThatAreKnown(PTest):
    def test_they_fire_when_asked_for(self):
        self.write("timer.p", TIMER)
        modelled = self.check(1, "timer.p", "--strategy", "states")["DefaultImpl"]
        self.assertEqual(modelled["bugs"][0]["message"], "timed out")
        late = self.check(1, "timer.p", "--time", "any", "--strategy", "dpor")["DefaultImpl"]
        self.assertEqual((late["bugs"][0]["message"], late["bugs"][0]["line"]), ("timed out", 17))
        story = self.expect(1, "replay", self.tickets()[0]).stdout
        self.assertIn("fires and sends eTimeOut to P (Main)", story)
        self.assertIn("The bug still happens", story)
        passed = self.expect(0, "check", "timer.p", "--time", "idle").stdout
        self.assertIn("No bug in any of the", passed)
        self.assertIn("Timers fire only when no machine can do anything else", passed)

    def test_time_passes_when_all_wait(self):
        self.write("timer.p", TIMER.replace("send this, eDone;", "").replace("eDone: { send timer, eCancelTimer; }", "eDone: { }"))
        for strategy in ["states", "dpor", "pos", "ss", "ses", "preemption"]:
            shown = self.expect(1, "check", "timer.p", "--time", "idle", "--strategy", strategy).stdout
            self.assertRegex(shown, r"T +time passes: P.1 \(Timer\) fires and sends eTimeOut to P \(Main\)", strategy)
        self.assertIn("The bug still happens", self.expect(1, "replay", self.tickets()[0]).stdout)

    def test_what_is_no_timer_is_named(self):
        self.write("timer.p", TIMER.replace("if ($)", "if ($ && $)"))
        self.refused("check", "timer.p", "--time", "any", says=["timer.p:9:", "Timer is no timer that --time knows", "the condition is not"])
        self.refused("trace", "timer.p", "--time", "idle", says="Timer is no timer that --time knows")
        self.check(1, "timer.p")
        self.refused("check", EXAMPLES / "echo", "--time", "any", says=["--time is about timers", "no machine of these tests"])
        self.write("timer.p", TIMER)
        self.refused("check", "timer.p", "--time", "any", "--reduced", says="--reduced is not for --time")


class Covered(PTest):
    def test_what_was_and_what_was_not(self):
        self.write("covered.p", COVERED)
        shown = self.expect(0, "check", "covered.p", "--coverage").stdout
        self.assertIn("Covered: 6 of 8 states, 4 of 8 reactions, 2 of 5 events, 1 of 2 scenarios.\n"
                      "  Main never handles eNever in S (covered.p:5)\n"
                      "  Main never handles eOther in T (covered.p:6)\n", shown)
        self.assertIn("  Unused is never created (covered.p:8)\n", shown)
        self.assertIn("  scenario Twice: covered, 3 of 3 states (covered.p:9)\n", shown)
        self.assertIn("  scenario Other: not covered, 1 of 2 states (covered.p:13)\n", shown)
        self.assertIn("  Other never enters Seen (covered.p:15)\n", shown)
        self.assertIn("  eNever is never sent (covered.p:2)\n", shown)
        self.assertNotIn("Covered", self.expect(0, "check", "covered.p").stdout)

    def test_the_same_by_each_complete_strategy(self):
        self.write("covered.p", COVERED)
        by = {}
        for strategy in ["states", "dpor", "dfs", "ses"]:
            test = self.check(0, "covered.p", "--coverage", "--strategy", strategy)["t"]
            by[strategy] = test["program_coverage"]
        self.assertEqual(by["states"][0], {"kind": "state", "machine": "Main", "state": "S", "file": "covered.p", "line": 3, "covered": True})
        self.assertIn({"kind": "reaction", "machine": "Main", "state": "S", "event": "eNever", "file": "covered.p", "line": 5,
                       "covered": False}, by["states"])
        self.assertIn({"kind": "scenario", "machine": "Other", "file": "covered.p", "line": 13, "covered": False}, by["states"])
        for strategy in by:
            self.assertEqual(by[strategy], by["states"], strategy)

    def test_of_a_part_of_the_executions(self):
        search = [EXAMPLES / "lost_update.p", "--coverage", "--strategy", "random", "--budget", "1x"]
        one = self.check(1, *search)
        self.assertTrue(any(part["covered"] for part in one["DefaultImpl"]["program_coverage"]))
        self.assertIn("Covered so far: ", self.expect(1, "check", *search).stdout)


class Explorers(PTest):
    def setUp(self):
        super().setUp()
        page = (pathlib.Path(__file__).parents[2] / "docs" / "guide" / "from-p.md").read_text()
        self.round_robin = page[page.index("event eExplorerEnabled"):].split("```")[0]
        self.write("lost.p", (EXAMPLES / "lost_update.p").read_text() + self.round_robin)

    def test_one_in_p_has_the_strata_of_the_built_in_one(self):
        for strategy in [["ses"], ["ss", "--budget", "500x"]]:
            for delays in ["0", "1", "2", "5"]:
                found = [self.counts("lost.p", "--strategy", *strategy, "--delays", delays, "-k", "--explorer", explorer)
                         for explorer in ["RoundRobin", "rr"]]
                self.assertEqual(found[0], found[1])

    def counts(self, *search):
        self.ravel("check", *search, "--json", "results.json")
        results = self.results()
        return [results[name] for name in ["executions", "events", "states", "transitions", "verdict"] if name in results] + [
            [bug["executions"] for bug in results["bugs"]]]

    def test_it_needs_no_test_and_no_spec_is_missed(self):
        shown = self.expect(1, "check", "lost.p", "--strategy", "ses", "--explorer", "RoundRobin")
        self.assertNotIn("is part of no test", shown.stderr)
        self.assertNotIn("the explorer", shown.stdout + shown.stderr)
        self.assertIn("The bug still happens", self.expect(1, "replay", self.tickets()[0]).stdout)
        self.check(1, "lost.p", "--attach-specs")

    def test_what_is_none_is_refused(self):
        search = ["check", "lost.p", "--strategy", "ses", "--explorer"]
        self.refused(*search, "magic", says=["--explorer magic: the program has no spec of this name",
                                             "choose one of: rr, rtc, prr, preemptions, RoundRobin"])
        self.refused(*search, "Main", says=["--explorer Main: this is no spec"])
        self.write("lost.p", (EXAMPLES / "lost_update.p").read_text() + self.round_robin.replace("order: seq[machine]", "row: seq[machine]")
                   .replace("order", "row"))
        self.refused(*search, "RoundRobin", says=["this spec has no `var order: seq[machine];`"])

    # Of an example, with the explorer as one more file.
    def files_of(self, protocol):
        protocols = EXAMPLES / "protocols"
        return [*sorted((protocols / "common").glob("*.p")), *sorted((protocols / protocol).glob("*/*.p")), self.write("own.p", self.round_robin)]

    def test_it_goes_on_after_an_interruption(self):
        search = [*self.files_of("paxos"), "-t", "tcTwoProposers", "--strategy", "ses", "--explorer", "RoundRobin"]
        self.expect(3, "check", *search, "--budget", "0.3s")
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(0, "check", "--resume", file, "--json", "results.json")
        resumed = self.results()
        self.expect(0, "check", *search, "--json", "results.json")
        whole = self.results()
        for what in ["states", "transitions", "depth", "executions", "coverage"]:
            self.assertEqual(resumed[what], whole[what], what)

    def test_samples_follow_it(self):
        search = [*self.files_of("two_phase_commit"), "-t", "tcOneClient", "--strategy", "ses,ss", "--seed", "3"]
        found = []
        for explorer in ["RoundRobin", "rr"]:
            self.expect(3, "check", *search, "--explorer", explorer, "--delays", "1", "--budget", "300x", "--json", "results.json")
            results = self.results()
            found.append([results[name] for name in ["states", "transitions", "events", "in_turns", "verdict"]])
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0][3], 300)

    def test_a_library_can_be_the_explorer(self):
        source = self.write("first.cc", """\
#include <ravel/explorer.h>
struct first : ravel::delaying::Explorer {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;
  static void enabled(Words& words, uint32_t, uint32_t, const char*) { words.resize(1); }
  static void blocked(Words&, uint32_t) {}
  static uint32_t next(const Words& words, const Actors& enabled) { return enabled[words[0] % enabled.size()]; }
  static void delay(Words& words, const Actors&) { ++words[0]; }
};
RAVEL_EXPLORER(first)
""")
        subprocess.run(["g++", "-shared", "-fPIC", "-I", EXAMPLES.parents[1] / "include", source, "-o", self.folder / "first.so"], check=True)
        for strategy in [["ses"], ["ses,ss"], ["ss", "--budget", "500x"]]:
            self.expect(1, "check", "lost.p", "--strategy", *strategy, "--explorer", "./first.so")

    def test_its_failure_ends_the_search(self):
        self.write("lost.p", (EXAMPLES / "lost_update.p").read_text() + self.round_robin.replace(
            "on eExplorerBlocked do toTail;", ""))
        failed = self.expect(4, "check", "lost.p", "--strategy", "ses", "--explorer", "RoundRobin")
        self.assertIn("the explorer itself fails: event `eExplorerBlocked` is not handled in state `Running`", failed.stdout + failed.stderr)


class Input(PTest):
    def test_errors_of_types_come_together(self):
        self.write("wrong.p", "machine Main { start state S { entry {\n var x: int;\n x = true;\n y = 1;\n goto T; } } }\n")
        run = self.expect(2, "check", "wrong.p")
        self.assertEqual([line.split(" ")[0] for line in run.stderr.splitlines()], ["wrong.p:3:6:", "wrong.p:4:2:", "wrong.p:5:7:"])
        self.assertEqual(run.stdout, "")

    def test_a_fault_of_the_grammar(self):
        self.write("wrong.p", "machine Main { start state S { entry { x = ; } } }\n")
        self.assertIn("wrong.p:1:", self.expect(2, "check", "wrong.p").stderr)

    def test_files_that_are_not_there(self):
        self.refused("check", "none.p", says="none.p")
        self.refused("check", "none.pproj", says="none.pproj: there is no such file")
        self.write("bad.pproj", "<Project>")
        self.refused("check", "bad.pproj", says="bad.pproj")
        self.write("a.p", WAITS)
        self.refused("check", "bad.pproj", "a.p", says="a project is checked alone")

    def test_a_word_of_p_as_a_name_is_told_once(self):
        self.write("wrong.p", "machine Main { var values: map[int, int];\nstart state S { entry { values[1] = sizeof(values); } } }\n")
        self.assertEqual(self.expect(2, "check", "wrong.p").stderr,
                         "wrong.p:1:20: expected a name of a variable; found `values`, which is a word of P\n")

    def test_what_is_for_the_verifier_is_refused_where_it_would_run(self):
        self.write("proof.p", "machine Main { start state S { entry { assume 1 == 2; } } }\n")
        run = self.expect(2, "check", "proof.p")
        self.assertIn("verifier", run.stderr)


class TracesForViewers(PTest):
    def test_their_form(self):
        self.write("values.p", VALUES)
        self.expect(1, "check", "values.p", "--trace-json", "bug.trace.json")
        entries = json.loads((self.folder / "bug.trace.json").read_text())
        self.assertEqual([entry["type"] for entry in entries],
                         ["CreateStateMachine", "StateTransition", "CreateStateMachine", "SendEvent", "StateTransition",
                          "ReceiveEvent", "Print", "GotoState", "StateTransition", "StateTransition", "AssertionFailure",
                          "StrategyDescription"])
        for entry in entries:
            self.assertIn("log", entry["details"])
        sent, taken = (next(e["details"] for e in entries if e["type"] == kind) for kind in ["SendEvent", "ReceiveEvent"])
        payload = {"numbers": [4], "truth": True, "text": "t", "who": "Main(1)", "pairs": {"7": "seven"}, "two": {"0": 1, "1": 2}}
        self.assertEqual(sent, {
            "log": "'Main(1)' in state 'Init' sent event 'eValues with payload (<numbers:(4), truth:True, text:t, who:Main(1), "
                   "pairs:(<7->seven>), two:<1,2,>, >)' to 'Other(2)'.",
            "sender": "Main(1)", "state": "Init", "event": "eValues", "target": "Other(2)", "isTargetHalted": False,
            "payload": payload, "clock": {"Main(1)": 3}})
        self.assertEqual((taken["id"], taken["event"], taken["payload"], taken["wasBlocked"]),
                         ("Other(2)", "eValues", payload, True))
        self.assertEqual(taken["clock"], {"Main(1)": 3, "Other(2)": 3})
        self.assertEqual(entries[-2]["details"]["error"], "never at values.p:7")
        self.assertEqual(entries[-1]["details"]["strategy"], "partial order sampling, seed 1")

    def test_monitors_are_in_it(self):
        self.expect(1, "check", EXAMPLES / "starvation.p", "--trace-json", "bug.trace.json")
        entries = json.loads((self.folder / "bug.trace.json").read_text())
        hot = [e["details"]["log"] for e in entries if e["details"].get("isInHotState")]
        self.assertEqual(hot[0], "FirstEats enters hot state 'IsHungry'.")

    def test_what_is_raised_and_announced(self):
        self.write("raises.p", RAISES)
        self.expect(1, "check", "raises.p", "--strategy", "states", "--trace-json", "bug.trace.json")
        entries = json.loads((self.folder / "bug.trace.json").read_text())
        told = [(e["type"], e["details"]["log"]) for e in entries]
        self.assertEqual(told[:-2], [
            ("CreateMonitor", "Watch was created."),
            ("MonitorStateTransition", "Watch enters state 'Calm'."),
            ("CreateStateMachine", "Main(1) was created by the test."),
            ("StateTransition", "Main(1) enters state 'S'."),
            ("Print", "before"),
            ("MonitorProcessEvent", "Watch is processing event 'eTold with payload (7)' in state 'Calm'."),
            ("MonitorRaiseEvent", "Monitor 'Watch' raised event 'eMine' in state 'Calm'."),
            ("MonitorStateTransition", "Watch exits state 'Calm'."),
            ("MonitorStateTransition", "Watch enters state 'Seen'."),
            ("Print", "after"),
            ("RaiseEvent", "'Main(1)' raised event 'eMine' in state 'S'."),
            ("GotoState", "Main(1) is transitioning from state 'S' to state 'Passed'."),
            ("StateTransition", "Main(1) exits state 'S'."),
            ("StateTransition", "Main(1) enters state 'Passed'."),
            ("GotoState", "Main(1) is transitioning from state 'Passed' to state 'Last'."),
            ("StateTransition", "Main(1) exits state 'Passed'."),
            ("StateTransition", "Main(1) enters state 'Last'.")])
        observed = next(e["details"] for e in entries if e["type"] == "MonitorProcessEvent")
        self.assertEqual((observed["sender"], observed["event"], observed["payload"]), ("Main(1)", "eTold", 7))

    def test_a_file_that_cannot_be_written(self):
        self.refused("check", EXAMPLES / "starvation.p", "--trace-json", "no/such/folder/x", says="--trace-json")


if __name__ == "__main__":
    unittest.main()
