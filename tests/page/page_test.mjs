// The page as a reader uses it: by keyboard, by mouse, by its address.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser, cursor, press, settled, texts } from "./browser.mjs";
import * as stories from "./stories.mjs";

let browser;
before(async () => {
  browser = await Browser.start();
});
after(async () => {
  await browser.stop();
});

/** A test that opens a story; at its end nothing must have gone wrong, and nothing may have been asked of a network. */
function shows(name, story, run, options = {}) {
  test(name, async () => {
    const tab = await browser.open(story, options);
    await settled(tab);
    await run(tab);
    assert.deepEqual(tab.faults, []);
    await tab.context().close();
  });
}

shows("the head says what is wrong, where, and what makes the difference", stories.registrationServer(), async (tab) => {
  assert.equal(await tab.textContent("h1"), "A process waits for ever in reg_server:request/1");
  assert.match(await tab.textContent(".kicker"), /deadlock.*reg_server_tests:multiple_stops_test.*10 steps · 1 preemption/);
  assert.match(await tab.textContent(".where"), /reg_server\.erl:37, in P$/);
  assert.equal((await tab.$$(".difference p")).length, 2);
  assert.match(await tab.textContent(".difference"), /in the other order, the test passes/);
  assert.equal(await tab.title(), "A process waits for ever in reg_server:request/1 – Ravel");
});

shows("the replay command is copied", stories.lostUpdate(), async (tab) => {
  await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.click("text=Copy");
  await tab.waitForSelector("text=Copied");
  assert.equal(await tab.evaluate(() => navigator.clipboard.readText()), stories.lostUpdate().replay);
});

shows("each step is a row, each actor a lane", stories.lostUpdate(), async (tab) => {
  assert.equal((await tab.$$(".row .text bdi")).length, 14);
  assert.deepEqual(await texts(tab, ".lanehead"), ["P (main)", "P.1", "P.2"]);
  assert.deepEqual(await texts(tab, ".band"), ["preemption: P.1 could have gone on", "Assertion balance == 120 failed in int main()"]);
  assert.equal((await tab.$$(".dot")).length, 14);
  assert.equal((await tab.$$(".birth")).length, 2);
  assert.equal((await tab.$$(".dot .end")).length, 2);
});

function withAnActorOfThePassingRun() {
  const story = stories.lostUpdate();
  story.actors.push({ name: "P.3", label: "P.3", kind: "thread" });
  story.passing.steps.push({ ...story.passing.steps[0], actor: 3, text: "looks" });
  return story;
}

shows("an actor that only the passing run has gets its lane beside that", withAnActorOfThePassingRun(), async (tab) => {
  assert.deepEqual(await texts(tab, ".lanehead"), ["P (main)", "P.1", "P.2"]);
  await press(tab, "p");
  assert.equal((await tab.$$(".passing")).length > 0, true);
  assert.equal((await texts(tab, ".lanehead")).filter((head) => head === "P.3").length, 2);
});

function withALongTitle() {
  const story = stories.lostUpdate();
  story.bug.title = `Assertion ${"x && ".repeat(30)}y failed`;
  return story;
}

shows("a long title is in smaller letters", withALongTitle(), async (tab) => {
  const size = (selector) => tab.$eval(selector, (element) => parseFloat(getComputedStyle(element).fontSize));
  assert.ok((await size("h1")) < 18);
});

shows("messages are arrows from the row of the send to that of the receive", stories.registrationServer(), async (tab) => {
  const arrows = await tab.$$eval(".arrow.message line", (lines) => lines.map((line) => ["y1", "y2"].map((name) => Number(line.getAttribute(name)))));
  assert.equal(arrows.length, 2);
  for (const [from, to] of arrows) assert.ok(from < to);
  assert.equal((await tab.$$(".waits")).length, 1);
});

shows("a call is one row with an arrow there and back, a part of one its main step", stories.calls(), async (tab) => {
  assert.deepEqual(await texts(tab, ".row:not(.band) .number"), ["2", "8", "9", "10", "11", "12", "14"]);
  assert.equal((await tab.textContent(".row.call .text")).trim(), "P asks P.1 (counter): get → 0");
  assert.match((await texts(tab, ".row.call .text"))[1], /^P\.2 sends \{ask,get\}/);
  assert.equal((await tab.$$(".called polygon")).length, 2);
  assert.equal((await tab.$$(".arrow.message:not(.called)")).length, 2);
});

