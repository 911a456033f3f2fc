"""A search divided into files (split, part, merge): the results of one process, whatever becomes of the files."""

import random
import shutil
import signal
import subprocess
import time
import unittest

import divided_support
import support

# Three processes that read and write: 47,178 traces, and three bugs in some of them. A process that finds out about
# the program what the search has to know from its beginning. Three that take and give back: 207,900 traces.
POOL = """\
-module(pool).
-export([takes/0, once/0, fails/0, starts/0, late/0, finds/0]).
-include("size.hrl").
takes() -> all(fun() -> take(2) end).
once() -> all(fun() -> take(4) end, 2).
all(F) -> all(F, 3).
all(F, Count) ->
    ets:new(pool, [public, named_table]), ets:insert(pool, {free, ?SIZE}),
    Me = self(),
    [spawn_link(fun() -> F(), Me ! d end) || _ <- lists:seq(1, Count)],
    [receive d -> ok end || _ <- lists:seq(1, Count)], ok.
take(0) -> ok;
take(K) -> ets:update_counter(pool, free, -1), ets:update_counter(pool, free, 1), take(K - 1).
fails() -> all(fun() -> [{free, N}] = ets:lookup(pool, free), ets:insert(pool, {free, N - 1}), left(N) end).
left(N) -> case ets:lookup(pool, free) of [{free, 0}] -> exit({none_left, N}); _ -> ok end, ets:update_counter(pool, free, 1).
late() -> rarely(fun() -> exit(late) end).
finds() -> rarely(fun() -> timer:start() end).
rarely(F) -> Me = self(), ets:new(pool, [public, named_table]), ets:insert(pool, {free, ?SIZE}),
    spawn_link(fun() -> ets:insert(pool, {begun, 1}), take(3), Me ! d end),
    spawn_link(fun() -> take(3), case ets:lookup(pool, begun) of [] -> F(); _ -> ok end, Me ! d end),
    [receive d -> ok end || _ <- [1, 2]], ok.
starts() -> Me = self(), spawn(fun() -> timer:start(), Me ! on end), spawn(fun() -> Me ! off end),
    [receive X -> X end || X <- [on, off]], all(fun() -> take(4) end, 2).
"""

# Three clients send three messages each: 1,680 traces.
ADDER = """\
event eAdd: int;

machine Adder {
  var sum: int;
  start state Adding {
    on eAdd do (n: int) { sum = sum * 2 + n; }
  }
}

machine Client {
  start state Init {
    entry (adder: machine) {
      send adder, eAdd, 1;
      send adder, eAdd, 2;
      send adder, eAdd, 3;
    }
  }
}

machine Main {
  start state Init {
    entry {
      var adder: machine;
      adder = new Adder();
      new Client(adder);
      new Client(adder);
      new Client(adder);
    }
  }
}

test tcAdd [main=Main]: { Main, Adder, Client };
"""


