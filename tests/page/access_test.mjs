// Whether everybody can use the page: axe-core finds nothing serious, in both themes and with what can be opened.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Browser, press, settled } from "./browser.mjs";
import * as stories from "./stories.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await Browser.start();
});
after(async () => {
  await browser.stop();
});

const CASES = [
  ["an Erlang deadlock", stories.registrationServer(), []],
  ["two runs side by side", stories.lostUpdate(), ["p"]],
  ["a wait-for graph", stories.philosophers(), []],
  ["what led here", stories.adders(), ["ArrowUp", "ArrowUp"]],
  ["alternatives", stories.lostUpdate(), ["d", "a"]],
  ["folds and a crowd", stories.long(300), ["Home"]],
  ["the keys", stories.starvation(), ["?"]],
  ["the actors", stories.adders(), ["m"]],
];

for (const dark of [false, true]) {
  for (const [name, story, keys] of CASES) {
    test(`${name}, ${dark ? "dark" : "light"}`, async () => {
      const tab = await browser.open(story, { dark });
      await press(tab, ...keys);
      await settled(tab);
      await tab.evaluate(AXE);
      const found = await tab.evaluate(async () => {
        const result = await window.axe.run(document, { resultTypes: ["violations"] });
        const serious = result.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
        return serious.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`).join(" | ")}`);
      });
      assert.deepEqual(found, []);
      await tab.context().close();
    });
  }
}
