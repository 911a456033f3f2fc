// Reads the JSON text of a story, and believes nothing of it: a field of a wrong type is as good as absent, an index
// that leads nowhere is dropped, a text that is too long is cut. So the rest of the page needs no checks.

import type { Actor, Bug, Call, Choice, Execution, Source, StateChange, Step, Story, Waiting } from "./model";

export const VERSION = 1;

// Longer texts would make a browser slow; the program cuts its values far below this.
const TEXT_MAX = 20_000;
const SOURCE_MAX = 4_000_000;

export type Reading = { story: Story } | { problem: string; help: string };

/** The story in a text, or what is wrong with it: a sentence, and what to do. Never throws. */
export function readStory(text: string): Reading {
  if (text.trim() === "") {
    return { problem: "This page holds no story.", help: "It is the empty template: ravel fills it when it shows a bug." };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: "The story in this page is damaged: it is not JSON.", help: String(error) };
  }
  const top = record(value);
  if (top.format !== "ravel-story") {
    return { problem: "What this page holds is not a story of Ravel.", help: "Make the page again with ravel show." };
  }
  if (typeof top.version !== "number" || top.version > VERSION) {
    const maker = string(top.ravel) || "unknown";
    return {
      problem: `This story has the format's version ${string(top.version) || "unknown"}; this page reads version ${VERSION}.`,
      help: `The story was made by Ravel ${maker}. Make the page with the same version of Ravel.`,
    };
  }
  return { story: storyOf(top) };
}

type Fields = Record<string, unknown>;

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown, longest = TEXT_MAX): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return visible(value.length > longest ? `${value.slice(0, longest)}…` : value);
}

// Characters that cannot be seen, or that change the order of what follows: a source may hide something by them.
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

const SOME_UNSEEN = new RegExp(UNSEEN.source); // without a place from which it goes on

function visible(text: string): string {
  if (!SOME_UNSEEN.test(text)) return text;
  return text.replace(UNSEEN, (character) => `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`);
}

function strings(value: unknown): string[] {
  return list(value).filter((item) => typeof item === "string").map((item) => string(item));
}

/** An index below `size`, or undefined. */
function index(value: unknown, size: number): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < size ? value : undefined;
}

function indices(value: unknown, size: number): number[] {
  return list(value).filter((item) => index(item, size) !== undefined) as number[];
}

/** A record whose optional fields may be undefined, which is as good as absent: to leave them out would cost more than
 * all the rest of the reading, and records of one shape are faster to use. */
function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return fields as T;
}

const HIGHEST_COUNT = 100_000_000;

function storyOf(top: Fields): Story {
  const sources = list(top.sources).map(sourceOf);
  const given = list(top.actors).map((actor, at) => actorOf(actor, at, list(top.actors).length));
  const executions = { failing: top.failing, passing: top.passing };
  const unknown = given.length; // the actor of a step that names none
  const size = given.length + 1;
  const failing = executionOf(executions.failing, size, unknown, sources.length);
  const passing = executionOf(executions.passing, size, unknown, sources.length);
  if (failing && passing) passing.common = Math.min(passing.common, failing.steps.length);
  const named = [failing, passing].some((run) => run?.steps.some((step) => mentions(step, unknown)));
  const stranger = actorOf({ name: "?", label: "unknown actor" }, unknown, size);
  return present<Story>({
    ravel: string(top.ravel),
    frontEnd: string(top.front_end),
    test: string(top.test),
    bug: bugOf(top.bug, given.length),
    difference: strings(top.difference),
    replay: string(top.replay),
    preemptions: index(top.preemptions, HIGHEST_COUNT),
    assumptions: strings(top.assumptions),
    shortened: strings(top.shortened),
    sources,
    actors: named || given.length === 0 ? [...given, stranger] : given,
    failing,
    passing,
  });
}

function mentions(step: Step, actor: number): boolean {
  if (step.actor === actor || step.spawns === actor || step.sends.some((send) => send.to === actor)) return true;
  return step.choices.some((choice) => choice.actor === actor) || step.state.some((part) => part.actor === actor);
}

function bugOf(value: unknown, actors: number): Bug | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const bug = record(value);
  return present<Bug>({
    kind: string(bug.kind),
    title: string(bug.title),
    message: string(bug.message),
    file: string(bug.file),
    line: index(bug.line, HIGHEST_COUNT),
    actor: index(bug.actor, actors),
    details: strings(bug.details),
  });
}

function sourceOf(value: unknown, at: number): Source {
  const source = record(value);
  const text = typeof source.text === "string" ? string(source.text, SOURCE_MAX) : undefined;
  return present<Source>({
    name: string(source.name) || `source ${at + 1}`,
    path: string(source.path),
    lines: text?.split(/\r?\n/),
    gone: string(source.gone) || "nobody has kept its text",
  });
}

