"""ravel check: how a bug is told: calls as one line, in lanes, whole, and long executions without what is of no account."""

import re
import unittest

from support import CommandTest

# Two clients read the balance and write it back, each by two calls: one addition may be lost.
BANK = """\
-module(bank).
-behaviour(gen_server).
-export([lost_test/0, init/1, handle_call/3, handle_cast/2]).

lost_test() ->
    {ok, _} = gen_server:start_link({local, bank}, ?MODULE, [], []),
    Self = self(),
    [spawn(fun() -> deposit(10), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    20 = gen_server:call(bank, balance).

deposit(Amount) ->
    Balance = gen_server:call(bank, balance),
    ok = gen_server:call(bank, {set, Balance + Amount}).

init([]) -> {ok, 0}.
handle_call(balance, _From, Balance) -> {reply, Balance, Balance};
handle_call({set, New}, _From, _Balance) -> {reply, ok, New}.
handle_cast(_, State) -> {noreply, State}.
"""

# A state machine and an event manager are asked, and something is wrong after that.
OTHERS = """\
-module(others).
-export([ask_test/0, init/1, callback_mode/0, handle_event/4, handle_call/2, handle_event/2]).

ask_test() ->
    {ok, Machine} = gen_statem:start_link(?MODULE, machine, []),
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, ?MODULE, handler),
    open = gen_statem:call(Machine, {which, state}),
    {yes, "it, is"} = gen_event:call(Manager, ?MODULE, {are, you, there}),
    error(oops).

init(machine) -> {ok, open, none};
init(handler) -> {ok, none}.
callback_mode() -> handle_event_function.
handle_event({call, From}, {which, state}, State, _) -> {keep_state_and_data, [{reply, From, State}]}.
handle_call({are, you, there}, State) -> {ok, {yes, "it, is"}, State}.
handle_event(_, State) -> {ok, State}.
"""

# A question of the program's own, which looks like one of OTP's but for its first element.
OWN = """\
-module(own).
-export([ask_test/0]).

ask_test() ->
    Server = spawn(fun serve/0),
    Ref = make_ref(),
    Server ! {withdraw, {self(), Ref}, 10},
    receive {Ref, ok} -> error(oops) end.

serve() -> receive {withdraw, {From, Ref}, _} -> From ! {Ref, ok} end.
"""

# One process sends itself many messages while two others race.
LONG = """\
-module(long).
-export([race_test/0]).

race_test() ->
    Self = self(),
    Idle = spawn(fun() -> [begin self() ! N, receive N -> ok end end || N <- lists:seq(1, 60)], receive stop -> ok end end),
    spawn(fun() -> Self ! one end),
    spawn(fun() -> Self ! two end),
    receive First -> one = First end,
    receive _ -> ok end,
    Idle ! stop.
"""

# Two processes exchange many messages, and something is wrong after that.
CHATTER = """\
-module(chatter).
-export([talk_test/0]).

talk_test() ->
    Self = self(),
    Other = spawn(fun() -> echo(Self, 300) end),
    [begin Other ! N, receive {echo, N} -> ok end end || N <- lists:seq(1, 300)],
    error(oops).

echo(_, 0) -> ok;
echo(To, N) -> receive Number -> To ! {echo, Number} end, echo(To, N - 1).
"""


def story_of(text):
    """The lines of the events."""
    return text.split("Replay it with:")[0].split("\n\n")[1].splitlines()