shows("a call opens by a click or a key, and closes again", stories.calls(), async (tab) => {
  await tab.click(".row.call .unfold");
  await settled(tab);
  assert.deepEqual((await texts(tab, ".row:not(.band) .number")).slice(0, 8), ["2", "1", "2", "3", "4", "5", "6", "8"]);
  assert.equal((await tab.$$(".called")).length, 0);
  await tab.click(".row.call .unfold");
  await settled(tab);
  assert.equal((await tab.$$(".called")).length, 1);
  await tab.click(".row.call .text"); // the keys are the rows' again, not the button's
  assert.equal(await cursor(tab), 2);
  await press(tab, "Enter");
  assert.equal(await cursor(tab), 1);
  await press(tab, "ArrowDown", "ArrowDown");
  assert.equal(await cursor(tab), 3);
  await press(tab, "Enter");
  assert.equal(await cursor(tab), 2);
  await press(tab, "f");
  assert.equal((await tab.$$(".row.call")).length, 0);
});

shows("what is found inside a call opens it", stories.calls(), async (tab) => {
  await tab.fill("#search", "demonitors");
  await press(tab, "Enter");
  assert.equal(await cursor(tab), 6);
  assert.equal(await tab.getAttribute(".row.call .unfold", "aria-expanded"), "true");
});

shows("arrow keys move the cursor, and the address follows", stories.adders(), async (tab) => {
  assert.equal(await cursor(tab), 23);
  await press(tab, "Home");
  assert.equal(await cursor(tab), 1);
  await press(tab, "ArrowDown", "ArrowDown", "j");
  assert.equal(await cursor(tab), 4);
  await press(tab, "ArrowUp");
  assert.equal(await cursor(tab), 3);
  await tab.waitForFunction(() => location.hash === "#step=3");
  await press(tab, "End");
  assert.equal(await cursor(tab), 23);
  await press(tab, "PageUp");
  assert.equal(await cursor(tab), 11);
});

shows("with Shift the cursor stays in the lane, left and right change it", stories.adders(), async (tab) => {
  await press(tab, "Home", "Shift+ArrowDown");
  assert.equal(await cursor(tab), 2);
  await press(tab, "ArrowRight"); // P.1 has made no step so far: its first one
  assert.equal(await cursor(tab), 9);
  await press(tab, "ArrowRight"); // P.2's last one before
  assert.equal(await cursor(tab), 6);
  await press(tab, "Shift+ArrowDown");
  assert.equal(await cursor(tab), 17);
  await press(tab, "ArrowLeft");
  assert.equal(await cursor(tab), 13);
});

shows("a click on a row moves the cursor", stories.adders(), async (tab) => {
  await tab.click("[data-row='4'] .what");
  assert.equal(await cursor(tab), 5);
  assert.equal(await tab.getAttribute(".row.cursor", "aria-selected"), "true");
  const active = await tab.getAttribute("[role=grid]", "aria-activedescendant");
  assert.equal(await tab.getAttribute(".row.cursor", "id"), active);
  await tab.click(".lanehead >> text=P (Main)");
  assert.equal(await cursor(tab), 4);
});

shows("an address leads to its step, also when it changes", stories.adders(), async (tab) => {
  assert.equal(await cursor(tab), 12);
  await tab.evaluate(() => (location.hash = "#step=7"));
  await settled(tab);
  assert.equal(await cursor(tab), 7);
  await tab.evaluate(() => (location.hash = "#step=70000"));
  await settled(tab);
  assert.equal(await cursor(tab), 7);
}, { hash: "#step=12" });

shows("an address leads to a step of the passing run", stories.lostUpdate(), async (tab) => {
  assert.equal(await cursor(tab), 8);
  assert.equal((await tab.$$(".pane")).length, 2);
  assert.match(await tab.textContent("#step-title"), /of the passing run/);
}, { hash: "#step=8&run=passing" });

