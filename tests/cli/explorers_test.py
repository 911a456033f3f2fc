"""Searches by delaying explorers: what they say, what they promise, and what they are not for."""

import pathlib
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent
SOURCES = pathlib.Path(__file__).parents[2]
EXPLORERS = ["rr", "rtc", "prr"]
ALL_EXPLORERS = [*EXPLORERS, "preemptions"]  # the last one is for ses alone


class ExplorersTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "race.erl").write_text(support.RACE)
        (self.folder / "lamp.erl").write_text((SOURCES / "examples" / "states" / "lamp.erl").read_text())

    def test_ses_visits_the_states_that_there_are(self):
        states = {}
        for strategy in [["states"]] + [["ses", "--explorer", explorer] for explorer in ALL_EXPLORERS]:
            self.expect(0, "check", "lamp.erl", "-t", "lamp:gen_server_test", "--strategy", *strategy, "--json", "results.json")
            results = self.results()
            states[" ".join(strategy)] = (results["states"], results["transitions"])
        self.assertEqual(len(set(states.values())), 1, states)

    def test_a_part_of_the_strata_is_not_told_as_all(self):
        said = self.expect(3, "check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--delays", "0", "--json", "results.json").stdout
        self.assertRegex(said, r"No bug in the \d+ states? of the stratum without a delay; more delays were not tried\.")
        self.assertEqual(self.results()["coverage"]["bounds"], [{"on": "strata", "completed": 0, "exhausted": False}])
        said = self.expect(3, "check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--delays", "1").stdout
        self.assertRegex(said, r"No bug in the \d+ states of the strata of up to 1 delay; more delays were not tried\.")

    def test_a_delay_can_be_a_preemption(self):
        self.expect(3, "check", "race.erl", "-t", "race:lost_test", "--strategy", "ses", "--explorer", "preemptions", "--delays", "0")
        self.expect(1, "check", "race.erl", "-t", "race:lost_test", "--strategy", "ses", "--explorer", "preemptions", "--json", "results.json")
        found = self.results()
        self.assertEqual(found["coverage"]["bounds"], [{"on": "strata", "completed": 0, "exhausted": False}])
        self.assertEqual(found["bugs"][0]["preemptions"], 1)
        for strategy in ["ss", "ses,ss"]:
            self.refused("check", "race.erl", "--strategy", strategy, "--explorer", "preemptions",
                         says=["a delay of it is a preemption, which is for --strategy ses", f"the strategy here is {strategy}"])

    def test_an_interrupted_ses_goes_on(self):
        paxos = ["check", SOURCES / "examples" / "p" / "protocols" / "paxos", "-t", "tcTwoProposers", "--strategy", "ses", "--explorer", "prr", "--seed", "3"]
        self.expect(3, *paxos, "--budget", "0.3s", "--json", "results.json")
        begun = self.results()
        self.assertGreater(begun["states"], 0)
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(3, "check", "--resume", file, "--budget", "0.3s", "--json", "results.json")
        self.assertGreater(self.results()["states"], begun["states"])
        self.expect(0, "check", "--resume", file, "--json", "results.json")
        resumed = self.results()
        self.expect(0, *paxos, "--json", "results.json")
        whole = self.results()
        for what in ["states", "transitions", "depth", "executions", "coverage"]:
            self.assertEqual(resumed[what], whole[what], what)

    def test_samples_go_on_where_ses_has_ended(self):
        commit = ["check", SOURCES / "examples" / "p" / "protocols" / "two_phase_commit", "-t", "tcOneClient", "--strategy", "ses,ss"]
        said = self.expect(3, *commit, "--delays", "2", "--budget", "700x", "--json", "results.json").stdout
        self.assertRegex(said, r"No bug in the [\d,]+ states visited, which are the strata of up to 2 delays and perhaps more, and the 700 executions drawn "
                               r"that go on from there; others were not tried\.")
        self.assertRegex(said, r"If no execution is larger than these, what one of the \d+ states put off leads to, with at most \d+ further delays? of "
                               r"the explorer rtc, is found with a probability of at least 0\.\d+ \(L = \d+\)\.")
        found = self.results()
        self.assertEqual((found["verdict"], found["in_turns"], found["coverage"]["bounds"]),
                         ("incomplete", 700, [{"on": "strata", "completed": 2, "exhausted": False}]))
        said = self.expect(0, *commit).stdout
        self.assertRegex(said, r"No bug in any of the [\d,]+ states\.")
        self.assertNotIn("another strategy", said)

    def test_samples_are_interrupted_and_go_on(self):
        commit = ["check", SOURCES / "examples" / "p" / "protocols" / "two_phase_commit", "-t", "tcTwoClients", "--strategy", "ses,ss", "--delays", "1"]
        said = self.expect(3, *commit, "--budget", "0.3s", "--json", "results.json").stdout
        self.assertIn("The budget of time ended the search: no bug in the", said)
        begun = self.results()
        self.assertGreater(begun["in_turns"], 0)
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(3, "check", "--resume", file, "--budget", "0.3s", "--json", "results.json")
        resumed = self.results()
        self.assertEqual(resumed["states"], begun["states"])
        self.assertGreater(resumed["in_turns"], begun["in_turns"])

    def test_a_bug_that_samples_find_is_told_for_replay(self):
        for explorer in ["rr", "rtc"]:
            said = self.expect(1, "check", SOURCES / "examples" / "protocols" / "chain.erl", "-t", "chain:no_reply_test", "--strategy", "ses,ss", "--delays", "0",
                               "--explorer", explorer, "--budget", "3000x", "--out", explorer, "--json", "results.json").stdout
            self.assertRegex(said, r"; [\d,]+ more executions? drawn")
            [ticket] = (self.folder / explorer).glob("*.ticket.json")
            self.expect(1, "replay", ticket)

    def test_ses_tells_who_waits_for_ever_by_looking(self):
        self.write("look.erl", """\
-module(look).
-export([look/0]).
look() -> spawn(fun() -> up(0) end), named().
up(100) -> ok;
up(N) -> self() ! N, receive N -> up(N + 1) end.
named() -> case whereis(nobody) of undefined -> named(); _ -> ok end.
""")
        said = self.expect(1, "check", "look.erl", "-t", "look:look", "--strategy", "ses").stdout
        self.assertIn("the execution goes round for ever, and nobody does more than look", said)

    def test_both_find_the_bugs_of_a_race_and_tell_them_for_replay(self):
        for strategy in ["ses", "ss"]:
            for explorer in EXPLORERS:
                for test in ["race:lost_test", "race:both_test"]:
                    self.expect(1, "check", "race.erl", "-t", test, "--strategy", strategy, "--explorer", explorer, "--out", strategy + explorer + test[5:])
                    tickets = list((self.folder / (strategy + explorer + test[5:])).glob("*.ticket.json"))
                    self.assertEqual(len(tickets), 1)
                    self.expect(1, "replay", tickets[0])

    def test_a_sample_is_the_same_with_the_same_seed_and_its_bound_is_told(self):
        def results(seed):
            said = self.expect(1, "check", "race.erl", "-t", "race:both_test", "-k", "--strategy", "ss", "--seed", seed,
                               "--budget", "50x", "--json", "results.json").stdout
            self.assertRegex(said, r"If no execution is larger than these, what at most 1 delay of the explorer rtc shows is found with a "
                                   r"probability of at least 0\.\d+ \(L = \d+\)\.")
            found = self.results()
            return found["events"], [(bug["message"], bug["executions"]) for bug in found["bugs"]]

        self.assertEqual(results("5"), results("5"))
        self.assertNotEqual(results("5"), results("6"))

    def test_programs_of_c_and_cpp_are_sampled(self):
        subprocess.run([BUILD / "ravel-c++", SOURCES / "examples" / "threads" / "account.cc", "-o", self.folder / "account"], check=True)
        for explorer in EXPLORERS:
            said = self.expect(1, "check", "./account", "--strategy", "ss", "--explorer", explorer).stdout
            self.assertIn("The search stopped at the first bug", said)

    def compiled(self, name):
        subprocess.run([BUILD / "ravel-c++", SOURCES / "examples" / "threads" / f"{name}.cc", "-o", self.folder / name], check=True)
        return f"./{name}"

    def test_the_states_of_programs_of_c_and_cpp_are_visited_by_strata(self):
        program = self.compiled("peterson")
        states = {}
        for strategy in [["states"]] + [["ses", "--explorer", explorer] for explorer in ALL_EXPLORERS]:
            self.expect(0, "check", program, "--strategy", *strategy, "--json", "results.json")
            results = self.results()
            states[" ".join(strategy)] = (results["states"], results["transitions"])
        self.assertEqual(len(set(states.values())), 1, states)
        said = self.expect(3, "check", program, "--strategy", "ses", "--delays", "1").stdout
        self.assertRegex(said, r"No bug in the \d+ states of the strata of up to 1 delay; more delays were not tried\.")

    def test_bugs_of_c_and_cpp_are_found_by_strata_and_replayed(self):
        program = self.compiled("account")
        for explorer in ALL_EXPLORERS:
            self.expect(1, "check", program, "--strategy", "ses", "--explorer", explorer, "--out", explorer)
            [ticket] = (self.folder / explorer).glob("*.ticket.json")
            self.expect(1, "replay", ticket)
        self.expect(3, "check", program, "--strategy", "ses", "--explorer", "preemptions", "--delays", "0")

    def test_samples_of_c_and_cpp_go_on_where_ses_has_ended(self):
        program = self.compiled("account")
        search = ["check", program, "-k", "--strategy", "ses,ss", "--delays", "1", "--budget", "700x", "--json", "results.json"]
        said = self.expect(1, *search).stdout
        self.assertRegex(said, r"1 distinct bug in the \d+ states visited, which are the strata of up to 1 delay and perhaps more, and the 700 executions drawn "
                               r"that go on from there; others were not tried\.")
        self.assertRegex(said, r"If no execution is larger than these, what one of the \d+ states put off leads to, with at most \d+ further delays? of "
                               r"the explorer rtc, is found with a probability of at least 0\.\d+ \(L = \d+\)\.")
        begun = self.results()
        self.expect(1, "check", program, "-k", "--strategy", "ses", "--delays", "1", "--json", "results.json")
        self.assertEqual(begun["states"], self.results()["states"])
        said = self.expect(0, "check", self.compiled("peterson"), "--strategy", "ses,ss").stdout
        self.assertRegex(said, r"No bug in the [\d,]+ states visited; the chance that a state was left out is")

    def test_samples_of_c_and_cpp_that_go_round_for_ever_are_given_up_then(self):
        """A thread that waits by looking keeps run to completion busy for ever."""
        said = self.expect(3, "check", self.compiled("peterson"), "--strategy", "ses,ss", "--delays", "1", "--budget", "300x", "--json", "results.json").stdout
        self.assertIn("300 more executions given up early", said)
        self.assertLess(self.results()["replayed_steps"], 300 * 1000)

    def test_samples_of_c_and_cpp_are_the_same_with_the_same_seed_and_find_bugs_for_replay(self):
        # Without a delay nothing is wrong; samples from there come to it.
        program = self.compiled("account")
        found = {}
        for out, seed in [("first", "3"), ("again", "3")]:
            said = self.expect(1, "check", program, "--strategy", "ses,ss", "--explorer", "rr", "--delays", "0", "--seed", seed, "--budget", "2000x", "--out", out,
                               "--json", "results.json").stdout
            self.assertRegex(said, r"; [\d,]+ more executions? drawn")
            [ticket] = (self.folder / out).glob("*.ticket.json")
            self.expect(1, "replay", ticket)
            results = self.results()
            found[out] = (results["states"], results["in_turns"], results["events"], [bug["message"] for bug in results["bugs"]])
        self.assertEqual(found["first"], found["again"])

    def test_interrupted_samples_of_c_and_cpp_go_on(self):
        program = self.compiled("account")
        self.expect(1, "check", program, "-k", "--strategy", "ses,ss", "--delays", "1", "--budget", "0.3s", "--json", "results.json")
        begun = self.results()
        self.assertGreater(begun["in_turns"], 0)
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(1, "check", "--resume", file, "--budget", "0.3s", "--json", "results.json")
        resumed = self.results()
        self.assertEqual(resumed["states"], begun["states"])
        self.assertGreater(resumed["in_turns"], begun["in_turns"])

    def test_what_says_nothing_is_refused(self):
        check = ["check", "race.erl", "-t", "race:lost_test"]
        self.refused(*check, "--strategy", "ss", "--explorer", "magic", says=["--explorer magic: there is no explorer magic", "no module of that name; choose one of rr, rtc and prr"])
        self.refused(*check, "--explorer", "rr", says=["--explorer is for --strategy ses, ss or ses,ss; the strategy here is dpor."])
        for option in [["--reduced"], ["--fingerprints", "64"], ["--bitstate", "1"]]:
            self.refused(*check, "--strategy", "ses", *option, says=[option[0] + " is for --strategy", "the strategy here is ses."])
        self.refused(*check, "--strategy", "ses", "--symmetric", "a", says=["--symmetric is not for --strategy ses"])
        self.refused(*check, "--strategy", "ses", "--ltl", "always true", says=["--ltl is for --strategy states"])
        for explorer in [[], ["--explorer", "rr"], ["--explorer", "rtc"]]:
            self.refused(*check, "--strategy", "ses", *explorer, "--seed", "2", says=["--seed is for --explorer prr with --strategy ses", "Leave it out."])
        self.expect(1, *check, "--strategy", "ses", "--explorer", "prr", "--seed", "2")


