// The state after the step at the cursor: first of its actor, then of the actors that it has changed, then of the others.

import { useMemo } from "preact/hooks";
import type { Parts } from "./app";
import { actorClass } from "./colour";
import { Long } from "./long";
import type { Story } from "./model";
import { stateAt, type Part, type Run } from "./run";
import { shortened } from "./words";

// Longer lists are folded.
const LINES_SHOWN = 8;
// So few parts are all open.
const PARTS_FEW = 14;

export function StatePanel({ story, view, run }: Parts & { run: Run }) {
  const parts = useMemo(() => stateAt(run, view.step), [run, view.step]);
  const groups = new Map<number | undefined, Part[]>();
  for (const part of parts) groups.set(part.actor, [...(groups.get(part.actor) ?? []), part]);
  const actor = run.steps[view.step]?.actor;
  const rank = ([who, own]: [number | undefined, Part[]]) => (who === actor ? 0 : own.some((part) => part.changedAt === view.step) ? 1 : 2);
  const sorted = [...groups].sort((a, b) => rank(a) - rank(b) || (a[0] ?? -1) - (b[0] ?? -1));
  return (
    <section class="panel state" aria-labelledby="state-title">
      <h2 id="state-title">State after this step</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label="The state">
        {sorted.length === 0 && <p class="empty">Nothing is known of the state here.</p>}
        {sorted.map((group) => (
          <ActorState story={story} actor={group[0]} parts={group[1]} step={view.step} open={parts.length <= PARTS_FEW || rank(group) < 2} />
        ))}
      </div>
    </section>
  );
}

function ActorState(props: { story: Story; actor: number | undefined; parts: Part[]; step: number; open: boolean }) {
  const { actor, story } = props;
  return (
    <details open={props.open} key={`${actor} ${props.open}`}>
      <summary>{actor === undefined ? <b>shared by all</b> : <b class={actorClass(actor)}>{story.actors[actor]?.label}</b>}</summary>
      <dl>
        {props.parts.map((part) => <PartView story={story} part={part} isNew={part.changedAt === props.step} />)}
      </dl>
    </details>
  );
}

function PartView({ story, part, isNew }: { story: Story; part: Part; isNew: boolean }) {
  const gone = part.lines.length === 0;
  const replaced = isNew && !gone && part.before.length === 1 && part.lines.length === 1 ? part.before[0] : undefined;
  return (
    <>
      <dt>{part.name || part.part}</dt>
      <dd class={isNew ? "changed" : ""}>
        {isNew && <span class="unseen">changed: </span>}
        {gone && <><del><Lines story={story} lines={part.before} /></del> <span class="extra">gone</span></>}
        {replaced !== undefined && <><del><Long text={shortened(story, replaced)} /></del> → </>}
        {!gone && <Lines story={story} lines={part.lines} />}
      </dd>
    </>
  );
}

function Lines({ story, lines }: { story: Story; lines: string[] }) {
  const rest = lines.slice(LINES_SHOWN);
  return (
    <>
      {lines.slice(0, LINES_SHOWN).map((line) => <div><Long text={shortened(story, line)} /></div>)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map((line) => <div><Long text={shortened(story, line)} /></div>)}
        </details>
      )}
    </>
  );
}
