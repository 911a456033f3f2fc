// The parts of the page that compute, compared with the obvious way to compute the same, on random stories.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import * as stories from "./stories.mjs";

const SOURCES = join(process.env.RAVEL_SOURCE_DIR ?? join(import.meta.dirname, "../.."), "page/src");
const folder = mkdtempSync(join(tmpdir(), "ravel-page-parts-"));
after(() => rmSync(folder, { recursive: true }));

async function part(name) {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(SOURCES, `${name}.ts`)], bundle: true, format: "esm", outfile, logLevel: "error" });
  return import(outfile);
}

const { readStory } = await part("read_story");
const { causalPast, positionUpTo, runOf, stateAt } = await part("run");
const { foldable, layoutOf } = await part("rows");
const { readAddress, addressOf } = await part("address");

function randomStory(seed) {
  let state = seed + 1;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const actors = 1 + random(5);
  const steps = Array.from({ length: 1 + random(700) }, (_, at) => ({
    actor: random(actors),
    text: `step ${at}`,
    relevant: random(3) > 0,
    inner: random(4) === 0,
    ...(random(9) === 0 ? { switch: "preemption" } : {}),
    after: at > 0 && random(2) ? [random(at)] : [],
    ...(at > 0 && random(5) === 0 ? { receives: random(at) } : {}),
    state: random(2) ? [{ actor: random(actors), part: "fields", name: `x${random(3)}`, lines: random(4) ? [String(at)] : [] }] : [],
  }));
  return { format: "ravel-story", version: 1, actors: Array.from({ length: actors }, (_, at) => ({ name: `P${at}` })), failing: { outcome: "bug", steps } };
}

function randomRun(seed) {
  const { story } = readStory(JSON.stringify(randomStory(seed)));
  return runOf("failing", story.failing, story.actors);
}

test("what happens before a step is what can be reached backwards", () => {
  for (let seed = 0; seed < 60; seed++) {
    const run = randomRun(seed);
    const before = []; // of each step: all that happen before it, and itself
    run.steps.forEach((step, at) => {
      const all = new Set([at]);
      const direct = [...step.after, ...(step.receives === undefined ? [] : [step.receives])];
      const own = run.steps.findLastIndex((other, place) => place < at && other.actor === step.actor);
      for (const other of own < 0 ? direct : [...direct, own]) for (const earlier of before[other]) all.add(earlier);
      before.push(all);
    });
    for (const at of [0, run.steps.length >> 1, run.steps.length - 1]) {
      const past = [...causalPast(run, at).entries()].filter(([, marked]) => marked).map(([step]) => step);
      assert.deepEqual(past, [...before[at]].sort((a, b) => a - b), `seed ${seed}, step ${at}`);
    }
  }
});

test("the state at a step is what all changes up to it leave", () => {
  for (let seed = 0; seed < 60; seed++) {
    const run = randomRun(seed);
    for (const at of [run.steps.length - 1, 0, run.steps.length >> 1, Math.min(run.steps.length - 1, 256)]) {
      const wanted = new Map();
      for (const step of run.steps.slice(0, at + 1)) for (const change of step.state) wanted.set(`${change.actor} ${change.name}`, change.lines);
      const found = stateAt(run, at).filter((part) => part.lines.length > 0);
      assert.deepEqual(new Map(found.map((part) => [`${part.actor} ${part.name}`, part.lines])), new Map([...wanted].filter(([, lines]) => lines.length > 0)));
    }
  }
});

test("every step has a row, or is in a fold, or its actor is hidden", () => {
  for (let seed = 0; seed < 60; seed++) {
    const run = randomRun(seed);
    const folds = foldable(run, undefined, 0);
    for (const everything of [false, true]) {
      for (const hidden of [new Set(), new Set([0])]) {
        const { rows, rowOf } = layoutOf(run, folds, 0, { opened: new Set(), everything, hidden, compare: false });
        let last = -1;
        run.steps.forEach((step, at) => {
          if (hidden.has(step.actor)) return;
          const row = rows[rowOf[at]];
          assert.ok(row.kind === "step" ? row.step === at : row.kind === "fold" && row.from <= at && at <= row.to, `seed ${seed}, step ${at}`);
          assert.ok(rowOf[at] >= last);
          last = rowOf[at];
          if (everything || (step.switch === "preemption" && run.hasFewPreemptions)) assert.equal(row.kind, "step");
        });
        const shown = rows.flatMap((row) => (row.kind === "step" ? [row.step] : []));
        assert.deepEqual(shown, [...new Set(shown)].sort((a, b) => a - b));
        assert.equal(rows.at(-1).kind, "end");
      }
    }
  }
});

test("both runs have the same rows as far as they are the same", () => {
  const { story } = readStory(JSON.stringify(stories.registrationServer()));
  const [failing, passing] = ["failing", "passing"].map((name) => runOf(name, story[name], story.actors));
  const choice = { opened: new Set(), everything: false, hidden: new Set(), compare: true };
  const rows = [layoutOf(failing, foldable(failing, undefined, 0), 6, choice).rows, layoutOf(passing, foldable(passing, failing, 6), 6, choice).rows];
  const parting = rows[0].findIndex((row) => row.kind === "parting");
  assert.ok(parting > 0);
  assert.deepEqual(rows[0].slice(0, parting + 1), rows[1].slice(0, parting + 1));
});

test("an address is read as it was written", () => {
  assert.deepEqual(readAddress(addressOf("failing", 11)), { step: 11 });
  assert.deepEqual(readAddress(addressOf("passing", 0)), { step: 0, run: "passing" });
  for (const other of ["", "#", "#step=", "#step=x", "#steps=1", "#step=-1"]) assert.equal(readAddress(other), undefined);
});

test("the last element up to a limit is found", () => {
  for (let length = 0; length < 9; length++) {
    const sorted = Array.from({ length }, (_, at) => 2 * at);
    for (let limit = -1; limit < 20; limit++) assert.equal(positionUpTo(sorted, limit), sorted.filter((value) => value <= limit).length - 1);
  }
});
