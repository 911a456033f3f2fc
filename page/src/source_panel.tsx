// The source at the cursor, with the line at which each actor stands.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Parts } from "./app";
import { actorClass } from "./colour";
import type { Source, Story } from "./model";
import { useRowWindow } from "./row_window";
import { standingAt, type Run } from "./run";
import { isFile } from "./words";

const LINE_HEIGHT = 20; // as --line in style.css
// A line that is longer (made by a generator) is cut.
const COLUMNS_MAX = 2000;
// More actors at one line are counted; the text of the line must not move.
const MARKS_MAX = 2;

export function SourcePanel({ story, view, run }: Parts & { run: Run }) {
  const step = run.steps[view.step];
  const [chosen, choose] = useState<{ at: number; source: number } | undefined>(undefined);
  // A choice holds until the cursor moves on.
  const source = chosen && chosen.at === view.step ? chosen.source : lastSource(run, view.step);
  const standing = useMemo(() => standsIn(run, view.step, source), [run, view.step, source]);
  const file = source === undefined ? undefined : story.sources[source];
  return (
    <section class="panel source" aria-labelledby="source-title">
      <h2 id="source-title">
        <span class="unseen">Source: </span>
        {story.sources.length > 1 ? (
          <select aria-label="Source" value={source} onChange={(event) => choose({ at: view.step, source: Number(event.currentTarget.value) })}>
            {story.sources.map((other, at) => <option value={at}>{other.name}</option>)}
          </select>
        ) : (
          <span title={file?.path}>{file?.name ?? "Source"}</span>
        )}
      </h2>
      {!file && <p class="empty">Nothing is known of the place of this step.</p>}
      {file && !file.lines && <p class="empty">The text of {file.name} is not here: {file.gone.replace(/[.\s]+$/, "")}.</p>}
      {file?.lines && (
        <Lines story={story} file={file} lines={file.lines} lit={step?.source === source ? step?.line : undefined} standing={standing} actor={step?.actor} />
      )}
    </section>
  );
}

/** The source of the step, or of the last one before it that has one. */
function lastSource(run: Run, step: number): number | undefined {
  for (let at = step; at >= 0 && at > step - 1000; at--) {
    const source = run.steps[at]?.source;
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Who stands at which line of a source. */
function standsIn(run: Run, step: number, source: number | undefined): Map<number, number[]> {
  const found = new Map<number, number[]>();
  standingAt(run, step).forEach((at, actor) => {
    const own = at === undefined ? undefined : run.steps[at];
    if (own?.line === undefined || own.source !== source || run.endedAt[actor] === at) return;
    const others = found.get(own.line) ?? [];
    found.set(own.line, actor === run.steps[step]?.actor ? [actor, ...others] : [...others, actor]);
  });
  return found;
}

interface LinesParts {
  story: Story;
  file: Source;
  lines: string[];
  lit: number | undefined;
  standing: Map<number, number[]>;
  actor: number | undefined;
}

function Lines({ story, file, lines, lit, standing, actor }: LinesParts) {
  const element = useRef<HTMLDivElement>(null);
  const rows = useRowWindow(element, lines.length, LINE_HEIGHT);
  const bug = story.bug && isFile(file, story.bug.file) ? story.bug.line : undefined;
  const shown = lit ?? bug;
  useLayoutEffect(() => {
    const here = element.current;
    if (!here || shown === undefined) return;
    const top = (shown - 1) * LINE_HEIGHT;
    const isInSight = top >= here.scrollTop + LINE_HEIGHT && top + 2 * LINE_HEIGHT <= here.scrollTop + here.clientHeight;
    if (!isInSight) here.scrollTop = top - here.clientHeight / 2.5;
  }, [shown, file]);
  return (
    <div class="code scrolls" ref={element} tabIndex={0} role="region" aria-label={file.name}>
      <div style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
        <div class="window" style={{ transform: `translateY(${rows.first * LINE_HEIGHT}px)` }}>
          {lines.slice(rows.first, rows.last).map((text, at) => {
            const number = rows.first + at + 1;
            const here = standing.get(number) ?? [];
            return (
              <div key={number} class={`line ${number === lit ? `lit ${actorClass(actor ?? 0)}` : ""} ${number === bug ? "bug" : ""}`}>
                <span class="number">{number}</span>
                <span class="stands">
                  {here.slice(0, MARKS_MAX).map((who) => (
                    <b class={`mark ${actorClass(who)}`} title={`${story.actors[who]?.label} is here`}>{story.actors[who]?.name}</b>
                  ))}
                  {here.length > MARKS_MAX && <b class="mark">+{here.length - MARKS_MAX}</b>}
                </span>
                <code>{text.length > COLUMNS_MAX ? `${text.slice(0, COLUMNS_MAX)}…` : text}</code>
                {number === bug && <span class="bughere">the bug shows here</span>}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
