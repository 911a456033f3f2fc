// What the reader has chosen to see, and the moves that change it. Moves are pure: a view comes in, a view goes out.

import { decidingPairs, positionUpTo, type Run } from "./run";
import { foldKey, stepOfRow, type Layout } from "./rows";
import type { Lanes } from "./lanes";
import type { RunName, Story } from "./model";

export interface View {
  run: RunName; // of the cursor
  step: number; // the cursor: a step of that run
  centred: number; // counts up when the cursor's row is to be in the middle
  compare: boolean; // both runs are shown
  opened: ReadonlySet<string>; // folds
  everything: boolean; // nothing is folded
  hidden: ReadonlySet<number>; // actors
  crowdOpen: boolean;
  past: boolean; // what happens before the cursor is lit
  query: string;
  dialog: "none" | "keys" | "actors" | "choices";
}

/** What moves need to know: the story, and how it is laid out at present. */
export interface Scene {
  story: Story;
  runs: Partial<Record<RunName, Run>>;
  layouts: Partial<Record<RunName, Layout>>;
  lanes: Lanes;
  common: number; // 0 if there is only one run
  matches: number[]; // steps of the cursor's run that the query finds
}

export type Move = (view: View, scene: Scene) => View;

/** The view with which the page opens: the cursor is where the bug shows. */
export function firstView(story: Story): View {
  const run: RunName = story.failing ? "failing" : "passing";
  return {
    run,
    step: Math.max(0, (story[run]?.steps.length ?? 0) - 1),
    centred: 0,
    compare: false,
    opened: new Set(),
    everything: false,
    hidden: new Set(),
    crowdOpen: false,
    past: false,
    query: "",
    dialog: "none",
  };
}

/** Puts the cursor on a step, opens what hides it, and shows it in the middle. */
export function jumpTo(step: number, name?: RunName): Move {
  return (view, scene) => {
    const run = scene.runs[name ?? view.run];
    if (!run || !run.steps[step]) return view;
    const row = scene.layouts[run.name]?.rows[scene.layouts[run.name]?.rowOf[step] ?? -1];
    const opened = new Set(view.opened);
    const isInside = row?.kind === "fold" || (row?.kind === "call" && row.call.main !== step);
    if (isInside && !row.open) opened.add(foldKey(run, row.from, scene.common));
    const hidden = new Set(view.hidden);
    hidden.delete(run.steps[step].actor);
    const compare = view.compare || (run.name === "passing" && scene.runs.failing !== undefined);
    return { ...view, run: run.name, step, opened, hidden, compare, centred: view.centred + 1 };
  };
}

/** Puts the cursor on a step that is to be seen. */
export function select(step: number, run: RunName): Move {
  return (view) => ({ ...view, run, step });
}

function current(view: View, scene: Scene): { run: Run; layout: Layout } | undefined {
  const run = scene.runs[view.run];
  const layout = scene.layouts[view.run];
  return run && layout ? { run, layout } : undefined;
}

/** Goes on by so many rows; rows without a step do not count. */
export function byRows(count: number): Move {
  return (view, scene) => {
    const here = current(view, scene);
    if (!here) return view;
    const { rows, rowOf } = here.layout;
    const direction = Math.sign(count);
    let step = view.step;
    let left = Math.abs(count);
    for (let at = (rowOf[view.step] ?? 0) + direction; left > 0 && at >= 0 && at < rows.length; at += direction) {
      const found = stepOfRow(rows[at]);
      if (found === undefined || isOpenFold(rows[at])) continue;
      step = found;
      left--;
    }
    return { ...view, step };
  };
}

function isOpenFold(row: Layout["rows"][0] | undefined): boolean {
  return (row?.kind === "fold" || row?.kind === "call") && row.open;
}

/** Whether a step has a row of its own. */
function isShown(layout: Layout, step: number): boolean {
  const row = layout.rows[layout.rowOf[step] ?? -1];
  return (row?.kind === "step" && row.step === step) || (row?.kind === "call" && !row.open && row.call.main === step);
}

/** The next (1) or last (-1) step of the same actor. */
export function inLane(direction: 1 | -1): Move {
  return (view, scene) => {
    const here = current(view, scene);
    if (!here) return view;
    const own = here.run.stepsOf[here.run.steps[view.step]?.actor ?? -1] ?? [];
    for (let at = positionUpTo(own, view.step) + direction; at >= 0 && at < own.length; at += direction) {
      if (isShown(here.layout, own[at] as number)) return { ...view, step: own[at] as number };
    }
    return view;
  };
}

/** To the lane on the right (1) or left (-1): its last step before the cursor, or else its first one after it. */
export function acrossLanes(direction: 1 | -1): Move {
  return (view, scene) => {
    const here = current(view, scene);
    if (!here) return view;
    const from = scene.lanes.laneOf[here.run.steps[view.step]?.actor ?? -1] ?? 0;
    for (let lane = from + direction; lane >= 0 && lane < scene.lanes.lanes.length; lane += direction) {
      const actors = scene.lanes.lanes[lane]?.actors ?? [];
      const steps = actors.flatMap((actor) => here.run.stepsOf[actor] ?? []).filter((step) => isShown(here.layout, step));
      steps.sort((a, b) => a - b);
      const found = steps[Math.max(0, positionUpTo(steps, view.step))];
      if (found !== undefined) return { ...view, step: found };
    }
    return view;
  };
}

