// The cursor in the address: #step=12, or #step=12&run=passing. Steps count from 1 there, as they do on the page.

import type { RunName } from "./model";

export function readAddress(hash: string): { step: number; run?: RunName } | undefined {
  const step = /(?:^#|&)step=(\d{1,9})(?:&|$)/.exec(hash);
  if (!step) return undefined;
  const run = /(?:^#|&)run=(failing|passing)(?:&|$)/.exec(hash)?.[1] as RunName | undefined;
  const cursor = { step: Number(step[1]) - 1 };
  return run ? { ...cursor, run } : cursor;
}

export function addressOf(run: RunName, step: number): string {
  return `#step=${step + 1}${run === "passing" ? "&run=passing" : ""}`;
}

/** Writes the cursor into the address without a new entry of the history. Some hosts of pages refuse that. */
export function writeAddress(run: RunName, step: number): void {
  try {
    history.replaceState(null, "", addressOf(run, step));
  } catch {
    // The page works without an address.
  }
}