# Round robin, as the built-in one is.
ROUND_ROBIN_CPP = """\
#include <ravel/explorer.h>
struct round_robin : ravel::delaying::Explorer {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;
  static void enabled(Words& queue, uint32_t actor, uint32_t, const char*) {
    if (!queue.contains(actor)) queue.push_back(actor);
  }
  static void blocked(Words& queue, uint32_t actor) { queue.move_to_end(actor); }
  static uint32_t next(const Words& queue, const Actors& enabled) {
    for (uint32_t actor : queue)
      if (enabled.contains(actor)) return actor;
    return enabled[0];
  }
  static void delay(Words& queue, const Actors& enabled) { queue.move_to_end(next(queue, enabled)); }
};
RAVEL_EXPLORER(round_robin)
"""

ROUND_ROBIN_ERLANG = """\
-module(round_robin).
-behaviour(ravel_explorer).
-export([init/0, enabled/3, blocked/2, next/2, delay/2]).

init() -> [].
enabled(Queue, Actor, _By) ->
    case lists:member(Actor, Queue) of true -> Queue; false -> Queue ++ [Actor] end.
blocked(Queue, Actor) -> lists:delete(Actor, Queue) ++ [Actor].
next(Queue, Actors) -> hd([Actor || Actor <- Queue, lists:member(Actor, Actors)]).
delay(Queue, Actors) -> blocked(Queue, next(Queue, Actors)).
"""