export const toFirst: Move = (view, scene) => {
  const layout = current(view, scene)?.layout;
  const row = layout?.rows.find((row) => stepOfRow(row) !== undefined && !isOpenFold(row));
  return { ...view, step: stepOfRow(row) ?? view.step };
};

export const toLast: Move = (view, scene) => {
  const rows = current(view, scene)?.layout.rows ?? [];
  for (let at = rows.length - 1; at >= 0; at--) {
    const step = stepOfRow(rows[at]);
    if (step !== undefined && !isOpenFold(rows[at])) return { ...view, step };
  }
  return view;
};

/** To the next step of a deciding pair after the cursor; after the last one, to the first one again. */
export const toRace: Move = (view, scene) => {
  const run = scene.runs.failing ?? scene.runs[view.run];
  if (!run) return view;
  const steps = decidingPairs(run).flatMap((pair) => (pair.to === undefined ? [pair.from] : [pair.from, pair.to]));
  steps.sort((a, b) => a - b);
  const next = view.run === run.name ? steps.find((step) => step > view.step) : undefined;
  const there = next ?? steps[0];
  return there === undefined ? view : jumpTo(there, run.name)(view, scene);
};

/** To the last step of the run with the bug: where the bug shows. */
export const toBug: Move = (view, scene) => {
  const run = scene.runs.failing ?? scene.runs[view.run];
  return run ? jumpTo(run.steps.length - 1, run.name)(view, scene) : view;
};

export function toMatch(direction: 1 | -1): Move {
  return (view, scene) => {
    const { matches } = scene;
    if (matches.length === 0) return view;
    const after = positionUpTo(matches, view.step);
    const before = matches[after] === view.step ? after - 1 : after;
    const next = direction === 1 ? after + 1 : before;
    const found = matches[(next + matches.length) % matches.length];
    return found === undefined ? view : jumpTo(found)(view, scene);
  };
}

export function toggleFold(run: Run, from: number): Move {
  return (view, scene) => {
    const key = foldKey(run, from, scene.common);
    const opened = new Set(view.opened);
    if (!opened.delete(key)) opened.add(key);
    return { ...view, opened, run: run.name };
  };
}

/** Opens the fold or the call in which the cursor is; closes it again from one of its steps. */
export const toggleFoldHere: Move = (view, scene) => {
  const here = current(view, scene);
  if (!here) return view;
  const row = here.layout.rows.find((row) => (row.kind === "fold" || row.kind === "call") && row.from <= view.step && view.step <= row.to);
  if (row?.kind !== "fold" && row?.kind !== "call") return view;
  const next = toggleFold(here.run, row.from)(view, scene);
  if (row.kind === "call") return { ...next, step: row.open ? row.call.main : row.from };
  return row.open ? { ...next, step: row.to } : { ...next, step: row.from };
};

export const toggleEverything: Move = (view) => ({ ...view, everything: !view.everything, centred: view.centred + 1 });

export const togglePast: Move = (view) => ({ ...view, past: !view.past });

/** Shows the other run beside this one, its first difference in the middle; or takes it away. */
export const toggleCompare: Move = (view, scene) => {
  if (!scene.runs.failing || !scene.runs.passing) return view;
  if (view.compare) return { ...view, compare: false, ...(view.run === "passing" ? endOf(scene.runs.failing) : {}) };
  const steps = scene.runs.failing.steps.length;
  return jumpTo(Math.min(scene.common, steps - 1), "failing")({ ...view, compare: true }, scene);
};

function endOf(run: Run): { run: RunName; step: number } {
  return { run: run.name, step: Math.max(0, run.steps.length - 1) };
}

export function hide(actor: number, hidden: boolean): Move {
  return (view) => {
    const next = new Set(view.hidden);
    if (hidden) next.add(actor);
    else next.delete(actor);
    return { ...view, hidden: next };
  };
}

export function showOnly(actors: number[] | undefined): Move {
  return (view, scene) => {
    const all = scene.story.actors.map((_, actor) => actor);
    return { ...view, hidden: new Set(actors ? all.filter((actor) => !actors.includes(actor)) : []) };
  };
}

export const hideCursorsActor: Move = (view, scene) => {
  const actor = scene.runs[view.run]?.steps[view.step]?.actor;
  if (actor === undefined || scene.lanes.lanes.length <= 1) return view;
  return byRows(-1)(hide(actor, true)(view, scene), scene);
};

export function dialog(name: View["dialog"]): Move {
  return (view) => ({ ...view, dialog: view.dialog === name ? "none" : name });
}

export const showAlternatives: Move = (view, scene) => {
  const some = (scene.runs[view.run]?.steps[view.step]?.choices.length ?? 0) > 0;
  return some ? { ...view, dialog: view.dialog === "choices" ? "none" : "choices" } : view;
};

/** Closes what is open; if nothing is, ends the search, then the light on the causal past. */
export const escape: Move = (view) => {
  if (view.dialog !== "none") return { ...view, dialog: "none" };
  if (view.query !== "") return { ...view, query: "" };
  return { ...view, past: false };
};
