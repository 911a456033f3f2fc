// The list of keys, and the choice of the actors that are shown.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Parts } from "./app";
import { actorClass } from "./colour";
import { KEYS } from "./keys";
import { presentActors } from "./lanes";
import type { Run } from "./run";
import { dialog, hide, showOnly } from "./view";

function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!element.current?.open) element.current?.showModal();
  }, []);
  const closeOutside = (event: MouseEvent) => event.target === element.current && props.onClose();
  return (
    <dialog ref={element} aria-label={props.title} onClose={props.onClose} onClick={closeOutside}>
      <div class="dialog">
        <header>
          <h2>{props.title}</h2>
          <button type="button" onClick={props.onClose}>Close</button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

export function KeysDialog({ view, change }: Parts) {
  if (view.dialog !== "keys") return null;
  return (
    <Dialog title="Keys" onClose={() => change((now) => ({ ...now, dialog: "none" }))}>
      <table class="keys">
        <tbody>
          {KEYS.map((key) => (
            <tr>
              <th scope="row"><kbd>{key.shown}</kbd></th>
              <td>{key.help}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        A click on a row moves the cursor. The mouse over a lane lights what led to a step. A diamond lists what else could have moved.
      </p>
    </Dialog>
  );
}

/** The actors in whose steps the bug has to do with. */
function involved(runs: Run[]): number[] {
  const found = new Set<number>();
  for (const run of runs) for (const step of run.steps) if (step.relevant) found.add(step.actor);
  return [...found];
}

export function ActorsDialog({ story, scene, view, change }: Parts) {
  const [filter, setFilter] = useState("");
  if (view.dialog !== "actors") return null;
  const runs = Object.values(scene.runs) as Run[];
  const present = presentActors(story, runs);
  const wanted = present.filter((actor) => story.actors[actor]?.label.toLowerCase().includes(filter.toLowerCase()));
  const some = involved(runs);
  return (
    <Dialog title="Actors" onClose={() => change(dialog("none"))}>
      <p class="buttons">
        <input type="search" autofocus placeholder="filter" aria-label="Filter actors" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <button type="button" onClick={() => change(showOnly(undefined))}>Show all</button>
        {filter !== "" && <button type="button" onClick={() => change(showOnly(wanted))}>Only these</button>}
        {some.length > 0 && <button type="button" onClick={() => change(showOnly(some))}>Only those of the bug</button>}
      </p>
      <ul class="actors scrolls">
        {wanted.map((actor) => (
          <li>
            <label>
              <input type="checkbox" checked={!view.hidden.has(actor)} onChange={(event) => change(hide(actor, !event.currentTarget.checked))} />
              <b class={actorClass(actor)}>{story.actors[actor]?.label}</b>
              <span>{describe(story.actors[actor], runs[0]?.stepsOf[actor]?.length ?? 0)}</span>
            </label>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function describe(actor: { kind: string; end: string } | undefined, steps: number): string {
  const facts = [actor?.kind, `${steps} step${steps === 1 ? "" : "s"}`, actor?.end].filter((fact) => fact);
  return facts.join(", ");
}
