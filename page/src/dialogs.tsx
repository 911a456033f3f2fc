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

const SIGNS: [ComponentChildren, string][] = [
  [<g class="dot a0"><circle cx={22} cy={11} r={5} /></g>, "a step of an actor; time goes downwards"],
  [<g class="dot a0"><path d="M22,4.5 l6.5,6.5 l-6.5,6.5 l-6.5,-6.5 z" /></g>, "a step in whose place another actor could have moved: a click tells which"],
  [<g class="arrow message a0"><line x1={6} y1={5} x2={32} y2={15} /><polygon points="38,17.5 30.6,17.8 32.6,12.1" /></g>, "a message, from the step that sends it to the one that takes it"],
  [<g class="dot a0"><circle class="ring" cx={22} cy={11} r={9} /><circle cx={22} cy={11} r={5} /></g>, "a step whose order decides whether the test passes"],
  [<path class="arrow race deciding" d="M8,4 C8,16 36,6 36,18" />, "two steps whose order decides"],
  [<path class="arrow race" d="M8,4 C8,16 36,6 36,18" />, "two steps that could have come in the other order"],
  [<g><line class="life a0" x1={22} x2={22} y1={0} y2={22} /><line class="waits a0" x1={22} x2={22} y1={0} y2={22} /></g>, "the actor waits"],
  [<g class="dot a0"><circle cx={22} cy={8} r={5} /><line class="end" x1={14} x2={30} y1={17} y2={17} /></g>, "the actor's last step"],
];

export function KeysDialog({ view, change }: Parts) {
  if (view.dialog !== "keys") return null;
  return (
    <Dialog title="Keys and signs" onClose={() => change((now) => ({ ...now, dialog: "none" }))}>
      <div class="columns">
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
        <table class="signs">
          <tbody>
            {SIGNS.map(([sign, help]) => (
              <tr>
                <td><svg class="sign" width="44" height="22" aria-hidden="true">{sign}</svg></td>
                <td>{help}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">A click on a row moves the cursor. The mouse over a lane lights what led to a step.</p>
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
