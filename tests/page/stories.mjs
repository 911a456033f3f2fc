// Stories as ravel makes them, of programs in examples/, for the tests of the page. What they tell is what ravel replay
// tells of the same bugs. long() and hostile() are made up.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = process.env.RAVEL_SOURCE_DIR ?? join(import.meta.dirname, "../..");

function source(path) {
  return { name: path.split("/").at(-1), path, text: readFileSync(join(ROOT, path), "utf8") };
}

// A step from a row of a table: [actor, text, line, more].
function steps(rows, defaults = {}) {
  return rows.map(([actor, text, line, more]) => ({
    actor,
    text,
    ...(line ? { source: 0, line } : {}),
    kind: "operation",
    relevant: true,
    ...defaults,
    ...more,
  }));
}

function story(fields) {
  return { format: "ravel-story", version: 1, ravel: "0.7.0", assumptions: [], ...fields };
}

const state = (actor, part, name, ...lines) => ({ actor, part, ...(name ? { name } : {}), lines });

/** A client that stops a server twice waits for ever. */
export function registrationServer() {
  const server = "P.1 (reg_server)";
  const stop = "{reg_request,<P>,stop}";
  const beginning = [
    [0, "spawns P.1 to run a fun of reg_server:start/0", 13, { spawns: 1, state: [state(0, "stack", "", "reg_server:start/0 (reg_server.erl:13)"), state(0, "mailbox", "", "(empty)")] }],
    [0, "registers P.1 as reg_server", 14, {}],
    [0, "calls whereis(reg_server) -> <P.1>", 33, { state: [state(0, "stack", "", "reg_server:request/1 (reg_server.erl:33)")] }],
    [0, `sends ${stop} to ${server}`, 36, { sends: [{ to: 1, text: stop, received: 4 }], state: [state(1, "mailbox", "", stop)] }],
    [1, `receives ${stop} from P`, 24, { switch: "free", receives: 3, after: [3], state: [state(1, "mailbox", ""), state(1, "variables", "Target", "<P>")] }],
    [1, "sends {reg_reply,ok} to P", 43, { sends: [{ to: 0, text: "{reg_reply,ok}", received: 6 }], state: [state(0, "mailbox", "", "{reg_reply,ok}")] }],
  ];
  const failing = steps([
    ...beginning,
    [0, `receives {reg_reply,ok} from ${server}`, 37, { switch: "preemption", receives: 5, after: [5], state: [state(0, "mailbox", "")], choices: [{ actor: 1, text: "ends", kind: "end", leads_to: "passes", next: 9 }] }],
    [0, "calls whereis(reg_server) -> <P.1>", 33, { races: [{ with: 9, decides: false }], choices: [{ actor: 1, text: "ends", kind: "end", leads_to: "passes", next: 9 }] }],
    [0, `sends ${stop} to ${server}`, 36, { sends: [{ to: 1, text: stop }], races: [{ with: 9, decides: true }], state: [state(1, "mailbox", "", stop), state(0, "waits", "", "in receive at reg_server.erl:37")] }],
    [1, "ends", 0, { switch: "free", kind: "end", after: [8] }],
  ]);
  const [sender, reply, line, more] = beginning.at(-1);
  const passing = steps([
    ...beginning.slice(0, -1),
    [sender, reply, line, { ...more, sends: [{ ...more.sends[0], received: 7 }] }],
    [1, "ends", 0, { kind: "end" }],
    [0, `receives {reg_reply,ok} from ${server}`, 37, { switch: "free", receives: 5, after: [5], state: [state(0, "mailbox", "")] }],
    [0, "calls whereis(reg_server) -> undefined", 33, { after: [6] }],
    [0, "ends", 0, { kind: "end" }],
  ]);
  return story({
    front_end: "erlang",
    test: "reg_server_tests:multiple_stops_test",
    bug: {
      kind: "deadlock",
      title: "A process waits for ever in reg_server:request/1",
      message: "a process waits for ever in reg_server:request/1",
      file: "examples/registration_server/step_07/reg_server.erl",
      line: 37,
      actor: 0,
      details: ["P waits at reg_server.erl:37: receive", "its mailbox is empty"],
    },
    difference: [
      `P sends ${stop} to ${server} (reg_server.erl:36), before ${server} ends;`,
      `in the other order, and then P calls whereis(reg_server) -> <P.1> (reg_server.erl:33), before ${server} ends; in the other order, the test passes.`,
    ],
    replay: "ravel replay ravel-tickets/reg_server_tests.multiple_stops_test.deadlock.0ebbc5.ticket.json",
    preemptions: 1,
    assumptions: ["Messages arrive at once.", "Time passes only when nobody can go on."],
    sources: [source("examples/registration_server/step_07/reg_server.erl")],
    actors: [
      { name: "P", label: "P", kind: "process" },
      { name: "P.1", label: server, kind: "process", parent: 0, born: 0, ended: 9, end: "normal" },
    ],
    failing: { outcome: "deadlock", steps: failing, waiting: [{ actor: 0, lines: ["waits in receive at reg_server.erl:37"] }] },
    passing: { outcome: "finished", steps: passing, common: 6 },
  });
}

