// What else could have moved in the place of a step, and what that leads to.

import { actorClass } from "./colour";
import { Long } from "./long";
import type { Choice, Story } from "./model";
import type { Run } from "./run";
import { jumpTo, type Move } from "./view";

const LEADS: Record<string, { text: string; kind: string }> = {
  passes: { text: "the test passes", kind: "good" },
  "this bug": { text: "this bug again", kind: "bad" },
  "another bug": { text: "another bug", kind: "bad" },
};

export function Choices(props: { story: Story; run: Run; step: number; change: (move: Move) => void }) {
  const step = props.run.steps[props.step];
  if (!step || step.choices.length === 0) return null;
  return (
    <section class="choices">
      <h3>What else could have moved here</h3>
      <ul>
        {step.choices.map((choice) => <OneChoice {...props} choice={choice} />)}
        {step.choicesCut > 0 && <li>and {step.choicesCut} more</li>}
      </ul>
    </section>
  );
}

function OneChoice({ story, run, choice, change }: { story: Story; run: Run; choice: Choice; change: (move: Move) => void }) {
  const leads = LEADS[choice.leadsTo];
  const { next } = choice;
  const what = choice.text || (choice.kind && choice.kind !== "operation" ? choice.kind : "goes on");
  return (
    <li>
      {choice.actor !== undefined && <b class={actorClass(choice.actor)}>{story.actors[choice.actor]?.label}</b>} <bdi><Long text={what} /></bdi>
      {choice.alternative !== undefined && choice.alternative > 0 && <span class="extra"> (way {choice.alternative + 1})</span>}
      {next !== undefined && (
        <>
          {", "}
          <button type="button" class="link" onClick={() => change(jumpTo(next, run.name))}>
            here at step {next + 1}
          </button>
        </>
      )}
      {leads && <span class={`leads ${leads.kind}`}>{leads.text}</span>}
    </li>
  );
}
