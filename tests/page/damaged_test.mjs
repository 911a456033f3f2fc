// The page never fails, whatever is in its story: fields are deleted and get other types at random, and keys are pressed.
//
// FUZZ_SEED=7 FUZZ_COUNT=2000 tries others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser, filled, settled } from "./browser.mjs";
import * as stories from "./stories.mjs";

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const COUNT = Number(process.env.FUZZ_COUNT ?? 120);
const KEYS = ["Home", "ArrowDown", "Shift+ArrowDown", "ArrowRight", "ArrowLeft", "End", "d", "b", "f", "c", "p", "a", "Escape", "Enter", "h", "n", "PageUp"];

// Mulberry32: Tommy Ettinger, 2017.
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

const STRANGE = [null, true, false, 0, -1, 1, 3, 1.5, 1e300, "", "x", "12", [], {}, [null], [[]], [0, 1, 2], { actor: 0 }, { lines: 3 }, ["a"], "__proto__"];

/** Every place in a value, as [container, key]. */
function places(value, found = []) {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}

function damage(story, random) {
  for (let left = 1 + random(8); left > 0; left--) {
    const all = places(story);
    const [container, key] = all[random(all.length)];
    if (container === story && (key === "format" || key === "version")) continue;
    if (random(3) === 0 && !Array.isArray(container)) delete container[key];
    else if (random(4) === 0 && typeof container[key] === "number") container[key] = random(40);
    else container[key] = structuredClone(STRANGE[random(STRANGE.length)]);
  }
  return story;
}

test(`${COUNT} damaged stories, seed ${SEED}`, async () => {
  const makers = [stories.registrationServer, stories.calls, stories.lostUpdate, stories.philosophers, stories.adders, stories.starvation, () => stories.long(60), stories.hostile];
  const browser = await Browser.start();
  const tab = await browser.open(stories.adders());
  for (let at = 0; at < COUNT; at++) {
    const seed = SEED * 1_000_003 + at;
    const random = generator(seed);
    const story = damage(makers[random(makers.length)](), random);
    await tab.setContent(filled(JSON.stringify(story)));
    const keys = Array.from({ length: 4 }, () => KEYS[random(KEYS.length)]);
    for (const key of keys) await tab.keyboard.press(key);
    await settled(tab);
    const title = await tab.textContent("h1");
    assert.ok(!/cannot show/.test(title), `seed ${seed}, keys ${keys}: ${await tab.textContent("#page")}`);
    assert.deepEqual(tab.faults, [], `seed ${seed}, keys ${keys}`);
    assert.equal(await tab.evaluate(() => window.hacked), undefined);
  }
  await browser.stop();
});