# The words are a stack, and the functions of the C part of the header make a library as well.
RUN_TO_COMPLETION_C = """\
#include <ravel/explorer.h>
#include <string.h>
static void enabled(struct ravel_words* stack, uint32_t actor, uint32_t by, const char* name) {
  (void)by, (void)name;
  stack->resize(stack, stack->count + 1);
  stack->at[stack->count - 1] = actor;
}
static void blocked(struct ravel_words* stack, uint32_t actor) {
  size_t i, kept = 0;
  for (i = 0; i < stack->count; ++i)
    if (stack->at[i] != actor) stack->at[kept++] = stack->at[i];
  stack->resize(stack, kept);
}
static uint32_t next(const struct ravel_words* stack, const uint32_t* actors, size_t count) {
  (void)actors, (void)count;
  return stack->at[stack->count - 1];
}
static void delay(struct ravel_words* stack, const uint32_t* actors, size_t count) {
  uint32_t top = stack->at[stack->count - 1];
  (void)actors, (void)count;
  memmove(stack->at + 1, stack->at, (stack->count - 1) * sizeof top);
  stack->at[0] = top;
}
const struct ravel_explorer_functions* ravel_explorer_library(void) {
  static const struct ravel_explorer_functions all = {VERSION, enabled, blocked, next, DELAY, 0};
  return &all;
}
"""

