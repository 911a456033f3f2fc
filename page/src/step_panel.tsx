// What is known of the step at the cursor.

import type { ComponentChildren } from "preact";
import { actorClass } from "./colour";
import type { Parts } from "./app";
import { Choices } from "./choices";
import { useLive } from "./live";
import { Long } from "./long";
import type { Step } from "./model";
import type { Run } from "./run";
import { placeOf } from "./search";
import { jumpTo } from "./view";
import { counted } from "./words";

export function StepPanel({ story, view, change, run }: Parts & { run: Run }) {
  const live = useLive();
  const step = run.steps[view.step];
  if (!step) return null;
  const link = (to: number, text = `step ${to + 1}`) => (
    <button type="button" class="link" onClick={() => change(jumpTo(to, run.name))}>{text}</button>
  );
  const tries = run.name === "failing" ? live : undefined;
  const races = run.arrows.filter((arrow) => arrow.kind === "race" && (arrow.from === view.step || arrow.to === view.step));
  return (
    <section class="panel step" aria-labelledby="step-title">
      <h2 id="step-title">
        Step {view.step + 1} of {run.steps.length}
        {view.compare && <span class="extra"> {run.name === "failing" ? "with the bug" : "of the passing run"}</span>}
      </h2>
      <div class="scrolls" tabIndex={0} aria-label="The step" role="region">
        <p aria-live="polite">
          <b class={actorClass(step.actor)}>{story.actors[step.actor]?.label}</b> <bdi><Long text={step.text} /></bdi>
          <span class="place"> {placeOf(story, step)}</span>
        </p>
        {step.extra.map((line) => <p class="extra"><Long text={line} /></p>)}
        {step.cut && <p class="extra">Not all of its texts is here: ravel replay shows them.</p>}
        <dl>
          {step.switch === "preemption" && <Fact name="Preemption">the scheduler stopped another actor that could have gone on</Fact>}
          {step.kind !== "" && step.kind !== "operation" && <Fact name="Kind">{step.kind}</Fact>}
          {step.receives !== undefined && <Fact name="Sent at">{link(step.receives)}</Fact>}
          {step.sends.map((send) => (
            <Fact name="Sends">
              <Long text={send.text} /> to {story.actors[send.to]?.label}, {send.received === undefined ? "not taken before the end" : <>taken at {link(send.received)}</>}
            </Fact>
          ))}
          {step.spawns !== undefined && <Fact name="Makes">{story.actors[step.spawns]?.label}</Fact>}
          {races.map((race) => (
            <Fact name="Races">
              {race.from === view.step ? <>with {link(race.to)}, which comes later</> : <>with {link(race.from)}, which came before</>}
              {race.decides && <b class="decidestext">: their order decides</b>}
              {tries && race.to !== undefined && (
                <button type="button" class="try" disabled={tries.busy} onClick={() => tries.vary(race.from, race.to as number)}>The other way</button>
              )}
            </Fact>
          ))}
          {step.after.length > 0 && <Fact name="Only after">{step.after.map((before) => <>{link(before)} </>)}</Fact>}
          {step.touches.length > 0 && <Fact name="Touches">{touched(step)}</Fact>}
        </dl>
        {tries && (
          <p>
            <button type="button" disabled={tries.busy} onClick={() => tries.rollBack(view.step)}>Roll back this step and what it caused</button>
          </p>
        )}
        <Choices story={story} run={run} step={view.step} change={change} />
      </div>
    </section>
  );
}

// An object that has a number for a name tells nothing to a reader.
const NAMELESS = /^object \d+$/;

function touched(step: Step): string {
  const named = step.touches.filter((touch) => !NAMELESS.test(touch.object));
  const nameless = step.touches.length - named.length;
  const texts = named.map((touch) => `${touch.object}${touch.write ? " (changes it)" : ""}`);
  if (nameless > 0) texts.push(counted(nameless, named.length > 0 ? "other object" : "object"));
  return texts.join(", ");
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
