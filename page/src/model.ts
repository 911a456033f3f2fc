// A story as the page uses it: what read_story.ts makes of the JSON text in the marker element.
//
// Indices are positions in `actors`, `steps` and `sources`, from 0. They are valid: a reader of a Story need not check
// them. A field that may be absent is unknown or does not apply. Texts are plain text, never HTML.

export interface Story {
  ravel: string;
  frontEnd: string;
  test: string;
  bug?: Bug;
  difference: string[]; // sentences: what makes the difference between the two executions
  replay: string;
  preemptions?: number;
  assumptions: string[];
  shortened: string[]; // what the program has left out, because the story would have been too large
  sources: Source[];
  actors: Actor[];
  failing?: Execution;
  passing?: Execution;
}

export interface Bug {
  kind: string;
  title: string;
  message: string;
  file: string;
  line?: number;
  actor?: number;
  details: string[];
}

export interface Source {
  name: string;
  path: string;
  lines?: string[]; // absent: `gone` says why
  gone: string;
}

export interface Actor {
  name: string;
  label: string;
  kind: string;
  parent?: number;
  born?: number; // a step of its parent, in the failing execution
  ended?: number; // its last step, in the failing execution
  end: string;
  inner: boolean; // of the language's library
}

export interface Execution {
  outcome: string;
  steps: Step[];
  calls: Call[]; // in their order; no two have a step in common
  leftOut: number; // steps of the execution after these
  loop?: number; // the step at which the cycle begins
  waiting: Waiting[];
  common: number; // of the passing execution: so many first steps are those of the failing one
  output: string;
}

/** Steps in a row that are told as one: a question and its answer, or one of them with what the asking actor does beside it. */
export interface Call {
  first: number;
  last: number;
  main: number; // the step whose actor and place are those of all
  callee?: number; // who has answered; absent: a part of a call, which says what its main step says
  request: string;
  reply: string;
}

export interface Waiting {
  actor: number;
  for: number[];
  lines: string[];
}

export interface Step {
  actor: number;
  text: string;
  said: string; // of a question or an answer: its text without what carries it; or empty
  source?: number;
  line?: number;
  extra: string[];
  kind: string;
  alternative?: number;
  inner: boolean;
  cut: boolean; // a text of it is not whole
  switch?: "preemption" | "free";
  relevant: boolean;
  after: number[]; // steps of other actors that happen before, transitively reduced
  sends: { to: number; text: string; received?: number }[];
  receives?: number;
  spawns?: number;
  touches: { object: string; write: boolean }[];
  races: { with?: number; decides: boolean }[]; // without `with`: with what does not happen in this execution
  choices: Choice[];
  choicesCut: number; // how many more there were
  state: StateChange[];
}

export interface Choice {
  actor?: number;
  text: string;
  kind: string;
  alternative?: number;
  next?: number; // the step with which this actor goes on in this execution
  leadsTo: string;
}

export interface StateChange {
  actor?: number; // absent: of what all share
  part: string;
  name: string;
  lines: string[]; // none: it is gone
}

export type RunName = "failing" | "passing";
