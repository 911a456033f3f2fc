// Words about a bug that more than one part of the page uses.

import type { Bug, Source, Story } from "./model";

export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

export function kindOf(bug: Bug): string {
  return bug.kind.replaceAll("_", " ");
}

/** The bug as a sentence. Its kind stands beside it, so that a title does not begin with it. */
export function headlineOf(story: Story): string {
  const { bug } = story;
  if (!bug) return "This execution has no bug.";
  let text = bug.title || bug.message || kindOf(bug);
  for (const kind of [kindOf(bug), bug.kind]) {
    if (kind !== "" && text.toLowerCase().startsWith(`${kind.toLowerCase()}: `)) text = text.slice(kind.length + 2);
  }
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a source is the file of this name. */
export function isFile(source: Source, name: string): boolean {
  return name !== "" && (source.path === name || source.name === name || name.endsWith(`/${source.name}`));
}

/** A text with the names of sources instead of their paths, which are long. */
export function shortened(story: Story, text: string): string {
  let short = text;
  for (const source of story.sources) if (source.path.includes("/")) short = short.replaceAll(source.path, source.name);
  return short;
}
