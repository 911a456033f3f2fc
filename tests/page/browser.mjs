// A browser for the tests of the page: fills a story into the page, opens it, and watches for errors and requests.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PAGE = process.env.RAVEL_PAGE ?? join(import.meta.dirname, "../../page/dist/page.html");
const CHROMIUM = process.env.RAVEL_CHROMIUM ?? "/usr/bin/chromium";

/** The page with a text in its marker element, as the program writes it. */
export function filled(text) {
  const marker = '<script type="application/json" id="story">';
  const [before, after] = readFileSync(PAGE, "utf8").split(marker);
  return `${before}${marker}${text.replaceAll("<", "\\u003c")}${after}`;
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "ravel-page-"));
    browser.chromium = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    browser.opened = 0;
    return browser;
  }

  async stop() {
    await this.chromium.close();
    rmSync(this.folder, { recursive: true });
  }

  /** A tab that shows a story (or a text in its place). `faults` collects what must not happen. */
  async open(story, { hash = "", width = 1440, height = 900, dark = false, run = undefined } = {}) {
    const file = join(this.folder, `${this.opened++}.html`);
    writeFileSync(file, filled(typeof story === "string" ? story : JSON.stringify(story)));
    const context = await this.chromium.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
    const tab = await context.newPage();
    tab.faults = [];
    tab.on("pageerror", (error) => tab.faults.push(`error: ${error.message}`));
    tab.on("console", (message) => ["error", "warning"].includes(message.type()) && tab.faults.push(`console: ${message.text()}`));
    tab.on("request", (request) => request.url().split("#")[0] !== `file://${file}` && tab.faults.push(`request: ${request.url()}`));
    tab.file = file;
    tab.started = Date.now();
    await tab.goto(`file://${file}${hash}`);
    if (run) await run(tab);
    return tab;
  }
}

/** Presses keys one after the other, each seen by the page before the next one. */
export async function press(tab, ...keys) {
  for (const key of keys) {
    await tab.keyboard.press(key);
    await settled(tab);
  }
}

/** Waits until the page has drawn what it knows. */
export async function settled(tab) {
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The number of the step at the cursor, as the panel says it. */
export async function cursor(tab) {
  const title = await tab.textContent("#step-title");
  return Number(/Step (\d+) of/.exec(title)[1]);
}

export async function texts(tab, selector) {
  return tab.$$eval(selector, (found) => found.map((element) => element.textContent.trim()));
}