/** Two clients ask a server one after the other: the first call is in a row, in the second one a third actor moves. */
export function calls() {
  const server = "P.1 (counter)";
  const ask = (line, received) => ["sends {ask,get} to P.1 (counter)", line, { sends: [{ to: 1, text: "{ask,get}", received }] }];
  const answer = (to, received) => [1, "sends {answer,0} to its client", 20, { sends: [{ to, text: "{answer,0}", received }] }];
  const failing = steps([
    [0, `monitors ${server}`, 31, {}],
    [0, ...ask(31, 2)],
    [1, "receives {ask,get} from P", 12, { receives: 1, after: [1] }],
    answer(0, 4),
    [0, `receives {answer,0} from ${server}`, 31, { receives: 3, after: [3] }],
    [0, `demonitors ${server}`, 31, {}],
    [2, `monitors ${server}`, 31, { switch: "free" }],
    [2, ...ask(31, 9)],
    [0, "looks around", 33, { switch: "preemption" }],
    [1, "receives {ask,get} from P.2", 12, { receives: 7, after: [7], switch: "free" }],
    answer(2, 11),
    [2, `receives {answer,0} from ${server}`, 31, { receives: 10, after: [10] }],
    [2, `demonitors ${server}`, 31, {}],
    [2, "exits with reason badmatch", 33, {}],
  ]);
  return story({
    front_end: "erlang",
    test: "counter_tests:two_clients_test",
    bug: { kind: "abnormal_exit", title: "P.2 exits with badmatch", message: "", file: "reg_server.erl", line: 33, actor: 2 },
    difference: [],
    replay: "ravel replay calls.ticket.json",
    preemptions: 1,
    sources: [source("examples/registration_server/step_07/reg_server.erl")],
    actors: ["P", server, "P.2"].map((label) => ({ name: label.split(" ")[0], label, kind: "process" })),
    failing: {
      outcome: "abnormal_exit",
      steps: failing,
      calls: [
        { first: 0, last: 5, main: 1, callee: 1, request: "get", reply: "0" },
        { first: 6, last: 7, main: 7 },
        { first: 11, last: 12, main: 11 },
      ],
    },
  });
}

