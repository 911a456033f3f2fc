// The page as a whole: what the reader has chosen, what follows from it, and the parts that show it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { readAddress, writeAddress } from "./address";
import { ActorsDialog, KeysDialog } from "./dialogs";
import { decidingMarks } from "./difference";
import { Head } from "./head";
import { keyOf } from "./keys";
import { crowdOf, lanesOf, presentActors } from "./lanes";
import type { RunName, Story } from "./model";
import { foldable, layoutOf } from "./rows";
import { runOf, type Run } from "./run";
import { search } from "./search";
import { SourcePanel } from "./source_panel";
import { Splitter } from "./splitter";
import { StatePanel } from "./state_panel";
import { StepPanel } from "./step_panel";
import { Timeline } from "./timeline";
import { Toolbar } from "./toolbar";
import { firstView, jumpTo, type Move, type Scene, type View } from "./view";
import { headlineOf } from "./words";

// Of a pane's width, what lanes may take; the texts of the steps need the rest.
const LANES_SHARE = 0.38;
const ADDRESS_DELAY_MS = 120;

function runsOf(story: Story): Scene["runs"] {
  const runs: Scene["runs"] = {};
  if (story.failing) runs.failing = runOf("failing", story.failing, story.actors);
  if (story.passing) runs.passing = runOf("passing", story.passing, story.actors);
  return runs;
}

/** The scene of a view: what depends on the story only is computed once. */
function useScene(story: Story, view: View, width: number): Scene {
  const fixed = useMemo(() => {
    const runs = runsOf(story);
    const all = Object.values(runs) as Run[];
    const common = runs.failing && runs.passing ? runs.passing.execution.common : 0;
    const folds: Partial<Record<RunName, Uint8Array>> = {};
    if (runs.failing) folds.failing = foldable(runs.failing, undefined, 0);
    if (runs.passing) folds.passing = foldable(runs.passing, runs.failing, common);
    const present = presentActors(story, all);
    return { runs, common, folds, present, crowd: crowdOf(story, all, present) };
  }, [story]);
  const { runs, common } = fixed;
  const layouts = useMemo(() => {
    const made: Scene["layouts"] = {};
    for (const run of Object.values(runs) as Run[]) made[run.name] = layoutOf(run, fixed.folds[run.name] as Uint8Array, common, view);
    return made;
  }, [fixed, view.opened, view.everything, view.hidden, view.compare]);
  const lanes = useMemo(() => {
    const crowd = view.crowdOpen ? new Set<number>() : fixed.crowd;
    const room = (width / (view.compare ? 2 : 1)) * LANES_SHARE;
    const alone = runs[view.run];
    const present = view.compare || !alone ? fixed.present : presentActors(story, [alone]);
    return lanesOf(story, present, { hidden: view.hidden, crowd, room, short: view.compare });
  }, [fixed, view.hidden, view.crowdOpen, width, view.compare, view.run]);
  const matches = useMemo(() => {
    const run = runs[view.run];
    return run ? search(story, run, view.query) : [];
  }, [fixed, view.run, view.query]);
  return { story, runs, layouts, lanes, common, matches };
}

/** The cursor and the address follow each other. */
function useAddress(view: View, change: (move: Move) => void): void {
  const timer = useRef(0);
  useEffect(() => {
    const follow = () => {
      const there = readAddress(location.hash);
      if (there) change(jumpTo(there.step, there.run ?? "failing"));
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => writeAddress(view.run, view.step), ADDRESS_DELAY_MS);
  }, [view.run, view.step]);
}

function useKeys(change: (move: Move) => void): void {
  useEffect(() => {
    const obey = (event: KeyboardEvent) => {
      const key = keyOf(event);
      if (!key) return;
      event.preventDefault();
      if (event.key === "Escape" && event.target instanceof HTMLElement && event.target.matches("input")) event.target.blur();
      key.act?.();
      if (key.move) change(key.move);
    };
    addEventListener("keydown", obey);
    return () => removeEventListener("keydown", obey);
  }, []);
}

export function App({ story }: { story: Story }) {
  const [width, setWidth] = useState(900);
  const [share, setShare] = useState<number | undefined>(undefined);
  const [view, setView] = useState<View>(() => firstView(story));
  const scene = useScene(story, view, width);
  const latest = useRef(scene);
  latest.current = scene;
  const change = useCallback((move: Move) => setView((before) => move(before, latest.current)), []);
  useAddress(view, change);
  useKeys(change);
  useEffect(() => {
    document.title = story.bug ? `${headlineOf(story)} – Ravel` : `${story.test} – Ravel`;
  }, [story]);
  const deciding = useMemo(() => decidingMarks(scene.runs.failing, scene.runs.passing, scene.common), [scene.runs]);
  const run = scene.runs[view.run];
  const parts = { story, scene, view, change };
  if (!run) {
    return (
      <div class="app">
        <Head {...parts} />
        <p class="empty">This story has no steps.</p>
      </div>
    );
  }
  return (
    <div class={view.compare ? "app comparing" : "app"}>
      <Head {...parts} />
      <Toolbar {...parts} />
      <main class="body">
        <Timeline {...parts} deciding={deciding} onWidth={setWidth} />
        <Splitter share={share} onShare={setShare} />
        <aside class="side" aria-label="At the cursor" style={share === undefined ? {} : { width: `${share}%` }}>
          <SourcePanel {...parts} run={run} />
          <StepPanel {...parts} run={run} />
          <StatePanel {...parts} run={run} />
        </aside>
      </main>
      <KeysDialog {...parts} />
      <ActorsDialog {...parts} />
    </div>
  );
}

/** What every part of the page is given. */
export interface Parts {
  story: Story;
  scene: Scene;
  view: View;
  change: (move: Move) => void;
}
