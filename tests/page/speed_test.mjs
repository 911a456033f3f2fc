// 5,000 steps: opened at once, and scrolled without long frames. The bounds are generous, for machines that are busy.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser, press, settled } from "./browser.mjs";
import { long } from "./stories.mjs";

const OPENED_MS_MAX = 3000;
const MEDIAN_FRAME_MS_MAX = 50;
const KEY_MS_MAX = 150;
const ROWS_RENDERED_MAX = 200;

// On a machine that is busy with something else one of these may be quiet enough.
const ATTEMPTS = 4;

async function measured(browser) {
  const tab = await browser.open(long(5000));
  await tab.waitForSelector(".row.cursor");
  await settled(tab);
  const opened = Date.now() - tab.started;
  await press(tab, "f");

  const frames = await tab.evaluate(async () => {
    const timeline = document.querySelector(".timeline");
    const times = [];
    let last = performance.now();
    timeline.scrollTop = 0;
    for (let at = 0; at < 240; at++) {
      timeline.scrollTop += 517;
      await new Promise((done) => requestAnimationFrame(done));
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.sort((a, b) => a - b);
  });
  const rendered = await tab.$$eval(".row", (rows) => rows.length);
  const inSight = await tab.evaluate(() => {
    const { top, bottom } = document.querySelector(".timeline").getBoundingClientRect();
    const rows = [...document.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    return rows.some((row) => row.top <= top + 140) && rows.some((row) => row.bottom >= bottom - 30);
  });

  const begin = Date.now();
  for (let at = 0; at < 40; at++) await tab.keyboard.press("ArrowUp");
  await settled(tab);
  const key = (Date.now() - begin) / 40;

  assert.ok(rendered < ROWS_RENDERED_MAX, `${rendered} rows are rendered`);
  assert.ok(inSight, "the rows in sight are rendered");
  assert.deepEqual(tab.faults, []);
  await tab.context().close();
  const [median, longest] = [frames[frames.length / 2], frames.at(-1)];
  console.log(`opened in ${opened} ms; frames: median ${median.toFixed(1)} ms, longest ${longest.toFixed(1)} ms; ${key.toFixed(1)} ms a key; ${rendered} rows`);
  return opened < OPENED_MS_MAX && median < MEDIAN_FRAME_MS_MAX && key < KEY_MS_MAX;
}

test("5,000 steps open and scroll fast", async () => {
  const browser = await Browser.start();
  let isFast = false;
  for (let attempt = 0; attempt < ATTEMPTS && !isFast; attempt++) isFast = await measured(browser);
  await browser.stop();
  assert.ok(isFast, `more than ${OPENED_MS_MAX} ms to open, ${MEDIAN_FRAME_MS_MAX} ms a frame or ${KEY_MS_MAX} ms a key, ${ATTEMPTS} times`);
});