class CheckStory(CommandTest):
    def test_a_call_of_a_server_is_one_line(self):
        self.write("bank.erl", BANK)
        text = self.expect(1, "check", "bank.erl").stdout
        lines = story_of(text)
        self.assertLessEqual(len(lines), 40, text)
        self.assertRegex(text, r"\n +\d+ +P +asks P\.1 \(bank\): balance; answer: 10 +bank\.erl:10")
        # Of calls that overlap with others, the questions and the answers: two each of two clients.
        self.assertEqual(len(re.findall(r"P\.[23] +asks P\.1 \(bank\): (?:balance|\{set,10\}) ", text)), 4, text)
        self.assertEqual(len(re.findall(r"P\.[23] +gets the answer (?:0|ok) from P\.1 \(bank\) ", text)), 4, text)
        # A call as OTP makes it does not show. (How OTP starts a server does, and depends on its version.)
        clients = [line for line in lines[1:] if re.match(r" +\d+ +P\.[23] ", line)]
        self.assertGreaterEqual(len(clients), 12, text)
        self.assertNotRegex("\n".join(clients), "whereis|monitor")
        difference = text.split("What makes the difference:")[1].split("\n\n")[0]
        self.assertRegex(difference, r"P\.1 \(bank\) receives the call (?:balance|\{set,10\}) from P\.[23]")
        self.assertNotIn("$gen_call", difference)
        whole = self.expect(1, "check", "bank.erl", "--whole").stdout
        self.assertNotRegex(whole, "asks|answer")
        self.assertRegex(whole, r"sends \{'\$gen_call',\{<P\.2>,.*balance\} to P\.1")
        self.assertGreater(len(story_of(whole)), len(lines))

    def test_of_a_very_long_execution_the_start_and_the_end_are_told(self):
        self.write("chatter.erl", CHATTER)
        text = self.expect(1, "check", "chatter.erl").stdout
        lines = story_of(text)
        self.assertLessEqual(len(lines), 210, text)
        self.assertRegex(text, r"\.\.\. \d+ events not shown \.\.\.")
        self.assertRegex(text, r"asks P\.1: 1; answer: \{echo,1\}")
        self.assertRegex(text, r"receives \{echo,300\} from P\.1")
        whole = story_of(self.expect(1, "check", "chatter.erl", "--whole").stdout)
        self.assertGreater(len(whole), 1200)
        shown = self.expect(0, "show", *self.tickets(), "--whole").stdout
        self.assertGreater(len(shown.splitlines()), 1200)
        self.assertEqual(whole[-1].split(), lines[-1].split())

    def test_lanes(self):
        self.write("bank.erl", BANK)
        text = self.expect(1, "check", "bank.erl", "--story", "lanes").stdout
        self.assertIn("* the race that makes the difference", text)
        self.assertRegex(text, r"asks P\.1: +.*\n?.*answers: ")
        (ticket,) = self.tickets()
        replayed = self.expect(1, "replay", ticket, "--story", "lanes").stdout
        self.assertEqual(story_of(text), story_of(replayed.split("The bug still happens")[1]))

    def test_state_machines_and_event_managers_are_asked_as_well(self):
        self.write("others.erl", OTHERS)
        text = self.expect(1, "check", "others.erl").stdout
        self.assertRegex(text, r"asks P\.1: \{which,state\}; answer: open")
        self.assertRegex(text, r"asks P\.2: \{call,others,\{are,you,there\}\}; answer: \{yes,\"it, is\"\}")

    def test_a_question_of_the_programs_own_is_told_whole(self):
        self.write("own.erl", OWN)
        text = self.expect(1, "check", "own.erl").stdout
        self.assertIn("sends {withdraw,{<P>,#Ref<P:1>},10} to P.1 ", text)
        self.assertIn("receives {#Ref<P:1>,ok} from P.1 ", text)

    def test_what_has_nothing_to_do_with_the_bug_is_folded_in_a_long_execution(self):
        self.write("long.erl", LONG)
        text = self.expect(1, "check", "long.erl").stdout
        lines = story_of(text)
        self.assertLessEqual(len(lines), 20, text)
        self.assertRegex(text, r"\.\.\. \d+ events of P\.2 and P\.1 that have nothing to do with the bug \.\.\.")
        (ticket,) = self.tickets()
        replayed = self.expect(1, "replay", ticket).stdout
        self.assertEqual(lines, story_of(replayed.split("The bug still happens")[1]))
        whole = story_of(self.expect(1, "check", "long.erl", "--whole").stdout)
        self.assertGreater(len(whole), 100)
        # Nothing is told differently, only less of it.
        for line in lines:
            self.assertTrue("..." in line or line in whole, line)

    def test_side_by_side_tests_are_told_in_the_same_way(self):
        self.write("bank.erl", BANK)
        self.write("long.erl", LONG)
        options = ["check", "bank.erl", "long.erl", "--story", "lanes"]
        alone = self.expect(1, *options).stdout
        together = self.expect(1, *options, "--jobs", "2").stdout
        pick = lambda text: [line for line in text.splitlines() if "│" in line or "asks" in line]
        self.assertEqual(pick(alone), pick(together))
        self.assertGreater(len(pick(alone)), 10)


if __name__ == "__main__":
    unittest.main()