/** Two threads each add 10, and one addition is lost. */
export function lostUpdate() {
  const mutex = "mutex (anonymous namespace)::mutex";
  const touches = [{ object: "(anonymous namespace)::mutex", write: true }];
  const lock = (actor, line, more) => [actor, `locks ${mutex}`, line, { touches, ...more }];
  const unlock = (actor, line, more) => [actor, `unlocks ${mutex}`, line, { touches, ...more }];
  const balance = (value) => state(0, "variables", "balance", String(value));
  const before = (actor, value) => state(actor, "variables", "before", String(value));
  const beginning = [
    [0, "creates P.1, which runs (anonymous namespace)::deposit", 30, { spawns: 1, state: [balance(100)] }],
    [0, "creates P.2, which runs (anonymous namespace)::deposit", 31, { spawns: 2 }],
  ];
  const joins = (first, second) => [
    [0, "joins P.1", 32, { switch: "free", after: [first] }],
    [0, "joins P.2", 33, { after: [second] }],
  ];
  const failing = steps([
    ...beginning,
    lock(1, 17, { switch: "free", races: [{ with: 4, decides: true }], choices: [{ actor: 2, text: `locks ${mutex}`, kind: "operation", leads_to: "this bug", next: 4 }, { actor: 0, text: "joins P.1", kind: "operation" }] }),
    unlock(1, 19, { state: [before(1, 100)] }),
    lock(2, 17, { switch: "preemption", after: [3], choices: [{ actor: 1, text: `locks ${mutex}`, kind: "operation", leads_to: "passes", next: 9 }] }),
    unlock(2, 19, { state: [before(2, 100)] }),
    lock(2, 20, {}),
    unlock(2, 22, { state: [balance(110)] }),
    [2, "ends", 31, { kind: "end" }],
    lock(1, 20, { switch: "free", after: [7] }),
    unlock(1, 22, { state: [balance(110)] }),
    [1, "ends", 30, { kind: "end" }],
    ...joins(11, 8),
  ]);
  const passing = steps([
    ...beginning,
    lock(1, 17, { switch: "free" }),
    unlock(1, 19, { state: [before(1, 100)] }),
    lock(1, 20, {}),
    unlock(1, 22, { state: [balance(110)] }),
    [1, "ends", 30, { kind: "end" }],
    lock(2, 17, { switch: "free", after: [5] }),
    unlock(2, 19, { state: [before(2, 110)] }),
    lock(2, 20, {}),
    unlock(2, 22, { state: [balance(120)] }),
    [2, "ends", 31, { kind: "end" }],
    ...joins(6, 11),
  ]);
  return story({
    front_end: "threads",
    test: "./account",
    bug: {
      kind: "assertion",
      title: "Assertion balance == 120 failed in int main()",
      message: "assertion balance == 120 failed in int main()",
      file: "examples/threads/account.cc",
      line: 34,
      actor: 0,
    },
    difference: [`P.1 locks ${mutex} (account.cc:17), before P.2 locks ${mutex} (account.cc:17); in the other order, the test passes.`],
    replay: "ravel replay ravel-tickets/account.assertion.0eec5f.ticket.json",
    preemptions: 1,
    assumptions: ["Memory is sequentially consistent."],
    sources: [source("examples/threads/account.cc")],
    actors: [
      { name: "P", label: "P (main)", kind: "thread" },
      { name: "P.1", label: "P.1", kind: "thread", parent: 0, born: 0, ended: 11, end: "returned" },
      { name: "P.2", label: "P.2", kind: "thread", parent: 0, born: 1, ended: 8, end: "returned" },
    ],
    failing: { outcome: "assertion", steps: failing },
    passing: { outcome: "finished", steps: passing, common: 4 },
  });
}