# Who has said "first" comes first, and then who can: who was never heard of is never named.
FIRST_CPP = """\
#include <ravel/explorer.h>
#include <string.h>
struct first {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;
  static void enabled(Words& words, uint32_t, uint32_t, const char*) { words.resize(1); }
  static void blocked(Words&, uint32_t) {}
  static uint32_t next(const Words& words, const Actors& enabled) {
    return words.size() > 1 && enabled.contains(words[1]) ? words[1] : enabled[words[0] % enabled.size()];
  }
  static void delay(Words& words, const Actors&) { ++words[0]; words.resize(1); }
  static void message(Words& words, uint32_t actor, const char* text) {
    words.resize(1);
    if (strcmp(text, "first") == 0) words.push_back(actor);
  }
};
RAVEL_EXPLORER(first)
"""

FIRST_ERLANG = """\
-module(first).
-behaviour(ravel_explorer).
-export([init/0, enabled/3, blocked/2, next/2, delay/2, message/3]).

init() -> {0, nobody}.
enabled({Delays, First}, _Actor, _By) -> {Delays rem 7, First}.
blocked(State, _Actor) -> State.
next({Delays, First}, Actors) ->
    case lists:member(First, Actors) of
        true -> First;
        false -> lists:nth(Delays rem length(Actors) + 1, Actors)
    end.
delay({Delays, _}, _Actors) -> {Delays + 1, nobody}.
message({Delays, _}, From, first) -> {Delays, From};
message({Delays, _}, _From, _) -> {Delays, nobody}.
"""

# So many states that the search takes a second or two.
TELLS = """\
-module(tells).
-export([many/0]).

many() ->
    Self = self(),
    [spawn(fun() -> Self ! N, ravel:explorer(case N rem 2 of 0 -> first; 1 -> last end), Self ! {N, done}, Self ! N end) || N <- lists:seq(1, 3)],
    [receive _ -> ok end || _ <- lists:seq(1, 9)].
"""

TOLD = """\
-module(told).
-export([two/0, quiet/0, reads/0]).

two() -> go(fun ravel:explorer/1).
quiet() -> go(fun(_) -> ok end).

go(Tell) ->
    Self = self(),
    [spawn(fun() -> Tell({N, Self}), Self ! N, Tell(done), Self ! done end) || N <- [1, 2, 3]],
    [receive N -> ok end || N <- [1, 2, 3]].

%% The last one says that it is to come first.
reads() ->
    Self = self(),
    [spawn(fun() -> [ravel:explorer(first) || N =:= 3], self() ! go, receive go -> ok end, Self ! N end) || N <- [1, 2, 3]],
    receive N -> 3 = N end.
"""


# Begins at the end as soon as Main has told of the second worker.
TOLD_CPP = """\
#include <ravel/explorer.h>
#include <string.h>
struct told : ravel::delaying::Explorer {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;
  enum { kFromTheEnd, kMain, kDelays, kCount };
  static void enabled(Words& words, uint32_t actor, uint32_t, const char* name) {
    words.resize(kCount);
    if (strcmp(name, "P") == 0) words[kMain] = actor + 1;
  }
  static void blocked(Words&, uint32_t) {}
  static uint32_t next(const Words& words, const Actors& enabled) {
    return enabled[(words[kFromTheEnd] * (enabled.size() - 1) + words[kDelays]) % enabled.size()];
  }
  static void delay(Words& words, const Actors&) { ++words[kDelays]; }
  static void message(Words& words, uint32_t actor, const char* text) {
    if (words[kMain] == actor + 1 && strcmp(text, "eExplorerFirst Worker(P.2)") == 0) words[kFromTheEnd] = 1;
  }
};
RAVEL_EXPLORER(told)
"""