class DividedTest(divided_support.Divided):
    def setUp(self):
        super().setUp()
        self.write("pool.erl", POOL)
        self.write("size.hrl", "-define(SIZE, 3).\n")

    def split(self, *arguments, parts=4):
        return self.call("split", "pool.erl", *arguments, "--into", "s", "--parts", parts)

    def by_one_process(self, *arguments):
        said = self.call("check", "pool.erl", *arguments, "--json", "results.json", "--out", "alone")
        return said, self.told()

    def test_the_results_are_those_of_one_process(self):
        for arguments, budget in [(["-t", "pool:fails", "-k"], "8000x"), (["-t", "pool:starts"], "6000x")]:
            shutil.rmtree(self.folder / "s", ignore_errors=True)
            alone, expected = self.by_one_process(*arguments)
            self.assertEqual(self.split(*arguments).returncode, 3)
            self.assertEqual(len(self.parts()), 4)
            shutil.rmtree(self.folder / "tickets", ignore_errors=True)
            said = self.finish(budget, "--out", "tickets", "--junit", "results.xml")
            self.assertEqual(said.returncode, alone.returncode)
            self.assertEqual(self.told(), expected)
            self.assertEqual(len(list(self.folder.glob("tickets/*.ticket.json"))), len(expected["bugs"]))
            self.assertIn("<testsuite", (self.folder / "results.xml").read_text())
            # What is over is told again.
            again = self.call("merge", "s", "--json", "results.json")
            self.assertEqual((again.returncode, self.told()), (alone.returncode, expected))
            self.assertEqual(self.parts(), [])

    def test_a_program_in_p_is_divided_as_well(self):
        self.write("adder.p", ADDER)
        self.call("check", "adder.p", "-t", "tcAdd", "--strategy", "dpor", "--json", "results.json")
        expected = self.told()
        self.assertEqual(self.call("split", "adder.p", "-t", "tcAdd", "--strategy", "dpor", "--into", "s").returncode, 3)
        self.assertEqual(self.finish("100x").returncode, 0)
        self.assertEqual((self.told(), expected["executions"]), (expected, 1680))

    def test_results_come_in_any_order_and_count_once(self):
        _, expected = self.by_one_process("-t", "pool:once", "-k")
        self.split("-t", "pool:once", "-k", parts=6)
        drawn = random.Random(1)
        kept = []
        for _ in range(60):
            parts = self.parts()
            for part in drawn.sample(parts, max(1, len(parts) // 2)):
                result = self.folder / f"{part.stem}.kept"
                self.call("part", part, "--budget", "3000x", "--out", result)
                kept.append(result)
            # Each comes twice, and all that came before come again.
            given = kept + kept[-3:]
            drawn.shuffle(given)
            said = self.call("merge", "s", *given, "--json", "results.json")
            if said.returncode != 3:
                break
            self.assertIn("left out: the result of part", said.stdout)
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertEqual(self.told(), expected)

    def test_a_program_can_be_served(self):
        _, expected = self.by_one_process("-t", "pool:starts")
        self.split("-t", "pool:starts", parts=2)
        served = subprocess.Popen([support.RAVEL, "merge", "s", "--serve", "--json", "results.json"], cwd=self.folder,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(served.stdout.close)
        self.addCleanup(served.kill)

        def ask(line, *ends):
            served.stdin.write(line + "\n")
            served.stdin.flush()
            lines = [served.stdout.readline().rstrip("\n")]
            while lines[-1].split(" ")[0] not in ends:
                self.assertNotEqual(lines[-1], "")
                lines.append(served.stdout.readline().rstrip("\n"))
            return lines

        self.assertEqual(ask("files", "done"), ["file pool.erl", "file size.hrl", "done"])
        self.assertEqual(ask("wanted 3", "done"), ["done"])
        self.assertTrue(ask("what", "refused")[0].startswith("refused"))
        self.write("damaged.result", "ravel")
        self.assertIn("this is not a result", ask("result damaged.result", "refused")[0])
        lines = ask("go", "done", "over")
        while lines[-1] != "over":
            for part in [line.split(" ", 2)[2] for line in lines[:-1]]:
                self.call("part", part, "--budget", "6000x", "-q")
                result = part.replace(".part", ".result")
                self.assertEqual(ask(f"result {result}", "taken", "dropped")[0].split()[0], "taken")
                self.assertRegex(ask(f"result {result}", "taken", "dropped")[0], "was taken before|the search is over")
            ask("save", "done")
            lines = ask("go", "done", "over")
        said = served.communicate(timeout=60)[0]
        self.assertEqual((served.returncode, self.told()), (0, expected))
        self.assertIn("No bug in any of the", said)

    def test_what_a_part_finds_out_about_the_program_begins_the_search_anew(self):
        _, expected = self.by_one_process("-t", "pool:finds")
        self.assertEqual(self.split("-t", "pool:finds").returncode, 3)
        self.assertEqual(self.finish("3000x").returncode, 0)
        self.assertEqual(self.told(), expected)

    def test_without_keep_going_the_first_bug_ends_the_search(self):
        said = self.split("-t", "pool:late")
        self.assertEqual(said.returncode, 3, said.stdout)
        said = self.finish("20000x")
        self.assertEqual(said.returncode, 1)
        self.assertIn("stopped at the first bug", said.stdout)
        ticket = next((self.folder / "ravel-tickets").glob("*.ticket.json"))
        self.assertEqual(self.call("replay", ticket).returncode, 1)

    def test_a_search_that_ends_at_once_needs_no_parts(self):
        self.write("size.hrl", "-define(SIZE, 3).\n")
        self.write("small.erl", "-module(small).\n-export([t/0]).\nt() -> ok.\n")
        said = self.call("split", "small.erl", "-t", "small:t", "--into", "s")
        self.assertEqual((said.returncode, self.parts()), (0, []))
        self.assertIn("No bug in the only trace", said.stdout)

    def test_a_part_runs_in_another_folder_and_is_the_same_everywhere(self):
        self.split("-t", "pool:once")
        other = self.folder / "other"
        other.mkdir()
        for name in ["pool.erl", "size.hrl"]:
            shutil.copy(self.folder / name, other)
        part = self.parts()[-1]
        shutil.copy(part, other / "one.part")
        here = self.call("part", part, "--budget", "30x", "--out", "here.result")
        there = self.call("part", "one.part", "--budget", "30x", folder=other)
        self.assertEqual((here.returncode, there.returncode), (0, 0), there.stdout)
        self.assertEqual(self.call("merge", "s", other / "one.result").returncode, 3)
        self.assertIn("was taken before", self.call("merge", "s", "here.result").stdout)

    def test_a_program_that_is_another_one_is_refused(self):
        self.split("-t", "pool:once")
        part = self.parts()[0]
        self.write("size.hrl", "-define(SIZE, 2).\n")
        said = self.call("part", part)
        self.assertEqual(said.returncode, 2)
        self.assertIn("the program's file size.hrl is not as it was", said.stdout)
        self.assertIn("size.hrl", self.call("merge", "s").stdout)
        (self.folder / "size.hrl").unlink()
        self.assertIn("the program's file size.hrl is not there", self.call("part", part).stdout)
        self.assertEqual(said.stdout.count("\n"), 1)

    def test_damaged_files_lose_nothing(self):
        _, expected = self.by_one_process("-t", "pool:once")
        self.split("-t", "pool:once")
        self.run_all("50x")
        results = sorted((self.folder / "s").glob("*.result"))
        whole = results[0].read_bytes()
        before = (self.folder / "s" / "search").read_bytes()
        for damaged in [whole[:-1], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:], b"", b"ravel"]:
            results[0].write_bytes(damaged)
            said = self.call("merge", "s")
            self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
            self.assertIn(results[0].name, said.stdout)
        self.assertEqual((self.folder / "s" / "search").read_bytes(), before)
        results[0].write_bytes(whole)
        # A part that is gone is written again.
        self.parts()[1].unlink()
        self.assertEqual(self.call("merge", "s").returncode, 3)
        self.finish("10000x")
        self.assertEqual(self.told(), expected)

    def test_damaged_parts_and_searches_are_refused(self):
        self.split("-t", "pool:once")
        part, search = self.parts()[0], self.folder / "s" / "search"
        for path, command in [(part, ["part", part]), (search, ["merge", "s"])]:
            whole = path.read_bytes()
            drawn = random.Random(2)
            for _ in range(20):
                place = drawn.randrange(len(whole))
                path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << drawn.randrange(8))]) + whole[place + 1:])
                said = self.call(*command)
                self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
            path.write_bytes(whole)

    def test_a_result_of_another_search_is_left_out(self):
        self.split("-t", "pool:once")
        self.run_all("20x")
        stray = self.folder / "stray.result"
        shutil.copy(next((self.folder / "s").glob("*.result")), stray)
        shutil.rmtree(self.folder / "s")
        self.split("-t", "pool:takes")
        self.assertIn("the result of another part", self.call("merge", "s", stray).stdout)

    def test_an_interrupted_part_tells_what_it_has(self):
        self.split("-t", "pool:takes", parts=1)
        part = self.parts()[0]
        process = subprocess.Popen([support.RAVEL, "part", part], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 0)
        self.assertRegex(said, r"[0-9]+ executions; 0 of 1 branches ended")
        self.assertEqual(self.call("merge", "s").returncode, 3)

    def test_what_cannot_be_divided_is_refused(self):
        for arguments, why in [
                (["-t", "pool:once", "--strategy", "delay"], "--strategy delay and these options cannot be divided yet"),
                (["-t", "pool:once", "-t", "pool:takes"], "this is about one test, but here are 2"),
                (["-t", "pool:once", "--jobs", "2"], "--jobs is not for 'ravel split'"),
                (["-t", "pool:once", "--budget", "10s"], "ravel part PART --budget 10s"),
                (["-t", "pool:once", "--env", "HOME"], "Write --env HOME=VALUE"),
                (["-t", "pool:once", "--shard", "1/2"], "--shard is not for 'ravel split'")]:
            said = self.split(*arguments)
            self.assertEqual((said.returncode, said.stdout.count("\n")), (2, 1), said.stdout)
            self.assertIn(why, said.stdout)
        self.split("-t", "pool:once")
        self.assertIn("there is a divided search already", self.split("-t", "pool:once").stdout)
        self.assertEqual(self.call("merge", "nowhere").returncode, 2)
        self.assertEqual(self.call("merge").returncode, 2)
        self.assertIn("this is not a part", self.call("part", "pool.erl").stdout)


if __name__ == "__main__":
    unittest.main()
