// The page of `ravel ui` as a person uses it: tries other executions, searches, saves.
//
// RAVEL: the program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, cursor, press, settled, texts } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Waits for ever, or exits if 2 comes first.
const RACE = `-module(race).
-export([both_test/0, order_test/0]).

both_test() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    receive 1 -> ok; 2 -> exit(second) end,
    receive
        2 -> receive never -> ok end
    end.

%% Passes if 1 comes first.
order_test() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    receive 1 -> ok; 2 -> exit(second) end.
`;

let browser;
let folder;
before(async () => {
  browser = await Browser.start();
  folder = mkdtempSync(join(tmpdir(), "ravel-live-"));
  writeFileSync(join(folder, "race.erl"), RACE);
});
after(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});

/** Starts the server; its address. */
async function serve(context, name) {
  const server = spawn(process.env.RAVEL, ["ui", "race.erl", "-t", name], { cwd: folder });
  const ended = new Promise((done) => server.on("exit", done));
  context.after(async () => {
    server.kill("SIGINT");
    assert.equal(await ended, 0);
  });
  let said = "";
  for await (const piece of server.stdout) {
    said += piece;
    const address = /http:\S+/.exec(said);
    if (address && said.endsWith("\n")) return address[0];
  }
  throw new Error(`the server has ended: ${said}`);
}

/** A test on the live page, whose requests all go to its server. */
function shows(name, run, program = "race:both_test") {
  test(name, async (context) => {
    const address = await serve(context, program);
    const tab = await (await browser.chromium.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const faults = [];
    tab.on("pageerror", (error) => faults.push(error.message));
    tab.on("request", (request) => new URL(request.url()).origin === new URL(address).origin || faults.push(request.url()));
    await tab.goto(address);
    await tab.waitForSelector(".execution");
    await run(tab);
    assert.deepEqual(faults, []);
    await tab.context().close();
  });
}

const executions = (tab, count) => tab.waitForFunction((wanted) => document.querySelectorAll(".execution").length === wanted, count);
const isShown = (tab) => tab.$$eval(".execution", (all) => all.findIndex((one) => one.getAttribute("aria-current") === "true"));

/** Moves the cursor down to a step that has an alternative. */
async function toChoice(tab) {
  await press(tab, "Home");
  while ((await tab.$(".choices .try")) === null) await press(tab, "ArrowDown");
  return cursor(tab);
}

shows("an alternative is tried, and the tree leads back", async (tab) => {
  const at = await toChoice(tab);
  await tab.click(".choices .try");
  await executions(tab, 2);
  await tab.waitForFunction(() => document.querySelectorAll(".execution")[1].getAttribute("aria-current") === "true");
  assert.equal(await cursor(tab), at);
  assert.match((await texts(tab, ".execution"))[1], new RegExp(`from step ${at}`));
  await tab.click(".execution >> nth=0");
  await tab.waitForFunction(() => document.querySelectorAll(".execution")[0].getAttribute("aria-current") === "true");
  assert.equal((await texts(tab, ".execution")).length, 2);
});

shows("a race is decided the other way, by the keyboard", async (tab) => {
  await press(tab, "Home");
  while ((await tab.$("dl .try")) === null) await press(tab, "ArrowDown");
  await tab.focus("dl .try");
  await tab.keyboard.press("Enter");
  await executions(tab, 2);
  assert.match((await texts(tab, ".execution"))[1], /takes the message of step \d+ instead.*exit/s);
});

shows("a bug that was tried is explained, and has a passing run beside it", async (tab) => {
  await press(tab, "Home");
  while ((await tab.$("dl .try")) === null) await press(tab, "ArrowDown");
  await tab.focus("dl .try");
  await tab.keyboard.press("Enter");
  await executions(tab, 2);
  await tab.waitForFunction(() => document.querySelectorAll(".execution")[1].getAttribute("aria-current") === "true");
  await tab.waitForSelector("section.difference");
  assert.match(await tab.textContent("section.difference"), /receives 2 from P\.2.*when it takes 1 of P\.1.*instead, the test passes/s);
  await press(tab, "p");
  await tab.waitForSelector(".passing .row");
}, "race:order_test");

shows("a step is rolled back", async (tab) => {
  await press(tab, "End");
  await tab.click("text=Roll back this step");
  await executions(tab, 2);
  await tab.waitForFunction(() => document.querySelectorAll(".execution")[1].getAttribute("aria-current") === "true");
  assert.equal(await isShown(tab), 1);
});

shows("a search goes on from the cursor, and its bug is shown and saved", async (tab) => {
  await press(tab, "Home", "ArrowDown");
  await tab.waitForFunction(() => location.hash === "#step=2");
  await tab.selectOption(".tried select", "dpor");
  await tab.click(".tried button:text-is('Search')");
  await executions(tab, 2);
  await tab.waitForSelector("text=a bug (from step 2");
  await tab.click("text=Save this execution");
  await tab.waitForSelector("text=Saved. See it again by: ravel replay");
});

shows("what is wrong is told", async (tab) => {
  await tab.route("**/api/roll_back", (route) => route.fulfill({ status: 400, body: '{"error":"This cannot be rolled back."}' }));
  await tab.click("text=Roll back this step");
  await tab.waitForSelector("text=This cannot be rolled back.");
  await tab.route("**/api/save", (route) => route.abort());
  await tab.click("text=Save this execution");
  await tab.waitForSelector("text=The server does not answer any more.");
});

shows("everybody can use it", async (tab) => {
  await toChoice(tab);
  await tab.click(".choices .try");
  await executions(tab, 2);
  await settled(tab);
  await tab.evaluate(AXE);
  const found = await tab.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ["violations"] });
    const serious = result.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
    return serious.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
  });
  assert.deepEqual(found, []);
});
