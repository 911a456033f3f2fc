// Search, and buttons for what keys do.

import type { Parts } from "./app";
import { decidingPairs } from "./run";
import { switchTheme } from "./theme";
import * as moves from "./view";
import { counted } from "./words";

function Search({ scene, view, change }: Parts) {
  const { matches } = scene;
  const at = matches.indexOf(view.step);
  const told = view.query === "" ? "" : matches.length === 0 ? "none" : at < 0 ? `${matches.length}` : `${at + 1} of ${matches.length}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    change(moves.toMatch(event.shiftKey ? -1 : 1));
  };
  return (
    <search class="search">
      <input
        id="search"
        type="search"
        placeholder="Search   /"
        aria-label="Search steps"
        value={view.query}
        onInput={(event) => change(setQuery(event.currentTarget.value))}
        onKeyDown={onKeyDown}
      />
      <span role="status" aria-label="Steps found">{told}</span>
    </search>
  );
}

function setQuery(query: string): moves.Move {
  return (view) => ({ ...view, query });
}

function Toggle(props: { on: boolean; move: moves.Move; hint: string; text: string; change: Parts["change"] }) {
  return (
    <button type="button" aria-pressed={props.on} title={props.hint} onClick={() => props.change(props.move)}>
      {props.text}
    </button>
  );
}

export function Toolbar(parts: Parts) {
  const { scene, view, change } = parts;
  const { failing, passing } = scene.runs;
  const hidden = view.hidden.size;
  return (
    <nav class="toolbar" aria-label="Steps">
      <Search {...parts} />
      {failing && decidingPairs(failing).length > 0 && (
        <button type="button" title="The steps whose order decides (d)" onClick={() => change(moves.toRace)}>What decides</button>
      )}
      {parts.story.bug && <button type="button" title="Where the bug shows (b)" onClick={() => change(moves.toBug)}>The bug</button>}
      <span class="gap" />
      {failing && passing && (
        <Toggle on={view.compare} move={moves.toggleCompare} hint="The passing run beside it (p)" text="Compare with a passing run" change={change} />
      )}
      <Toggle on={view.past} move={moves.togglePast} hint="Light what led to the step, dim the rest (c)" text="What led here" change={change} />
      <Toggle on={view.everything} move={moves.toggleEverything} hint="Fold nothing (f)" text="Every step" change={change} />
      <button type="button" title="Choose which actors are shown (m)" onClick={() => change(moves.dialog("actors"))}>
        {hidden > 0 ? `Actors (${counted(hidden, "actor")} hidden)` : "Actors"}
      </button>
      <button type="button" title="Dark or light (t)" aria-label="Dark or light" onClick={switchTheme}>◐</button>
      <button type="button" title="Keys (?)" aria-label="Keys" onClick={() => change(moves.dialog("keys"))}>?</button>
    </nav>
  );
}
