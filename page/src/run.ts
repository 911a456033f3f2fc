// An execution with what is derived of it once: each actor's steps, arrows, where actors wait, what happens before what.

import type { Actor, Execution, RunName, StateChange, Step } from "./model";

export interface Arrow {
  kind: "message" | "race" | "before" | "birth";
  from: number; // a step
  to: number; // a later step
  decides: boolean;
}

export interface Run {
  name: RunName;
  execution: Execution;
  steps: Step[];
  hasRelevant: boolean; // some steps are known to have to do with the bug
  hasFewPreemptions: boolean; // so few that each is worth a row
  stepsOf: number[][]; // of each actor, in order
  positionOf: Int32Array; // of each step, in its actor's list
  bornAt: (number | undefined)[]; // the step that has made the actor
  endedAt: (number | undefined)[]; // the actor's last step, if it has ended
  waits: { actor: number; from: number; to: number }[]; // between two steps of its own, or up to the end (to = steps)
  arrows: Arrow[];
  checkpoints: Map<string, Part>[]; // the state before step N * CHECKPOINT_STEPS, see stateAt()
}

// A schedule that was drawn at random has thousands, and they say little.
const PREEMPTIONS_FEW = 40;

export function runOf(name: RunName, execution: Execution, actors: Actor[]): Run {
  const steps = execution.steps;
  const stepsOf: number[][] = actors.map(() => []);
  const positionOf = new Int32Array(steps.length);
  steps.forEach((step, at) => {
    const own = stepsOf[step.actor] as number[];
    positionOf[at] = own.length;
    own.push(at);
  });
  const bornAt = births(steps, actors.length);
  const endedAt = actors.map((actor, at) => endOf(stepsOf[at] ?? [], steps, name === "failing" ? actor.ended : undefined, actor.end));
  const hasRelevant = steps.some((step) => step.relevant);
  const hasFewPreemptions = steps.filter((step) => step.switch === "preemption").length <= PREEMPTIONS_FEW;
  const run: Run = { name, execution, steps, hasRelevant, hasFewPreemptions, stepsOf, positionOf, bornAt, endedAt, waits: [], arrows: [], checkpoints: [] };
  run.waits = waitsOf(run);
  run.arrows = arrowsOf(run);
  return run;
}

function births(steps: Step[], actors: number): (number | undefined)[] {
  const found: (number | undefined)[] = new Array(actors).fill(undefined);
  steps.forEach((step, at) => {
    if (step.spawns !== undefined && found[step.spawns] === undefined) found[step.spawns] = at;
  });
  return found;
}

/** The last step of an actor if it is over then: told so, or the same as what ended it in the other execution. */
function endOf(own: number[], steps: Step[], told: number | undefined, end: string): number | undefined {
  const last = own[own.length - 1];
  if (last === undefined) return undefined;
  const step = steps[last];
  return told === last || step?.kind === "end" || (end !== "" && step?.text === end) ? last : undefined;
}

function waitsOf(run: Run): Run["waits"] {
  const found: Run["waits"] = [];
  const next = (actor: number, step: number) => {
    const own = run.stepsOf[actor] ?? [];
    return own[positionUpTo(own, step) + 1] ?? run.steps.length;
  };
  run.steps.forEach((step, at) => {
    for (const change of step.state) {
      const { actor } = change;
      if (actor !== undefined && change.part === "waits" && change.lines.length > 0) found.push({ actor, from: at, to: next(actor, at) });
    }
  });
  for (const waiting of run.execution.waiting) {
    if (found.some((other) => other.actor === waiting.actor && other.to === run.steps.length)) continue;
    const own = run.stepsOf[waiting.actor] ?? [];
    found.push({ actor: waiting.actor, from: own[own.length - 1] ?? run.bornAt[waiting.actor] ?? 0, to: run.steps.length });
  }
  return found;
}

function arrowsOf(run: Run): Arrow[] {
  const arrows: Arrow[] = [];
  const messages = new Set<number>();
  const pair = (from: number, to: number) => from * run.steps.length + to;
  const add = (kind: Arrow["kind"], from: number, to: number, decides = false) => arrows.push({ kind, from, to, decides });
  const message = (from: number, to: number) => {
    if (messages.has(pair(from, to))) return;
    messages.add(pair(from, to));
    add("message", from, to);
  };
  run.steps.forEach((step, at) => {
    for (const send of step.sends) if (send.received !== undefined) message(at, send.received);
    if (step.receives !== undefined) message(step.receives, at);
    for (const race of step.races) if (race.with !== undefined) add("race", at, race.with, race.decides);
    for (const before of step.after) add("before", before, at);
  });
  // A message says all that an edge of happens-before could say.
  return arrows.filter((arrow) => arrow.kind !== "before" || !messages.has(pair(arrow.from, arrow.to)));
}

/** Marks the steps that happen before `step`, and itself. */
export function causalPast(run: Run, step: number): Uint8Array {
  const past = new Uint8Array(run.steps.length);
  const stack = [step];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (past[at]) continue;
    past[at] = 1;
    stack.push(...predecessors(run, at));
  }
  return past;
}

function predecessors(run: Run, at: number): number[] {
  const step = run.steps[at];
  if (!step) return [];
  const found = [...step.after];
  const own = run.stepsOf[step.actor]?.[(run.positionOf[at] ?? 0) - 1];
  const before = own ?? run.bornAt[step.actor];
  if (before !== undefined && before < at) found.push(before);
  if (step.receives !== undefined) found.push(step.receives);
  return found;
}

export interface Pair {
  from: number;
  to?: number; // absent: the other step does not happen in this execution
}

/** The pairs of steps whose order makes the difference. */
export function decidingPairs(run: Run): Pair[] {
  return run.steps.flatMap((step, from) =>
    step.races.filter((race) => race.decides).map((race) => (race.with === undefined ? { from } : { from, to: race.with })),
  );
}

// A part of the state, as it is after a step.
export interface Part extends StateChange {
  changedAt: number;
  before: string[]; // its lines before that change
}

const CHECKPOINT_STEPS = 256;

/** The parts of the state after `step`. Costs time in proportion to CHECKPOINT_STEPS once it was asked for nearby. */
export function stateAt(run: Run, step: number): Part[] {
  const chunk = Math.floor(step / CHECKPOINT_STEPS);
  while (run.checkpoints.length <= chunk) {
    const last = run.checkpoints.length - 1;
    const parts = new Map(run.checkpoints[last]);
    if (last >= 0) apply(run, parts, last * CHECKPOINT_STEPS, (last + 1) * CHECKPOINT_STEPS);
    run.checkpoints.push(parts);
  }
  const parts = new Map(run.checkpoints[chunk]);
  apply(run, parts, chunk * CHECKPOINT_STEPS, step + 1);
  // What has gone in this very step is still shown, as gone.
  return [...parts.values()].filter((part) => part.lines.length > 0 || (part.changedAt === step && part.before.length > 0));
}

function apply(run: Run, parts: Map<string, Part>, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    for (const change of run.steps[at]?.state ?? []) {
      const key = `${change.actor}\0${change.part}\0${change.name}`;
      parts.set(key, { ...change, changedAt: at, before: parts.get(key)?.lines ?? [] });
    }
  }
}

/** The last step that each actor has made up to `step`; undefined: none so far. */
export function standingAt(run: Run, step: number): (number | undefined)[] {
  return run.stepsOf.map((own) => own[positionUpTo(own, step)]);
}

/** The position of the last element of a sorted list that is at most `limit`, or -1. */
export function positionUpTo(sorted: number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