/** Three philosophers hold a fork each. */
export function philosophers() {
  const failing = steps([
    [0, "creates P.1", 15, { spawns: 1 }],
    [0, "creates P.2", 15, { spawns: 2 }],
    [0, "creates P.3", 15, { spawns: 3, state: [state(0, "waits", "", "for the end of P.1 at dining.cc:20")] }],
    [1, "locks mutex forks", 16, { switch: "free", state: [state(1, "locks", "", "forks since dining.cc:16")], choices: [{ actor: 2, text: "locks mutex forks+40" }, { actor: 3, text: "locks mutex forks+80" }] }],
    [3, "locks mutex forks+80", 16, { switch: "preemption", state: [state(3, "locks", "", "forks+80 since dining.cc:16"), state(3, "waits", "", "to lock forks, held by P.1 since dining.cc:16, at dining.cc:17")], choices: [{ actor: 1, text: "locks mutex forks+40", leads_to: "passes" }, { actor: 2, text: "locks mutex forks+40", next: 5 }] }],
    [2, "locks mutex forks+40", 16, { switch: "free", races: [{ decides: true }], state: [state(2, "locks", "", "forks+40 since dining.cc:16"), state(2, "waits", "", "to lock forks+80, held by P.3 since dining.cc:16, at dining.cc:17"), state(1, "waits", "", "to lock forks+40, held by P.2 since dining.cc:16, at dining.cc:17")], choices: [{ actor: 1, text: "locks mutex forks+40", leads_to: "passes" }] }],
  ]);
  return story({
    front_end: "threads",
    test: "./dining",
    bug: {
      kind: "deadlock",
      title: "Deadlock: no thread can go on",
      message: "deadlock: no thread can go on",
      file: "",
      details: [
        "P waits for the end of P.1 at dining.cc:20",
        "P.1 waits to lock forks+40, held by P.2 since dining.cc:16, at dining.cc:17",
        "P.2 waits to lock forks+80, held by P.3 since dining.cc:16, at dining.cc:17",
        "P.3 waits to lock forks, held by P.1 since dining.cc:16, at dining.cc:17",
      ],
    },
    difference: ["P.2 locks mutex forks+40 (dining.cc:16), before P.1 locks mutex forks+40 (dining.cc:17); in the other order, the test passes."],
    replay: "ravel replay ravel-tickets/dining.deadlock.993bbe.ticket.json",
    preemptions: 1,
    sources: [source("examples/threads/dining.cc")],
    actors: ["P", "P.1", "P.2", "P.3"].map((name, at) => ({ name, label: name, kind: "thread", ...(at ? { parent: 0, born: at - 1 } : {}) })),
    failing: {
      outcome: "deadlock",
      steps: failing,
      waiting: [
        { actor: 0, for: [1], lines: ["waits for the end of P.1 at dining.cc:20"] },
        { actor: 1, for: [2], lines: ["waits to lock forks+40"] },
        { actor: 2, for: [3], lines: ["waits to lock forks+80"] },
        { actor: 3, for: [1], lines: ["waits to lock forks"] },
      ],
    },
  });
}

/** A program in P whose two adders read before either writes. */
export function adders() {
  const [main, keeper, first, second] = ["P (Main)", "P.1 (Keeper)", "P.2 (Adder)", "P.3 (Adder)"];
  const send = (actor, text, to, line, received, more) => [actor, `sends ${text} to ${[main, keeper, first, second][to]}`, line, { sends: [{ to, text, received }], ...more }];
  const take = (actor, text, line, receives, more) => [actor, `takes ${text}`, line, { receives, after: [receives], ...more }];
  const value = (number) => state(1, "fields", "value", String(number));
  const failing = steps([
    [0, "starts", 51, { relevant: false, state: [state(0, "state", "", "Init")] }],
    [0, `creates ${keeper}`, 54, { spawns: 1 }],
    [0, `creates ${first}`, 55, { spawns: 2 }],
    [0, `creates ${second}`, 56, { spawns: 3 }],
    [2, "starts", 37, { switch: "free", state: [state(2, "state", "", "Init")] }],
    send(2, "eRead with Adder(P.2)", 1, 39, 9),
    [3, "starts", 37, { switch: "free", state: [state(3, "state", "", "Init")] }],
    send(3, "eRead with Adder(P.3)", 1, 39, 11),
    [1, "starts", 13, { switch: "free", state: [state(1, "state", "", "Keeping"), value(0)] }],
    take(1, "eRead with Adder(P.2)", 13, 5),
    send(1, "eValue with 0", 2, 15, 16),
    take(1, "eRead with Adder(P.3)", 13, 7, { races: [{ decides: true, with: 17 }] }),
    send(1, "eValue with 0", 3, 15, 13),
    take(3, "eValue with 0", 40, 12, { switch: "free" }),
    send(3, "eWrite with 1", 1, 42, 19),
    send(3, "eDone", 1, 45, 20),
    take(2, "eValue with 0", 40, 10, { switch: "free" }),
    send(2, "eWrite with 1", 1, 42, 21),
    send(2, "eDone", 1, 45, 22),
    take(1, "eWrite with 1", 13, 14, { switch: "free", state: [value(1)] }),
    take(1, "eDone", 13, 15, { state: [state(1, "state", "", "OneIsDone")] }),
    take(1, "eWrite with 1", 23, 17, { state: [value(1)] }),
    take(1, "eDone", 23, 18),
  ]);
  return story({
    front_end: "p",
    test: "DefaultImpl",
    bug: {
      kind: "assertion",
      title: "Two have added 1, and the value is 1",
      message: "two have added 1, and the value is 1",
      file: "examples/p/lost_update.p",
      line: 31,
      actor: 1,
      details: ["in Keeper(P.1) in state OneIsDone"],
    },
    difference: [`${keeper} takes eRead with Adder(P.3) (lost_update.p:13); when it takes eWrite of ${first} (lost_update.p:42) instead, the test passes.`],
    replay: "ravel replay ravel-tickets/DefaultImpl.assertion.9d1cc5.ticket.json",
    preemptions: 0,
    sources: [source("examples/p/lost_update.p")],
    actors: [main, keeper, first, second].map((label, at) => ({ name: label.split(" ")[0], label, kind: "machine", ...(at ? { parent: 0, born: at } : {}) })),
    failing: { outcome: "assertion", steps: failing },
  });
}

