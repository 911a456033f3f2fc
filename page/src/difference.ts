// Which step of the one run is which step of the other one: the pair that changes places is shown in colour in both.

import { decidingRace, type Run } from "./run";

/** The steps of the deciding pair, in the failing run and, where they are found, in the passing one. */
export function decidingSteps(failing: Run | undefined, passing: Run | undefined, common: number) {
  const race = failing && decidingRace(failing);
  const pair = race ? [race.from, ...(race.to === undefined ? [] : [race.to])] : [];
  const own = passing && passing.steps.some((step) => step.races.some((race) => race.decides)) ? decidingRace(passing) : undefined;
  const other = own ? [own.from, ...(own.to === undefined ? [] : [own.to])] : pair.flatMap((step) => twin(failing, passing, step, common));
  return { failing: new Set(pair), passing: new Set(other) };
}

/** The step of `passing` by the same actor at the same place: of equal ones the one with the same number before it. */
function twin(failing: Run | undefined, passing: Run | undefined, step: number, common: number): number[] {
  if (!failing || !passing) return [];
  if (step < common) return [step];
  const wanted = failing.steps[step];
  if (!wanted) return [];
  const alike = (run: Run) =>
    (run.stepsOf[wanted.actor] ?? []).filter((at) => {
      const other = run.steps[at];
      return at >= common && other?.kind === wanted.kind && other.source === wanted.source && other.line === wanted.line;
    });
  const found = alike(passing)[alike(failing).indexOf(step)];
  return found === undefined ? [] : [found];
}
