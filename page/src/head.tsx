// The head: the bug in a sentence, what makes the difference, and how to see it again.

import { useState } from "preact/hooks";
import type { Parts } from "./app";
import { Long } from "./long";
import type { Story } from "./model";
import { toRace } from "./view";
import { decidingPairs } from "./run";
import { counted, headlineOf, isFile, kindOf, shortened } from "./words";
import { WaitGraph } from "./wait_graph";

const FRONT_ENDS: Record<string, string> = { erlang: "Erlang, Elixir", threads: "C, C++", p: "P" };

function factsOf(story: Story): string {
  const execution = story.failing ?? story.passing;
  const facts = [FRONT_ENDS[story.frontEnd] ?? story.frontEnd];
  if (execution) facts.push(counted(execution.steps.length + execution.leftOut, "step"));
  if (story.preemptions !== undefined) facts.push(counted(story.preemptions, "preemption"));
  return facts.filter((fact) => fact !== "").join(" · ");
}

function copyText(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

function Replay({ command }: { command: string }) {
  const [told, tell] = useState("");
  const copy = async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(command);
    } catch {
      done = copyText(command); // pages of some hosts have no clipboard
    }
    tell(done ? "Copied" : "Please copy it by hand");
    setTimeout(() => tell(""), 2000);
  };
  return (
    <div class="replay">
      <h2>See it again</h2>
      <div class="command">
        <code tabIndex={0}>{command}</code>
        <button type="button" onClick={copy} aria-label="Copy the command">
          {told || "Copy"}
        </button>
      </div>
      <span class="unseen" role="status">{told}</span>
    </div>
  );
}

function Difference({ story, scene, change }: Parts) {
  if (story.difference.length === 0) return null;
  const run = scene.runs.failing;
  return (
    <section class="difference" aria-labelledby="difference">
      <h2 id="difference">{story.passing ? "Why only in this order" : "What makes the difference"}</h2>
      {story.difference.map((sentence) => (
        <p><Long text={sentence} /></p>
      ))}
      {run && decidingPairs(run).length > 0 && (
        <button type="button" class="link" onClick={() => change(toRace)}>
          Show these steps
        </button>
      )}
    </section>
  );
}

function Where({ story }: { story: Story }) {
  const { bug } = story;
  if (!bug) return null;
  const name = story.sources.find((source) => isFile(source, bug.file))?.name ?? bug.file;
  const place = name && bug.line !== undefined ? `${name}:${bug.line}` : name;
  const actor = bug.actor === undefined ? "" : story.actors[bug.actor]?.label;
  if (!place && !actor) return null;
  return (
    <p class="where">
      {place && <>at <code title={bug.file}>{place}</code></>}
      {place && actor ? ", " : ""}
      {actor && <>in <b>{actor}</b></>}
    </p>
  );
}

function More({ story }: { story: Story }) {
  const { bug } = story;
  const isTold = bug === undefined || bug.message === "" || bug.message.toLowerCase() === headlineOf(story).toLowerCase();
  const lines = [...(isTold ? [] : [bug.message]), ...(bug?.details ?? [])].map((line) => shortened(story, line));
  return (
    <>
      {lines.length > 0 && (
        <details open={lines.length <= 4}>
          <summary>More of the bug</summary>
          {lines.map((line) => <p class="mono"><Long text={line} /></p>)}
        </details>
      )}
      {story.shortened.length > 0 && (
        <p class="extra">The story would have been too large; left out: {story.shortened.join(", ")}.</p>
      )}
      {story.assumptions.length > 0 && (
        <details>
          <summary>What this takes for granted</summary>
          <ul>{story.assumptions.map((line) => <li><Long text={line} /></li>)}</ul>
        </details>
      )}
      {story.failing?.output && (
        <details>
          <summary>What the program printed</summary>
          <pre class="scrolls" tabIndex={0}>{story.failing.output}</pre>
        </details>
      )}
    </>
  );
}

// Longer ones are in smaller letters.
const HEADLINE_LONG = 110;

export function Head(parts: Parts) {
  const { story } = parts;
  const waiting = story.failing?.waiting ?? [];
  return (
    <header class="head scrolls" tabIndex={0} aria-label="The bug">
      <div class="what">
        <p class="kicker">
          <span class={story.bug ? "kind" : "kind good"}>{story.bug ? kindOf(story.bug) : "no bug"}</span> <b>{story.test}</b> <span>{factsOf(story)}</span>
        </p>
        <h1 class={headlineOf(story).length > HEADLINE_LONG ? "long" : ""}><Long text={headlineOf(story)} /></h1>
        <Where story={story} />
        <More story={story} />
      </div>
      <div class="why">
        <Difference {...parts} />
        {story.replay && <Replay command={story.replay} />}
      </div>
      {waiting.some((item) => item.for.length > 0) && <WaitGraph {...parts} waiting={waiting} />}
    </header>
  );
}
