// The steps whose order makes the difference, and which steps of the passing run they are there: they are shown in colour
// in both runs.

import { decidingPairs, type Pair, type Run } from "./run";

export interface Mark {
  text: string;
  hint: string;
}

export type Marks = ReadonlyMap<number, Mark>; // by step

const ORDER = "The order of these two steps makes the difference";
const ALONE = "When this step comes makes the difference";

/** What is told at each step of the deciding pairs, in both runs. */
export function decidingMarks(failing: Run | undefined, passing: Run | undefined, common: number) {
  const pairs = failing ? decidingPairs(failing) : [];
  const own = passing ? decidingPairs(passing) : [];
  const twins = pairs.map((pair) => twinOf(failing, passing, pair, common));
  return { failing: marksOf(pairs, "decides"), passing: marksOf(own.length > 0 ? own : twins, "here") };
}

function marksOf(pairs: Partial<Pair>[], alone: string): Marks {
  const marks = new Map<number, Mark>();
  for (const { from, to } of pairs) {
    const only = from ?? to;
    if (from !== undefined && to !== undefined) {
      const [first, second] = from < to ? [from, to] : [to, from];
      marks.set(first, { text: `before ${second + 1}`, hint: ORDER });
      marks.set(second, { text: `after ${first + 1}`, hint: ORDER });
    } else if (only !== undefined) {
      marks.set(only, { text: alone, hint: ALONE });
    }
  }
  return marks;
}

function twinOf(failing: Run | undefined, passing: Run | undefined, pair: Pair, common: number): Partial<Pair> {
  const from = twin(failing, passing, pair.from, common);
  const to = twin(failing, passing, pair.to, common);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The step of `passing` by the same actor at the same place: of equal ones the one with as many of them before it. */
function twin(failing: Run | undefined, passing: Run | undefined, step: number | undefined, common: number): number | undefined {
  if (!failing || !passing || step === undefined) return undefined;
  if (step < common) return step;
  const wanted = failing.steps[step];
  if (!wanted) return undefined;
  const alike = (run: Run) =>
    (run.stepsOf[wanted.actor] ?? []).filter((at) => {
      const other = run.steps[at];
      return at >= common && other?.kind === wanted.kind && other.source === wanted.source && other.line === wanted.line;
    });
  return alike(passing)[alike(failing).indexOf(step)];
}
