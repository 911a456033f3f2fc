// Which rows a run has: one for each step, but steps that have nothing to do with the bug are folded into one row.
// All rows have the same height, so that the place of a row is its number times that height.

import type { Call } from "./model";
import type { Run } from "./run";

export type Row =
  | { kind: "step"; step: number }
  | { kind: "fold"; from: number; to: number; open: boolean; count: number; inner: number } // steps from..to
  | { kind: "call"; from: number; to: number; open: boolean; call: Call } // steps from..to, told as one
  | { kind: "preemption"; step: number } // before this step
  | { kind: "parting" } // up to here both runs are the same
  | { kind: "cut" } // steps after these are left out
  | { kind: "end" };

export interface Layout {
  rows: Row[];
  rowOf: Int32Array; // of each step: its row, or that of the fold that it is in; of a hidden step, a row nearby
}

export interface Choice {
  opened: ReadonlySet<string>; // keys of folds
  everything: boolean; // nothing is folded
  hidden: ReadonlySet<number>; // actors
  compare: boolean; // both runs are shown
}

// One folded step takes as much room as the step itself.
const FOLDED_STEPS_MIN = 2;

/** The key of a fold: the same in both runs where they are the same. */
export function foldKey(run: Run, from: number, common: number): string {
  return `${from < common ? "common" : run.name} ${from}`;
}

/** Whether each step is folded by default. `like`: the run whose steps decide, up to `common`. */
export function foldable(run: Run, like: Run | undefined, common: number): Uint8Array {
  const marks = new Uint8Array(run.steps.length);
  run.steps.forEach((step, at) => {
    const decides = (step.switch === "preemption" && run.hasFewPreemptions) || step.races.length > 0 || at === run.steps.length - 1;
    marks[at] = !decides && (step.inner || (run.hasRelevant && !step.relevant)) ? 1 : 0;
  });
  if (like) marks.set(foldable(like, undefined, 0).subarray(0, Math.min(common, marks.length)));
  for (const race of run.arrows) if (race.kind === "race") marks[race.to] = 0;
  return marks;
}

export function layoutOf(run: Run, folds: Uint8Array, common: number, choice: Choice): Layout {
  const rows: Row[] = [];
  const rowOf = new Int32Array(run.steps.length);
  const hides = (at: number) => choice.hidden.has(run.steps[at]?.actor ?? -1);
  const show = (at: number) => {
    if (hides(at)) {
      rowOf[at] = Math.max(0, rows.length - 1);
      return;
    }
    if (run.steps[at]?.switch === "preemption" && run.hasFewPreemptions) rows.push({ kind: "preemption", step: at });
    rowOf[at] = rows.length;
    rows.push({ kind: "step", step: at });
  };
  const told = choice.everything ? new Map<number, Call>() : toldCalls(run, folds, common, hides);
  for (let at = 0; at < run.steps.length; ) {
    if (choice.compare && common > 0 && at === common) rows.push({ kind: "parting" });
    const call = told.get(at);
    const limit = at < common ? common : run.steps.length;
    const end = call ? call.last + 1 : choice.everything ? at : endOfFold(folds, told, at, limit);
    const steps = end - at < FOLDED_STEPS_MIN ? [] : range(at, end).filter((step) => !hides(step));
    if (!call && steps.length < FOLDED_STEPS_MIN) {
      for (const last = Math.max(end, at + 1); at < last; at++) show(at);
      continue;
    }
    const open = choice.opened.has(foldKey(run, at, common));
    if (call && run.steps[at]?.switch === "preemption" && run.hasFewPreemptions && !open) rows.push({ kind: "preemption", step: at });
    rowOf.fill(rows.length, at, end);
    if (call) rows.push({ kind: "call", from: at, to: call.last, open, call });
    else rows.push({ kind: "fold", from: at, to: end - 1, open, count: steps.length, inner: steps.filter((step) => run.steps[step]?.inner).length });
    if (open) for (let step = at; step < end; step++) show(step);
    at = end;
  }
  if (choice.compare && common > 0 && common === run.steps.length) rows.push({ kind: "parting" });
  if (run.execution.leftOut > 0) rows.push({ kind: "cut" });
  rows.push({ kind: "end" });
  return { rows, rowOf };
}

function endOfFold(folds: Uint8Array, told: ReadonlyMap<number, Call>, from: number, limit: number): number {
  let end = from;
  while (end < limit && folds[end] && !told.has(end)) end++;
  return end;
}

/** The calls that have a row of their own, by their first steps: not all of their steps are folded, and none is hidden. */
function toldCalls(run: Run, folds: Uint8Array, common: number, hides: (step: number) => boolean): Map<number, Call> {
  const told = new Map<number, Call>();
  for (const call of run.execution.calls) {
    const steps = range(call.first, call.last + 1);
    const isParted = call.first < common && call.last >= common;
    if (!isParted && !steps.some(hides) && steps.some((step) => !folds[step])) told.set(call.first, call);
  }
  return told;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** The step that the cursor takes when it comes to a row; undefined: the row has none. */
export function stepOfRow(row: Row | undefined): number | undefined {
  if (row?.kind === "step") return row.step;
  if (row?.kind === "call") return row.call.main;
  return row?.kind === "fold" ? row.to : undefined;
}

/** What a folded row says. */
export function foldText(row: { count: number; inner: number }): string {
  if (row.inner === row.count) return `${row.count} steps that only look, or are a library's own affair`;
  if (row.inner === 0) return `${row.count} steps that have nothing to do with it`;
  return `${row.count} steps that have nothing to do with it, ${row.inner} of them a library's own affair`;
}
