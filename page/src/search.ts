// The steps that a search finds: by their text, actor, place and what else is known of them. Case does not matter.

import type { Story } from "./model";
import type { Run } from "./run";

/** Where a step is in the sources, as "file:line", or "". */
export function placeOf(story: Story, step: { source?: number; line?: number }): string {
  const name = step.source === undefined ? "" : (story.sources[step.source]?.name ?? "");
  return name && step.line !== undefined ? `${name}:${step.line}` : name;
}

const haystacks = new WeakMap<Run, string[]>();

function haystackOf(story: Story, run: Run): string[] {
  let found = haystacks.get(run);
  if (!found) {
    found = run.steps.map((step) => {
      const label = story.actors[step.actor]?.label ?? "";
      return [label, step.said, step.text, ...step.extra, placeOf(story, step)].join("\n").toLowerCase();
    });
    haystacks.set(run, found);
  }
  return found;
}

export function search(story: Story, run: Run, query: string): number[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const found: number[] = [];
  haystackOf(story, run).forEach((text, at) => {
    if (words.every((word) => text.includes(word))) found.push(at);
  });
  return found;
}