/** A philosopher who starves: a stem, and a cycle that comes again and again. */
export function starvation() {
  const labels = ["P (Table)", "P.1 (Fork)", "P.2 (Philosopher)", "P.3 (Philosopher)"];
  const failing = steps([
    [0, "starts", 74],
    [0, "creates P.1 (Fork)", 77, { spawns: 1 }],
    [0, "creates P.2 (Philosopher)", 78, { spawns: 2 }],
    [0, "creates P.3 (Philosopher)", 79, { spawns: 3, kind: "end" }],
    [1, "starts", 14, { switch: "free" }],
    [2, "starts", 32, { switch: "free" }],
    [3, "starts", 32, { switch: "preemption" }],
    [3, "sends eTake with Philosopher(P.3) to P.1 (Fork)", 42, { sends: [{ to: 1, text: "eTake", received: 8 }] }],
    [1, "takes eTake with Philosopher(P.3)", 14, { receives: 7, switch: "free", state: [state(1, "state", "", "Taken")] }],
    [1, "sends eTaken to P.3 (Philosopher)", 16, { sends: [{ to: 3, text: "eTaken", received: 13 }] }],
    [2, "sends eTake with Philosopher(P.2) to P.1 (Fork)", 42, { switch: "free", sends: [{ to: 1, text: "eTake", received: 11 }] }],
    [1, "takes eTake with Philosopher(P.2)", 20, { receives: 10, switch: "free" }],
    [1, "sends eBusy to P.2 (Philosopher)", 22, { sends: [{ to: 2, text: "eBusy", received: 16 }] }],
    [3, "takes eTaken", 39, { receives: 9, switch: "free" }],
    [3, "sends eGiveBack to P.1 (Fork)", 50, { sends: [{ to: 1, text: "eGiveBack", received: 15 }] }],
    [1, "takes eGiveBack", 20, { receives: 14, switch: "preemption", state: [state(1, "state", "", "Free")] }],
    [2, "takes eBusy", 39, { receives: 12, switch: "free" }],
  ]);
  return story({
    front_end: "p",
    test: "tcTwoPhilosophers",
    bug: { kind: "liveness", title: "Monitor FirstEats is hot again and again, and never cold again", message: "", file: "examples/p/starvation.p", line: 64, details: ["P.1, P.2 and P.3 go round, in 10 events that lead from a state to itself"] },
    replay: "ravel replay ravel-tickets/tcTwoPhilosophers.liveness.6922df.ticket.json",
    preemptions: 2,
    sources: [source("examples/p/starvation.p")],
    actors: labels.map((label, at) => ({ name: label.split(" ")[0], label, kind: "machine", ...(at ? { parent: 0, born: at } : {}) })),
    failing: { outcome: "liveness", steps: failing, loop: 7 },
  });
}