TOLD_P = """\
event eExplorerFirst: machine;
event eFirst: machine;
event eRun;
machine Worker { start state S { on eRun do { assert false, format("{0}", this); } } }
machine Main { start state S { entry { var a: machine; var b: machine;
  a = new Worker(); b = new Worker(); send a, eRun; send b, eRun; announce TOLD, b; } } }
"""


# Three threads write; the last one says what it is told to say before that.
SAYS_CPP = """\
#include <ravel.h>
#include <atomic>
#include <thread>
std::atomic<int> order{0}, place{0};
int main() {
  auto work = [](int self) {
    if (self == 3) ravel_explorer("SAYS");
    order.load();
    if (order++ == 0) place = self;
  };
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join(), two.join(), three.join();
  ravel_assert(place != 3, "the one who was to be first is first");
}
"""

# So many states that the search takes some seconds.
WRITES_CPP = """\
#include <atomic>
#include <thread>
std::atomic<int> shared{0};
int main() {
  auto work = [](int self) { for (int i = 0; i < 9; ++i) shared.store(self * 1000 + i); };
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join(), two.join(), three.join();
}
"""

# In some schedules the process ends as no handler sees it.
DIES_CPP = """\
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <thread>
std::atomic<int> order{0};
int main() {
  std::thread other([] { order = 1; });
  if (order == 1) syscall(SYS_kill, getpid(), SIGKILL);
  other.join();
}
"""


class OwnExplorersTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "lamp.erl").write_text((SOURCES / "examples" / "states" / "lamp.erl").read_text())

    def library(self, name, text, *options, compiler="g++"):
        source = self.write(name + (".c" if compiler == "gcc" else ".cc"), text)
        library = self.folder / (name + ".so")
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-I", SOURCES / "include", *options, source, "-o", library], check=True)
        return "./" + library.name

    def search(self, status, *arguments):
        self.expect(status, "check", *arguments, "--json", "results.json", "--out", "out")
        return self.results()

    def states_by_stratum(self, explorer):
        found = []
        for delays in range(4):
            status = self.ravel("check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--explorer", explorer, "--delays", delays,
                                "--json", "results.json", "--out", "out").returncode
            results = self.results()
            found.append((status, results["states"], results["transitions"], results["coverage"]))
        self.assertEqual(found[0][0], 3)
        return found

    def samples(self, explorer):
        self.write("told.erl", TOLD)
        results = self.search(0, "told.erl", "-t", "told:two", "--strategy", "ss", "--explorer", explorer, "--budget", "400x", "--seed", "5")
        return results["events"], results["executions"], results.get("warnings")

    def test_the_same_explorer_in_another_language_searches_alike(self):
        self.write("round_robin.erl", ROUND_ROBIN_ERLANG)
        own = [self.library("rr", ROUND_ROBIN_CPP, "-std=c++11"), "round_robin.erl"]
        for explorer in own:
            self.assertEqual(self.states_by_stratum(explorer), self.states_by_stratum("rr"), explorer)
            self.assertEqual(self.samples(explorer), self.samples("rr"), explorer)
        rtc = self.library("rtc", RUN_TO_COMPLETION_C, "-DVERSION=RAVEL_EXPLORER_VERSION", "-DDELAY=delay", compiler="gcc")
        self.assertEqual(self.states_by_stratum(rtc), self.states_by_stratum("rtc"))
        self.assertEqual(self.samples(rtc), self.samples("rtc"))

    def test_ses_with_an_explorer_of_ones_own_visits_all_states(self):
        self.write("round_robin.erl", ROUND_ROBIN_ERLANG)
        for test in ["lamp:gen_server_test", "lamp:by_hand_test"]:
            states = {}
            for strategy in [["states"], ["ses", "--explorer", "round_robin.erl"], ["ses", "--explorer", self.library("first", FIRST_CPP)]]:
                results = self.search(0, "lamp.erl", "-t", test, "--strategy", *strategy)
                states[strategy[-1]] = (results["states"], results["transitions"])
            self.assertEqual(len(set(states.values())), 1, states)

    # What is found in three parts, each begun where the one before was interrupted, and in one go.
    def in_parts_and_whole(self, out, *search):
        self.expect(3, "check", *search, "--budget", "0.05s", "--out", out)
        [file] = (self.folder / out).glob("*.search")
        self.expect(3, "check", "--resume", file, "--budget", "0.05s")
        self.expect(0, "check", "--resume", file, "--json", "results.json")
        return self.results(), self.search(0, *search)

    def test_an_interrupted_ses_goes_on_with_an_explorer_of_ones_own(self):
        self.write("tells.erl", TELLS)
        self.write("first.erl", FIRST_ERLANG)
        for explorer in [self.library("first", FIRST_CPP), "first.erl"]:
            resumed, whole = self.in_parts_and_whole("parts" + pathlib.Path(explorer).suffix, "tells.erl", "-t", "tells:many", "--strategy", "ses", "--explorer", explorer)
            for what in ["states", "transitions", "depth", "executions", "coverage"]:
                self.assertEqual(resumed[what], whole[what], (explorer, what))
            self.assertEqual(sorted(resumed["warnings"]), sorted(whole["warnings"]), explorer)

    def test_a_search_does_not_go_on_with_an_explorer_that_has_changed(self):
        (self.folder / "ebin").mkdir()

        def write(delays):
            self.library("first", FIRST_CPP.replace("++words[0]", f"words[0] += {delays}"))
            self.write("first.erl", FIRST_ERLANG.replace("+ 1, nobody", f"+ {delays}, nobody"))
            self.write("second.erl", FIRST_ERLANG.replace("module(first)", "module(second)").replace("+ 1, nobody", f"+ {delays}, nobody"))
            subprocess.run(["erlc", "-o", "ebin", "second.erl"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

        self.write("tells.erl", TELLS)
        for strategy in ["ses", "ss"]:
            write(1)
            files = {}
            for explorer in ["./first.so", "first.erl", "second"]:
                out = strategy + pathlib.Path(explorer).name
                self.expect(3, "check", "tells.erl", "-t", "tells:many", "--strategy", strategy, "--explorer", explorer, "--pa", "ebin", "--budget", "0.15s",
                            "--out", out)
                [files[explorer]] = (self.folder / out).glob("*.search")
            write(2)
            for explorer, file in files.items():
                refused = self.ravel("check", "--resume", file)
                self.assertIn(refused.returncode, [2, 4], (strategy, explorer))
                self.assertIn("Begin anew", refused.stderr, (strategy, explorer))

    def test_samples_go_on_where_ses_has_ended_with_an_explorer_of_ones_own(self):
        self.write("told.erl", TOLD)
        self.write("first.erl", FIRST_ERLANG)
        for explorer in [self.library("first", FIRST_CPP), "first.erl"]:
            found = self.search(3, "told.erl", "-t", "told:two", "--strategy", "ses,ss", "--explorer", explorer, "--delays", "1", "--budget", "500x", "--seed", "4")
            self.assertEqual(found["in_turns"], 500)
            self.search(0, "told.erl", "-t", "told:two", "--strategy", "ses,ss", "--explorer", explorer)
            self.search(1, "told.erl", "-t", "told:reads", "--strategy", "ses,ss", "--explorer", explorer, "--delays", "0", "--budget", "500x")

    def test_a_library_hears_the_events_of_a_program_in_p_that_are_for_explorers(self):
        library = self.library("told", TOLD_CPP)
        for event, bug in [("eExplorerFirst", "Worker(P.2)"), ("eFirst", "Worker(P.1)")]:
            self.write("told.p", TOLD_P.replace("TOLD", event))
            for strategy in ["ses", "ss"]:
                found = self.search(1, "told.p", "--strategy", strategy, "--delays", "0", "--explorer", library)
                self.assertEqual([one["message"] for one in found["bugs"]], [bug], strategy)

    def compiled(self, name):
        subprocess.run([BUILD / "ravel-c++", "-O1", SOURCES / "examples" / "threads" / f"{name}.cc", "-o", self.folder / name], check=True)
        return f"./{name}"

    def test_a_library_visits_the_same_states_of_c_and_cpp_in_the_same_order(self):
        library = self.library("rr", ROUND_ROBIN_CPP, "-std=c++11")
        program = self.compiled("peterson")
        for options in [["--delays", "0"], ["--delays", "1"], ["--delays", "2"], []]:
            found = [self.search(3 if options else 0, program, "--strategy", "ses", "--explorer", explorer, *options) for explorer in ["rr", library]]
            for what in ["states", "transitions", "depth", "executions", "coverage", "replayed_steps"]:
                self.assertEqual(found[0].get(what), found[1].get(what), (options, what))
        drawn = [self.search(3, program, "--strategy", "ses,ss", "--explorer", explorer, "--delays", "1", "--budget", "100x", "--seed", "2")
                 for explorer in ["rr", library]]
        for what in ["states", "in_turns", "events", "coverage"]:
            self.assertEqual(drawn[0][what], drawn[1][what], what)

    def test_bugs_of_c_and_cpp_are_found_by_strata_of_a_library_and_replayed(self):
        library = self.library("rr", ROUND_ROBIN_CPP, "-std=c++11")
        bugs = []
        for explorer in ["rr", library]:
            found = self.search(1, self.compiled("account"), "--strategy", "ses", "--explorer", explorer)
            bugs.append([(bug["message"], bug["events"]) for bug in found["bugs"]])
            self.expect(1, "replay", found["bugs"][0]["ticket"])
        self.assertEqual(bugs[0], bugs[1])

    def test_a_library_hears_the_program_in_c_and_cpp(self):
        library = self.library("first", FIRST_CPP)
        for says, status in [("first", 1), ("last", 3)]:
            self.write("says.cc", SAYS_CPP.replace("SAYS", says))
            subprocess.run([BUILD / "ravel-c++", "-O1", "says.cc", "-o", "says"], cwd=self.folder, check=True)
            self.search(status, "./says", "--strategy", "ses", "--delays", "0", "--explorer", library)
            whole = [self.search(1, "./says", "-k", "--strategy", "ses", "--explorer", explorer)["states"] for explorer in ["rtc", library]]
            self.assertEqual(whole[0], whole[1])

    def test_an_interrupted_ses_of_c_and_cpp_goes_on_with_a_library(self):
        self.write("writes.cc", WRITES_CPP)
        subprocess.run([BUILD / "ravel-c++", "-O1", "writes.cc", "-o", "writes"], cwd=self.folder, check=True)
        resumed, whole = self.in_parts_and_whole("parts", "./writes", "--strategy", "ses", "--explorer", self.library("first", FIRST_CPP))
        for what in ["states", "transitions", "depth", "executions", "coverage"]:
            self.assertEqual(resumed[what], whole[what], what)

    def test_a_process_that_dies_ends_a_search_with_a_library(self):
        self.write("dies.cc", DIES_CPP)
        subprocess.run([BUILD / "ravel-c++", "-O1", "dies.cc", "-o", "dies"], cwd=self.folder, check=True)
        for explorer in ["rr", self.library("rr", ROUND_ROBIN_CPP, "-std=c++11")]:
            self.refused("check", "./dies", "--strategy", "ses", "--explorer", explorer,
                         says=["the program's own process came to an end in the search (", "choose another strategy"])

    def test_a_library_that_is_none_is_refused(self):
        check = ["check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ss", "--explorer"]
        self.write("text.so", "no library")
        self.refused(*check, "./nowhere.so", says="--explorer ./nowhere.so: there is no such file.")
        self.refused(*check, "text.so", says="--explorer text.so: this is no library that can be loaded (")
        self.refused(*check, self.library("empty", "int nothing;\n"), says="it has no function ravel_explorer_library()")
        old = self.library("old", RUN_TO_COMPLETION_C, "-DVERSION=77u", "-DDELAY=delay", compiler="gcc")
        self.refused(*check, old, says="this explorer is of version 77, and this ravel takes version 1. Build it again")
        partial = self.library("partial", RUN_TO_COMPLETION_C, "-DVERSION=RAVEL_EXPLORER_VERSION", "-DDELAY=0", "-Wno-unused-function", compiler="gcc")
        self.refused(*check, partial, says="this explorer lacks one of the functions enabled, blocked, next and delay")

    def test_a_module_that_is_none_is_refused(self):
        check = ["check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--explorer"]
        self.refused(*check, "lists", says="the module lists is no explorer: it does not export init/0, enabled/3, blocked/2, next/2, delay/2")
        self.write("round_robin.erl", ROUND_ROBIN_ERLANG.replace("init() -> [].", "init() -> error(not_now)."))
        self.refused(*check, "round_robin.erl", says="--explorer round_robin.erl: the explorer cannot begin: it raises the error not_now")
        self.refused(*check, "nowhere.erl", says="nowhere.erl")

    def test_a_callback_that_fails_ends_the_search_with_its_place(self):
        wrong = [
            ("init() -> [].", "init() -> 7.", "in its callback enabled/3 it raises the error"),
            ("hd([Actor ||", "lists:last([Actor || Actor <- [], Queue =:= Actors] ++ [throw(no) ||", "in its callback next/2 it throws no"),
            ("delay(Queue, Actors) -> ", "delay(Queue, Actors) -> self() ! Queue, ", "in its callback delay/2 it sends a message, but may only compute"),
        ]
        for before, after, says in wrong:
            self.assertIn(before, ROUND_ROBIN_ERLANG)
            self.write("round_robin.erl", ROUND_ROBIN_ERLANG.replace(before, after))
            for strategy in ["ses", "ss"]:
                run = self.expect(4, "check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", strategy, "--explorer", "round_robin.erl")
                self.assertIn("the explorer round_robin.erl fails: " + says, run.stdout + run.stderr)
                self.assertRegex(run.stdout + run.stderr, r"round_robin\.erl:\d+")

    def test_an_explorer_that_is_not_sound_is_told_once(self):
        self.write("round_robin.erl", ROUND_ROBIN_ERLANG.replace("delay(Queue, Actors) -> blocked(Queue, next(Queue, Actors))", "delay(Queue, _) -> Queue"))
        self.write("told.erl", TOLD)
        for status, strategy in [(3, ["ses", "--delays", "2"]), (0, ["ss", "--budget", "50x"])]:
            said = self.expect(status, "check", "told.erl", "-t", "told:two", "--strategy", *strategy, "--explorer", "round_robin.erl", "--json", "results.json").stdout
            warnings = self.results()["warnings"]
            self.assertTrue(warnings)
            for warning in warnings:
                self.assertTrue(warning.startswith("the explorer round_robin.erl never names: P"), warning)
                self.assertEqual(said.count(f"Warning: {warning}.\n"), 1, said)
        self.write("round_robin.erl", ROUND_ROBIN_ERLANG.replace("next(Queue, Actors) -> hd(", "next(_, _) -> nobody;\nnext(Queue, Actors) -> hd("))
        said = self.expect(0, "check", "told.erl", "-t", "told:two", "--strategy", "ss", "--budget", "5x", "--explorer", "round_robin.erl").stdout
        self.assertEqual(said.count("the explorer round_robin.erl names an actor that can't move"), 1, said)

    def test_what_a_program_tells_its_explorer_does_not_change_the_program(self):
        self.write("told.erl", TOLD)
        for strategy in [["states"], ["dpor"], ["ses"], ["dfs"], ["ses", "--explorer", self.library("first", FIRST_CPP)]]:
            found = []
            for test in ["told:two", "told:quiet"]:
                results = self.search(0, "told.erl", "-t", test, "--jobs", "1", "--strategy", *strategy)
                found.append((results.get("states"), results["executions"], results["events"]))
            self.assertEqual(found[0], found[1], strategy)

    def test_an_explorer_hears_what_the_program_tells(self):
        self.write("told.erl", TOLD)
        self.write("first.erl", """\
-module(first).
-behaviour(ravel_explorer).
-export([init/0, enabled/3, blocked/2, next/2, delay/2, message/3]).
init() -> {0, none}.
enabled({N, First}, _, _) -> {N, First}.
blocked(State, _) -> State.
next({N, First}, Actors) -> case lists:member(First, Actors) of true -> First; false -> lists:nth(N rem length(Actors) + 1, Actors) end.
delay({N, _}, _) -> {N + 1, none}.
message({N, _}, Actor, first) -> {N, Actor}.
""")
        for explorer in [self.library("first", FIRST_CPP), "first.erl"]:
            for strategy, status in [("ses", 3), ("ss", 0)]:
                self.search(status, "told.erl", "-t", "told:reads", "--strategy", strategy, "--delays", "0", "--explorer", explorer)
        # Round robin lets the first one come first.
        self.search(1, "told.erl", "-t", "told:reads", "--strategy", "ses", "--delays", "0", "--explorer", "rr")

    def test_messages_come_with_who_has_told_them_also_before_the_first_step(self):
        self.write("early.erl", """\
-module(early).
-export([told/0]).
told() ->
    ravel:explorer(hello),
    Self = self(),
    spawn(fun() -> register(kid, self()), ravel:explorer({self(), "text", 1.5}), Self ! done end),
    receive done -> ravel:explorer(bye) end.
""")
        for wanted, heard in [("hello", r'<P>,"P",hello'), ("{_, _, _}", r'<P\.1>,kid,{<P\.1>,"text",1\.5}'), ("bye", r'<P>,"P",bye')]:
            self.write("hears.erl", ROUND_ROBIN_ERLANG.replace("round_robin", "hears").replace("delay/2]", "delay/2, message/3]") +
                       f"message(_, From, {wanted} = Message) -> throw({{From, ravel_explorer:name(From), Message}});\nmessage(Queue, _, _) -> Queue.\n")
            for strategy in ["ses", "ss"]:
                said = self.expect(4, "check", "early.erl", "-t", "early:told", "--strategy", strategy, "--explorer", "hears.erl").stderr
                self.assertRegex(said, r"hears\.erl:\d+: the explorer hears\.erl fails: in its callback message/3 it throws {" + heard + "}")

    def test_programs_of_c_and_cpp_have_explorers_and_tell_them(self):
        self.write("reads.c", """\
#include <pthread.h>
#include <ravel.h>
static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* writes(void* number) {
  if (number == (void*)2) ravel_explorer("first");
  pthread_mutex_lock(&mutex);
  if (value == 0) value = (int)(long)number;
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, writes, (void*)1);
  pthread_create(&two, NULL, writes, (void*)2);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  ravel_assert(value == EXPECTED, "the first one was first");
}
""")
        first = self.library("first", FIRST_CPP)
        for expected, status in [(2, 0), (1, 1)]:
            subprocess.run([BUILD / "ravel-cc", f"-DEXPECTED={expected}", self.folder / "reads.c", "-o", self.folder / "reads"], check=True)
            self.search(status, "./reads", "--strategy", "ss", "--delays", "0", "--explorer", first)
        rr = self.library("rr", ROUND_ROBIN_CPP)
        subprocess.run([BUILD / "ravel-c++", SOURCES / "examples" / "threads" / "account.cc", "-o", self.folder / "account"], check=True)
        found = [self.search(1, "./account", "--strategy", "ss", "--explorer", explorer, "--seed", "3")["executions"] for explorer in [rr, "rr"]]
        self.assertEqual(found[0], found[1])
        self.refused("check", "./account", "--strategy", "ss", "--explorer", "first.erl", says=["explorers in Erlang or P are for programs in these languages", "rr, rtc, prr"])

    def test_the_example_finds_its_bug_sooner_with_its_own_explorer(self):
        examples = SOURCES / "examples" / "explorers"
        states = {}
        for explorer in ["rr", "rtc", examples / "late_explorer.erl", self.library("late", (examples / "late.cc").read_text())]:
            states[str(explorer)] = self.search(1, examples / "two_failures.erl", "-t", "two_failures:two_fail", "--strategy", "ses", "--explorer", explorer)["states"]
        builtin = min(states.pop("rr"), states.pop("rtc"))
        in_erlang, in_cpp = states.values()
        self.assertEqual(in_erlang, in_cpp)
        self.assertLess(in_erlang, builtin)


if __name__ == "__main__":
    unittest.main()