function actorOf(value: unknown, at: number, actors: number): Actor {
  const actor = record(value);
  const name = string(actor.name) || `actor ${at + 1}`;
  return present<Actor>({
    name,
    label: string(actor.label) || name,
    kind: string(actor.kind),
    parent: index(actor.parent, actors),
    born: index(actor.born, HIGHEST_COUNT),
    ended: index(actor.ended, HIGHEST_COUNT),
    end: string(actor.end),
    inner: actor.inner === true,
  });
}

function executionOf(value: unknown, actors: number, unknown: number, sources: number): Execution | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const execution = record(value);
  const given = list(execution.steps);
  const steps = given.map((step, at) => stepOf(step, at, { actors, unknown, sources, steps: given.length }));
  return present<Execution>({
    outcome: string(execution.outcome),
    steps,
    calls: callsOf(execution.calls, actors - 1, steps.length),
    leftOut: index(execution.left_out, HIGHEST_COUNT) ?? 0,
    loop: index(execution.loop, steps.length),
    waiting: list(execution.waiting).flatMap((item) => waitingOf(item, actors)),
    common: index(execution.common, steps.length + 1) ?? 0,
    output: string(execution.output),
  });
}

function callsOf(value: unknown, actors: number, steps: number): Call[] {
  const calls: Call[] = [];
  let next = 0; // the first step that may be of a call
  for (const item of list(value)) {
    const call = record(item);
    const [first, main, last] = [index(call.first, steps), index(call.main, steps), index(call.last, steps)];
    if (first === undefined || main === undefined || last === undefined) continue;
    if (first < next || main < first || last < main || last === first) continue;
    calls.push(present<Call>({ first, last, main, callee: index(call.callee, actors), request: string(call.request), reply: string(call.reply) }));
    next = last + 1;
  }
  return calls;
}

function waitingOf(value: unknown, actors: number): Waiting[] {
  const waiting = record(value);
  const actor = index(waiting.actor, actors - 1);
  return actor === undefined ? [] : [{ actor, for: indices(waiting.for, actors - 1), lines: strings(waiting.lines) }];
}

interface Sizes {
  actors: number;
  unknown: number;
  sources: number;
  steps: number;
}

function stepOf(value: unknown, at: number, sizes: Sizes): Step {
  const step = record(value);
  const later = (other: unknown) => {
    const found = index(other, sizes.steps);
    return found !== undefined && found > at ? found : undefined;
  };
  const how = step.switch;
  return present<Step>({
    actor: index(step.actor, sizes.actors) ?? sizes.unknown,
    text: string(step.text) || "(a step without a text)",
    said: string(step.said),
    source: index(step.source, sizes.sources),
    line: index(step.line, HIGHEST_COUNT),
    extra: strings(step.extra),
    kind: string(step.kind),
    alternative: index(step.alternative, HIGHEST_COUNT),
    inner: step.inner === true,
    cut: step.cut === true,
    switch: how === "preemption" || how === "free" ? how : undefined,
    relevant: step.relevant === true,
    after: indices(step.after, at),
    sends: list(step.sends).flatMap((item) => {
      const send = record(item);
      const to = index(send.to, sizes.actors);
      return to === undefined ? [] : [present<Step["sends"][0]>({ to, text: string(send.text), received: later(send.received) })];
    }),
    receives: index(step.receives, at),
    spawns: index(step.spawns, sizes.actors),
    touches: list(step.touches).map((item) => ({ object: string(record(item).object), write: record(item).write === true })),
    races: list(step.races).flatMap((item) => {
      const race = record(item);
      const other = later(race.with);
      if (other === undefined && race.with !== undefined) return [];
      return [present<Step["races"][0]>({ with: other, decides: race.decides === true })];
    }),
    choices: list(step.choices).map((item) => choiceOf(item, sizes)),
    choicesCut: index(step.choices_cut, HIGHEST_COUNT) ?? 0,
    state: list(step.state).flatMap((item) => stateChangeOf(item, sizes.actors)),
  });
}

function choiceOf(value: unknown, sizes: Sizes): Choice {
  const choice = record(value);
  return present<Choice>({
    actor: index(choice.actor, sizes.actors),
    text: string(choice.text),
    kind: string(choice.kind),
    alternative: index(choice.alternative, HIGHEST_COUNT),
    next: index(choice.next, sizes.steps),
    leadsTo: string(choice.leads_to),
  });
}

function stateChangeOf(value: unknown, actors: number): StateChange[] {
  const change = record(value);
  const actor = index(change.actor, actors);
  const part = string(change.part);
  if (part === "" || (actor === undefined && change.actor !== undefined)) return [];
  const told = { part, name: string(change.name), lines: strings(change.lines) };
  return [actor === undefined ? told : { actor, ...told }];
}