/** Many steps of a server with clients, and idle processes; the last client's race is the bug. */
export function long(count = 5000, clients = 6, idle = 9) {
  const labels = ["P (test)", "P.1 (server)", ...Array.from({ length: clients }, (_, at) => `P.${at + 2} (client)`), ...Array.from({ length: idle }, (_, at) => `P.1.${at + 1} (idle)`)];
  const rows = [];
  for (let at = 1; at < labels.length; at++) {
    rows.push([0, `spawns ${labels[at]}`, 13, { spawns: at, relevant: at < 4 }]);
  }
  for (let at = 0; at < idle; at++) rows.push([clients + 2 + at, "waits for work", 24, { relevant: false, inner: true }]);
  for (let round = 0; rows.length < count - 2; round++) {
    const client = 2 + (round % clients);
    const relevant = round % 7 < 5;
    const sent = rows.length;
    rows.push([client, `sends {add,${round}} to P.1 (server)`, 36, { relevant, switch: "free", sends: [{ to: 1, text: `{add,${round}}`, received: sent + 1 }], state: [state(client, "variables", "Round", String(round))] }]);
    rows.push([1, `receives {add,${round}} from ${labels[client]}`, 24, { relevant, switch: "free", receives: sent, after: [sent], state: [state(1, "state", "Sum", String(round * 3))], choices: round % 40 === 0 ? [{ actor: 2, text: "sends {add,0}" }] : [] }]);
    rows.push([1, `sends ok to ${labels[client]}`, 43, { relevant, sends: [{ to: client, text: "ok", received: sent + 3 }] }]);
    rows.push([client, "receives ok from P.1 (server)", 37, { relevant, switch: "free", receives: sent + 2, after: [sent + 2] }]);
  }
  rows.length = count - 2;
  rows.push([2, "sends {reset} to P.1 (server)", 36, { switch: "preemption", sends: [{ to: 1, text: "{reset}", received: count - 1 }], races: [{ with: count - 1, decides: true }] }]);
  rows.push([1, "receives {reset} from P.2 (client)", 24, { switch: "free", receives: count - 2, after: [count - 2] }]);
  return story({
    front_end: "erlang",
    test: "counter_tests:many_clients_test",
    bug: { kind: "abnormal_exit", title: "The server fails with badmatch after a reset", message: "", file: "reg_server.erl", line: 24, actor: 1 },
    difference: ["P.2 (client) sends {reset}, before P.1 (server) has answered."],
    replay: "ravel replay long.ticket.json",
    preemptions: 1,
    sources: [source("examples/registration_server/step_07/reg_server.erl")],
    actors: labels.map((label, at) => ({ name: label.split(" ")[0], label, kind: "process", ...(at ? { parent: 0 } : {}) })),
    failing: { outcome: "abnormal_exit", steps: steps(rows) },
  });
}

/** Texts that try to be something else: HTML, scripts, other directions of writing, very long ones. */
export function hostile() {
  const attack = `</script><script>window.hacked = true</script><img src=x onerror="window.hacked = true">`;
  const wide = "x".repeat(100_000);
  return story({
    front_end: attack,
    test: attack,
    bug: { kind: attack, title: attack, message: wide, file: attack, line: 1, actor: 0, details: [attack, wide] },
    difference: [attack, wide],
    replay: attack,
    assumptions: [attack],
    sources: [{ name: attack, path: attack, text: `${attack}\n${wide}\n\0\u0007` }, { name: "gone.erl", path: "gone.erl", gone: "the file has been deleted" }],
    actors: [
      { name: attack, label: attack, kind: attack, end: attack },
      { name: "procès", label: "процесс ‮ עברית", kind: "process" },
      { name: "演員", label: "演員 🦉", kind: "process" },
    ],
    failing: {
      outcome: attack,
      output: attack,
      steps: steps([
        [0, attack, 1, { extra: [attack, wide], state: [state(0, attack, attack, attack, wide)], choices: [{ actor: 1, text: attack, leads_to: attack }], touches: [{ object: attack, write: true }] }],
        [1, wide, 2, { sends: [{ to: 2, text: wide, received: 2 }] }],
        [2, "行\n\n\n換行", 3, { source: 1, line: 7, receives: 1, kind: attack }],
      ]),
      waiting: [{ actor: 0, for: [1], lines: [attack] }, { actor: 1, for: [0, 1], lines: [wide] }],
    },
  });
}
