// The page in Firefox: whatever a reader does that depends on the browser. The rest is tested in Chromium.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { cursor, filled, press, settled } from "./browser.mjs";
import * as stories from "./stories.mjs";

const ROWS_RENDERED_MAX = 200;

let firefox;
let folder;
let opened = 0;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "ravel-firefox-"));
  firefox = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.RAVEL_FIREFOX,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
    env: { ...process.env, HOME: folder },
  });
});
after(async () => {
  await firefox?.close();
  rmSync(folder, { recursive: true });
});

/** A test that opens a story; at its end nothing must have gone wrong, and nothing may have been asked of a network. */
function shows(name, story, run, hash = "") {
  test(name, async () => {
    const file = join(folder, `${opened++}.html`);
    writeFileSync(file, filled(JSON.stringify(story)));
    const tab = await firefox.newPage();
    const faults = [];
    tab.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    tab.on("console", (message) => ["error", "warn"].includes(message.type()) && faults.push(`console: ${message.text()}`));
    tab.on("request", (request) => !request.url().startsWith("data:") && request.url().split("#")[0] !== `file://${file}` && faults.push(`request: ${request.url()}`));
    tab.textContent = (selector) => tab.$eval(selector, (element) => element.textContent);
    await tab.goto(`file://${file}${hash}`);
    await settled(tab);
    await run(tab);
    assert.deepEqual(faults, []);
    await tab.close();
  });
}

const count = async (tab, selector) => (await tab.$$(selector)).length;

async function pressWithShift(tab, key) {
  await tab.keyboard.down("Shift");
  await press(tab, key);
  await tab.keyboard.up("Shift");
}

shows("the head, the lanes and what they show", stories.lostUpdate(), async (tab) => {
  assert.equal(await tab.textContent("h1"), "Assertion balance == 120 failed in int main()");
  assert.equal(await count(tab, ".lanehead"), 3);
  assert.equal(await count(tab, ".dot"), 14);
  assert.ok((await count(tab, ".source .code *")) > 0);
});

shows("keys move the cursor, with Shift in its lane, and the address follows", stories.lostUpdate(), async (tab) => {
  await press(tab, "Home");
  assert.equal(await cursor(tab), 1);
  await press(tab, "ArrowDown", "ArrowDown");
  assert.equal(await cursor(tab), 3);
  await tab.waitForFunction(() => location.hash.startsWith("#step=3")); // a little later
  const actor = () => tab.$eval(".row.cursor .text b", (element) => element.textContent);
  const own = await actor();
  await pressWithShift(tab, "ArrowDown");
  assert.ok((await cursor(tab)) > 3);
  assert.equal(await actor(), own);
});

shows("an address leads to a step of the passing run, beside the other", stories.lostUpdate(), async (tab) => {
  assert.match(await tab.textContent("#step-title"), /of the passing run/);
  assert.ok((await count(tab, ".passing .row")) > 0);
}, "#step=8&run=passing");

shows("a click on a row leads to its step", stories.registrationServer(), async (tab) => {
  await press(tab, "Home");
  const rows = await tab.$$(".row:not(.band):not(.cursor) .text");
  await rows[2].click();
  await settled(tab);
  assert.equal(await cursor(tab), 4);
  assert.equal(await count(tab, ".arrow.message line"), 2);
});

shows("a deadlock has its graph of who waits for whom", stories.philosophers(), async (tab) => {
  assert.ok((await count(tab, ".waitgraph .edge.cycle")) > 1);
});

shows("5,000 steps: only what is in sight is drawn", stories.long(5000), async (tab) => {
  await press(tab, "End");
  await tab.waitForSelector(".row.cursor");
  assert.equal(await cursor(tab), 5000);
  assert.ok((await count(tab, ".row")) < ROWS_RENDERED_MAX);
});

shows("values that look like HTML stay values", stories.hostile(), async (tab) => {
  assert.equal(await count(tab, "img, iframe, body script:not([type]) ~ script"), 0);
});
