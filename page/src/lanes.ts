// Which lane each actor has. Actors that have nothing to do with the bug may share one, if there are many lanes.

import type { Story } from "./model";
import type { Run } from "./run";

export interface Lane {
  actors: number[];
  label: string;
  crowd: boolean;
}

export interface Lanes {
  lanes: Lane[];
  laneOf: (number | undefined)[]; // of each actor; undefined: it is hidden
  width: number; // of a lane, in pixels
  upright: boolean; // whether there is room for the labels in one line
  turned: number; // else the height of the labels, in pixels
}

// Fewer lanes need no crowd.
const LANES_MANY = 8;
const CROWD_MIN = 3;
// An actor with more steps than this is not idle, whatever its steps have to do with the bug.
const IDLE_STEPS_MAX = 20;

// Room for the bracket of a loop, and for races that curve to the left of the first lane.
export const GUTTER = 22;
const WIDTH_MAX = 104;
// Narrower lanes have no room for turned labels: only that of the cursor's actor is shown, and only the lives of actors that
// have a step in sight are drawn.
export const WIDTH_OF_A_LINE = 15;
const WIDTH_OF_A_LABEL = 72;
const TURNED_MAX = 104;
const CHARACTER_WIDTH = 7.6;

/** The actors that have made a step, have been made or wait in one of the runs. */
export function presentActors(story: Story, runs: Run[]): number[] {
  return story.actors.flatMap((_, actor) => {
    const seen = runs.some((run) => (run.stepsOf[actor]?.length ?? 0) > 0 || run.bornAt[actor] !== undefined);
    const waits = runs.some((run) => run.execution.waiting.some((waiting) => waiting.actor === actor));
    return seen || waits ? [actor] : [];
  });
}

/** The actors that nobody misses: few steps, and none that has to do with the bug. */
export function crowdOf(story: Story, runs: Run[], present: number[]): Set<number> {
  if (present.length <= LANES_MANY || !runs.some((run) => run.steps.some((step) => step.relevant))) return new Set();
  const busy = new Set<number>(story.bug?.actor === undefined ? [] : [story.bug.actor]);
  for (const run of runs) {
    for (const step of run.steps) if (step.relevant) busy.add(step.actor);
    run.stepsOf.forEach((own, actor) => own.length > IDLE_STEPS_MAX && busy.add(actor));
  }
  const idle = present.filter((actor) => !busy.has(actor));
  return new Set(idle.length < CROWD_MIN ? [] : idle);
}

export interface Wishes {
  hidden: ReadonlySet<number>; // actors without a lane
  crowd: Set<number>; // actors that share the last lane
  room: number; // in pixels
  short: boolean; // names instead of labels
}

export function lanesOf(story: Story, present: number[], { hidden, crowd, room, short }: Wishes): Lanes {
  const lanes: Lane[] = [];
  const laneOf: (number | undefined)[] = new Array(story.actors.length).fill(undefined);
  const shown = present.filter((actor) => !hidden.has(actor));
  const together = shown.filter((actor) => crowd.has(actor));
  for (const actor of shown.filter((actor) => !crowd.has(actor))) {
    laneOf[actor] = lanes.length;
    lanes.push({ actors: [actor], label: story.actors[actor]?.[short ? "name" : "label"] ?? "", crowd: false });
  }
  if (together.length > 0) {
    for (const actor of together) laneOf[actor] = lanes.length;
    lanes.push({ actors: together, label: `${together.length} others`, crowd: true });
  }
  const width = Math.min(WIDTH_MAX, Math.max(1, room - GUTTER) / Math.max(1, lanes.length));
  const longest = 12 + CHARACTER_WIDTH * Math.max(1, ...lanes.map((lane) => lane.label.length));
  return { lanes, laneOf, width, upright: width >= Math.min(WIDTH_OF_A_LABEL, longest), turned: Math.min(TURNED_MAX, longest) };
}

/** The middle of a lane, in pixels from the left edge. */
export function laneX(lanes: Lanes, lane: number): number {
  return GUTTER + lane * lanes.width + lanes.width / 2;
}

export function lanesWidth(lanes: Lanes): number {
  return GUTTER + lanes.lanes.length * lanes.width;
}