shows("steps that have nothing to do with the bug are folded", stories.long(200), async (tab) => {
  await press(tab, "Home");
  const folds = await texts(tab, ".fold .what");
  assert.ok(folds.length > 2);
  assert.match(folds[0], /^\d+ steps that have nothing to do with it, 9 of them a library's own affair$/);
  const shown = async () => (await tab.$$(".row .text bdi")).length;
  const few = await shown();
  await tab.click(".fold button >> nth=0");
  assert.ok((await shown()) > few);
  assert.equal(await tab.getAttribute(".fold button >> nth=0", "aria-expanded"), "true");
  await tab.click(".fold button >> nth=0");
  assert.equal(await shown(), few);
});

shows("Enter opens and closes a fold, f opens them all", stories.long(200), async (tab) => {
  await press(tab, "Home", "ArrowDown", "ArrowDown", "ArrowDown");
  assert.match(await tab.textContent(".row.cursor .what"), /nothing to do with it/);
  await press(tab, "Enter");
  assert.equal(await tab.getAttribute(".fold button >> nth=0", "aria-expanded"), "true");
  assert.equal(await cursor(tab), 4);
  await press(tab, "Enter");
  assert.equal(await tab.getAttribute(".fold button >> nth=0", "aria-expanded"), "false");
  await press(tab, "f");
  assert.equal((await tab.$$(".fold")).length, 0);
});

shows("an address of a folded step opens its fold", stories.long(200), async (tab) => {
  assert.equal(await cursor(tab), 10);
  assert.equal(await tab.textContent(".row.cursor .number"), "10");
}, { hash: "#step=10" });

shows("idle actors share a lane, which opens", stories.long(200), async (tab) => {
  assert.equal((await texts(tab, ".lanehead")).at(-1), "9 others");
  await tab.click("text=9 others");
  await settled(tab);
  assert.equal((await tab.$$(".lanehead")).length, 17);
  await tab.click("text=Fold idle actors");
  await settled(tab);
  assert.equal((await tab.$$(".lanehead")).length, 9);
});

shows("a search finds texts, actors and places", stories.adders(), async (tab) => {
  await press(tab, "/");
  await tab.keyboard.type("keeper takes ewrite");
  await tab.keyboard.press("Enter");
  await settled(tab);
  assert.equal(await cursor(tab), 20);
  assert.equal(await tab.textContent(".search [role=status]"), "1 of 2");
  assert.equal((await tab.$$(".row.found")).length, 2);
  await press(tab, "Escape"); // leaves the field, and ends the search
  assert.equal((await tab.$$(".row.found")).length, 0);
  await press(tab, "/");
  await tab.keyboard.type("lost_update.p:39");
  await press(tab, "Enter");
  assert.equal(await cursor(tab), 6);
  await tab.evaluate(() => document.activeElement.blur());
  await press(tab, "n");
  assert.equal(await cursor(tab), 8);
  await press(tab, "N");
  assert.equal(await cursor(tab), 6);
  await press(tab, "/");
  await tab.fill("#search", "no such thing");
  assert.equal(await tab.textContent(".search [role=status]"), "none");
});

shows("actors are filtered and hidden", stories.adders(), async (tab) => {
  await press(tab, "m");
  await tab.click("dialog label >> text=P.3 (Adder)");
  await tab.click("dialog >> text=Close");
  await settled(tab);
  assert.deepEqual(await texts(tab, ".lanehead"), ["P (Main)", "P.1 (Keeper)", "P.2 (Adder)"]);
  assert.equal((await tab.$$(".row .text bdi")).length, 18);
  await tab.waitForSelector("text=Actors (1 actor hidden)");
  await press(tab, "m");
  await tab.fill("dialog input[type=search]", "adder");
  assert.equal((await tab.$$("dialog li")).length, 2);
  await tab.click("text=Show all");
  await press(tab, "Escape");
  await settled(tab);
  assert.equal((await tab.$$(".lanehead")).length, 4);
  await press(tab, "h");
  assert.equal((await tab.$$(".lanehead")).length, 3);
});

shows("the passing run is beside it, its first difference in sight", stories.lostUpdate(), async (tab) => {
  await press(tab, "p");
  assert.equal((await tab.$$(".pane")).length, 2);
  assert.equal(await cursor(tab), 5);
  assert.equal((await tab.$$(".failing .row.common")).length, 4);
  assert.equal((await tab.$$(".passing .row.common")).length, 4);
  assert.deepEqual(await texts(tab, ".chip"), ["before 5", "after 3", "before 8", "after 3"]);
  const partings = await tab.$$eval(".band.parting", (bands) => bands.map((band) => band.getBoundingClientRect().top));
  assert.equal(partings.length, 2);
  assert.equal(partings[0], partings[1]);
  await tab.click(".passing [data-row='9'] .what");
  assert.match(await tab.textContent("#step-title"), /of the passing run/);
  await press(tab, "p");
  assert.equal((await tab.$$(".pane")).length, 1);
  assert.equal((await tab.$$(".band.parting")).length, 0);
});

shows("races are drawn, and the deciding one stands out", stories.registrationServer(), async (tab) => {
  assert.equal((await tab.$$(".arrow.race")).length, 2);
  assert.equal((await tab.$$(".arrow.race.deciding")).length, 1);
  assert.deepEqual(await texts(tab, ".chip"), ["decides: before 10", "decides: after 9"]);
  await tab.click("text=Show these steps");
  assert.equal(await cursor(tab), 9);
  await press(tab, "d");
  assert.equal(await cursor(tab), 10);
  await press(tab, "d", "b");
  assert.equal(await cursor(tab), 10);
});

shows("a diamond lists what else could have moved", stories.lostUpdate(), async (tab) => {
  await tab.click("[data-row='2'] .diamond");
  assert.equal(await cursor(tab), 3);
  const items = await texts(tab, ".popover li");
  assert.equal(items.length, 2);
  assert.match(items[0], /^P\.2 locks mutex .*here at step 5.*this bug again$/);
  await press(tab, "Escape");
  assert.equal(await tab.$(".popover"), null);
  await press(tab, "a");
  await tab.click(".popover >> text=here at step 5");
  assert.equal(await cursor(tab), 5);
});

shows("what led to a step is lit, the rest dimmed", stories.adders(), async (tab) => {
  await press(tab, "c");
  assert.equal((await tab.$$(".row.dim")).length, 0);
  await tab.click("[data-row='9'] .what"); // step 10 comes after 1 to 6 and 9
  const dim = await tab.$$eval(".row.dim .number", (rows) => rows.map((row) => Number(row.textContent)));
  assert.deepEqual(dim, [4, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
  await press(tab, "c");
  assert.equal((await tab.$$(".row.dim")).length, 0);
  await tab.hover("[data-row='4'] .lanearea");
  await settled(tab);
  assert.equal((await tab.$$(".row.dim")).length, 19);
  await tab.hover("h1");
  await settled(tab);
  assert.equal((await tab.$$(".row.dim")).length, 0);
});

shows("a loop has a bracket", stories.starvation(), async (tab) => {
  assert.equal(await tab.textContent(".loop"), "again and again");
  assert.match((await texts(tab, ".band.end"))[0], /from step 8, again and again/);
  const [top] = await tab.$$eval(".loop polygon", (heads) => heads.map((head) => head.getBoundingClientRect().top));
  const row = await tab.$eval("[data-row='8']", (element) => element.getBoundingClientRect());
  assert.ok(top > row.top && top < row.bottom);
});

shows("a deadlock has its wait-for graph", stories.philosophers(), async (tab) => {
  assert.equal((await tab.$$(".waitgraph .node")).length, 4);
  assert.equal((await tab.$$(".waitgraph .edge")).length, 4);
  assert.equal((await tab.$$(".waitgraph .edge.cycle")).length, 3);
  assert.deepEqual(await texts(tab, ".waitgraph li"), ["P waits for P.1", "P.1 waits for P.2", "P.2 waits for P.3", "P.3 waits for P.1"]);
  assert.equal((await tab.$$(".stuck")).length, 4);
});

shows("the source follows the cursor", stories.lostUpdate(), async (tab) => {
  await press(tab, "Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
  assert.match(await tab.textContent(".line.lit code"), /pthread_mutex_lock/);
  assert.equal(await tab.textContent(".line.lit .number"), "17");
  const marks = await tab.$$eval(".line", (lines) => lines.filter((line) => line.querySelector(".mark")).map((line) => [line.querySelector(".number").textContent, line.querySelector(".stands").textContent]));
  assert.deepEqual(marks, [["17", "P.2"], ["19", "P.1"], ["31", "P"]]);
  await press(tab, "End");
  await tab.waitForSelector(".line.bug >> text=the bug shows here");
});

shows("the state is that of all steps so far, and what has changed is lit", stories.lostUpdate(), async (tab) => {
  assert.deepEqual(await texts(tab, ".state dd"), ["100"]);
  assert.equal((await tab.$$(".state .changed")).length, 0);
  await press(tab, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
  assert.equal(await cursor(tab), 8);
  const changed = await texts(tab, ".state .changed");
  assert.deepEqual(changed, ["changed: 100 → 110"]);
  assert.equal(await tab.getAttribute(".state .changed del", "class"), null);
}, { hash: "#step=3" });

shows("keys and signs are listed, and Escape closes the list", stories.lostUpdate(), async (tab) => {
  await press(tab, "?");
  assert.ok((await tab.$$("dialog kbd")).length > 20);
  assert.ok((await tab.$$("dialog svg")).length > 5);
  await press(tab, "Escape");
  assert.equal(await tab.$("dialog"), null);
  await tab.click("[aria-label=Keys]");
  await tab.waitForSelector("dialog");
  await tab.click("dialog >> text=Close");
  await settled(tab);
  assert.equal(await tab.$("dialog"), null);
});

for (const dark of [false, true]) {
  shows(`the page is ${dark ? "dark" : "light"} as the system is, and can be switched`, stories.lostUpdate(), async (tab) => {
    const brightness = () => tab.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]));
    assert.equal((await brightness()) < 80, dark);
    await press(tab, "t");
    assert.equal((await brightness()) < 80, !dark);
    await tab.click("[aria-label='Dark or light']");
    assert.equal((await brightness()) < 80, dark);
  }, { dark });
}

shows("the line between the sides can be moved", stories.lostUpdate(), async (tab) => {
  const width = () => tab.$eval(".side", (side) => side.getBoundingClientRect().width);
  const before = await width();
  const line = await tab.$eval(".splitter", (element) => element.getBoundingClientRect().toJSON());
  await tab.mouse.move(line.x + 3, line.y + 100);
  await tab.mouse.down();
  await tab.mouse.move(line.x - 147, line.y + 100);
  await tab.mouse.up();
  await settled(tab);
  assert.ok(Math.abs((await width()) - before - 150) < 8);
  const dragged = await width();
  await tab.focus(".splitter");
  await press(tab, "ArrowRight");
  assert.ok((await width()) < dragged - 20);
  assert.equal(await cursor(tab), 14);
});

const drawn = { ...stories.long(300), preemptions: 150 };
drawn.failing.steps.forEach((step, at) => at > 20 && at % 2 && (step.switch = "preemption"));
shows("of very many preemptions each is a mark at its row", drawn, async (tab) => {
  await press(tab, "f");
  assert.equal((await tab.$$(".band.preemption")).length, 0);
  assert.ok((await tab.$$(".row.preempts")).length > 10);
});

shows("hundreds of actors leave room for the texts", stories.long(3000, 300, 0), async (tab) => {
  const [lanes, text] = await tab.$eval(".row.cursor", (row) => [".lanearea", ".what"].map((part) => row.querySelector(part).getBoundingClientRect().width));
  assert.ok(lanes < 400 && text > 300, `${lanes} ${text}`);
  assert.deepEqual(await texts(tab, ".lanehead"), ["P.1 (server)"]);
  assert.ok((await tab.$$(".life")).length < 60);
});

shows("hostile texts are texts", stories.hostile(), async (tab) => {
  for (const key of ["Home", "a", "Escape", "f", "c", "m", "Escape", "?", "Escape"]) await press(tab, key);
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
  assert.equal((await tab.$$("img, script[src], iframe")).length, 0);
  assert.equal(await tab.evaluate(() => document.body.scrollWidth <= innerWidth), true);
  assert.match(await tab.textContent(".lanehead >> nth=1"), /‹U\+202E›/);
  await press(tab, "End");
  assert.match(await tab.textContent(".source .empty"), /The text of gone\.erl is not here: the file has been deleted\./);
  await tab.click(".difference >> text=all 20,001 characters");
  assert.ok((await tab.textContent(".difference")).length > 20_000);
});

shows("a printed page has every step", stories.long(400), async (tab) => {
  await press(tab, "f");
  await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settled(tab);
  assert.equal((await tab.$$(".row .text bdi")).length, 400);
  await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
  await settled(tab);
  assert.ok((await tab.$$(".row .text bdi")).length < 200);
  assert.ok((await tab.pdf()).length > 10_000);
});

test("what is no story is said to be none", async () => {
  const cases = [
    ["", /holds no story/],
    ["{", /damaged/],
    ["[]", /not a story/],
    ['{"format": "ravel-story", "version": 2, "ravel": "9.1.0"}', /version 2; this page reads version 1/],
    ['{"format": "ravel-story", "version": 1}', /This execution has no bug/],
  ];
  for (const [text, wanted] of cases) {
    const tab = await browser.open(text);
    assert.match(await tab.textContent("h1"), wanted);
    assert.deepEqual(tab.faults, []);
    await tab.context().close();
  }
});

shows("a run without a bug is shown", { ...stories.lostUpdate(), bug: undefined, failing: undefined, difference: [] }, async (tab) => {
  assert.equal(await tab.textContent("h1"), "This execution has no bug.");
  assert.equal((await tab.$$(".row .text bdi")).length, 14);
  assert.deepEqual(await texts(tab, ".band.end"), ["the test passes"]);
});
