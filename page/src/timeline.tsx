// The centre of the page: a lane for each actor, time downwards, a row for each step. Only the rows that can be seen are
// rendered. Both runs are in one scrolling element, so that they scroll together.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Parts } from "./app";
import { Choices } from "./choices";
import type { Marks } from "./difference";
import { LaneDrawing } from "./lane_drawing";
import { LaneHeads } from "./lane_heads";
import { lanesWidth, laneX } from "./lanes";
import type { RunName } from "./model";
import { RowView } from "./row_view";
import { stepOfRow, type Layout } from "./rows";
import { causalPast, type Run } from "./run";
import { select, toggleFold } from "./view";
import { piecesOf, ROW_HEIGHT, useRowWindow, type RowWindow } from "./row_window";

interface TimelineParts extends Parts {
  deciding: Record<RunName, Marks>;
  onWidth: (width: number) => void;
}

function useWidth(element: { current: HTMLElement | null }, onWidth: (width: number) => void): void {
  useLayoutEffect(() => {
    const here = element.current;
    if (!here) return undefined;
    const observer = new ResizeObserver(() => onWidth(here.clientWidth));
    observer.observe(here);
    return () => observer.disconnect();
  }, []);
}

/** Keeps the cursor's row in sight; in the middle, if a jump has led there. */
function useCursorInSight(element: { current: HTMLElement | null }, { view, scene }: Parts): void {
  const centred = useRef(view.centred);
  const row = scene.layouts[view.run]?.rowOf[view.step] ?? 0;
  useLayoutEffect(() => {
    const here = element.current;
    if (!here) return;
    const head = here.querySelector<HTMLElement>(".laneheads")?.offsetHeight ?? 0;
    const room = here.clientHeight - head;
    const top = row * ROW_HEIGHT;
    const margin = 2 * ROW_HEIGHT;
    const inSight = top - margin >= here.scrollTop && top + ROW_HEIGHT + margin <= here.scrollTop + room;
    if (centred.current !== view.centred && !inSight) here.scrollTop = top - room / 2;
    else if (top - margin < here.scrollTop) here.scrollTop = top - margin;
    else if (top + ROW_HEIGHT + margin > here.scrollTop + room) here.scrollTop = top + ROW_HEIGHT + margin - room;
    centred.current = view.centred;
  }, [view.run, view.step, view.centred, row, scene.lanes.upright]);
}

export function Timeline(parts: TimelineParts) {
  const element = useRef<HTMLDivElement>(null);
  const { scene, view } = parts;
  const names: RunName[] = view.compare ? ["failing", "passing"] : scene.runs.failing ? ["failing"] : ["passing"];
  const shown = names.filter((name) => scene.runs[name]);
  const most = Math.max(...shown.map((name) => scene.layouts[name]?.rows.length ?? 0));
  const rows = useRowWindow(element, most);
  useWidth(element, parts.onWidth);
  useCursorInSight(element, parts);
  return (
    <div class={shown.length > 1 ? "timeline two" : "timeline"} ref={element}>
      {shown.map((name) => (
        <Pane {...parts} run={scene.runs[name] as Run} layout={scene.layouts[name] as Layout} rows={rows} height={most * ROW_HEIGHT} />
      ))}
    </div>
  );
}

const LABELS: Record<RunName, string> = { failing: "The run with the bug", passing: "A run that passes" };

interface PaneParts extends TimelineParts {
  run: Run;
  layout: Layout;
  rows: RowWindow;
  height: number;
}

function Pane(parts: PaneParts) {
  const { story, scene, view, change, run, layout, rows } = parts;
  const [hovered, hover] = useState<number | undefined>(undefined);
  const isCursors = view.run === run.name;
  const lit = useMemo(() => {
    const step = hovered ?? (view.past && isCursors ? view.step : undefined);
    return step === undefined ? undefined : causalPast(run, step);
  }, [hovered, view.past, isCursors, view.step, run]);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCursors && document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
  }, []);
  const cursorRow = isCursors ? layout.rowOf[view.step] : undefined;
  const found = useMemo(() => (isCursors ? new Set(scene.matches) : new Set<number>()), [scene.matches, isCursors]);
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = layout.rows[rowNumber(target)];
    const step = stepOfRow(row);
    if (step === undefined || !row) return;
    if (row.kind === "fold") change(toggleFold(run, row.from));
    if (row.kind === "call") {
      if (target.closest("button")) change(toggleFold(run, row.from));
      change(select(step, run.name));
    }
    if (row.kind === "step") change(select(step, run.name));
    if (target.closest(".diamond")) change((now) => ({ ...now, dialog: "choices" }));
  };
  const onMouseOver = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = target.closest(".lanearea") ? layout.rows[rowNumber(target)] : undefined;
    hover(row?.kind === "step" ? row.step : row?.kind === "call" ? row.to : undefined);
  };
  const last = Math.min(rows.last, layout.rows.length);
  const common = { story, lanes: scene.lanes, compare: view.compare, common: scene.common, run, lit, deciding: parts.deciding[run.name] };
  const id = `${run.name}-row-`;
  const isDrawn = cursorRow !== undefined && cursorRow >= rows.first && cursorRow < last;
  return (
    <section class={`pane ${run.name}`} style={{ "--lanes": `${lanesWidth(scene.lanes)}px` }}>
      <LaneHeads {...parts} title={story.failing && story.passing && view.compare ? LABELS[run.name] : ""} />
      <div class="gridbox">
        <div
          class="grid"
          ref={grid}
          role="grid"
          tabIndex={0}
          aria-label={story.bug && run.name === "failing" ? "Steps of the run with the bug" : "Steps of the run"}
          aria-rowcount={layout.rows.length}
          aria-colcount={4}
          {...(isDrawn ? { "aria-activedescendant": `${id}${cursorRow}` } : {})}
          style={{ height: rows.printed ? "auto" : `${parts.height}px` }}
          onClick={onClick}
          onMouseOver={onMouseOver}
          onMouseLeave={() => hover(undefined)}
        >
          {piecesOf({ ...rows, last }).map((piece) => (
            <div role="rowgroup" class="window" style={{ transform: rows.printed ? "" : `translateY(${piece.first * ROW_HEIGHT}px)` }}>
              {layout.rows.slice(piece.first, piece.last).map((row, at) => (
                <RowView
                  {...common}
                  key={piece.first + at}
                  id={`${id}${piece.first + at}`}
                  number={piece.first + at}
                  row={row}
                  isCursor={cursorRow === piece.first + at}
                  isFound={(row.kind === "step" && found.has(row.step)) || (row.kind === "call" && !row.open && found.has(row.call.main))}
                />
              ))}
              <LaneDrawing {...common} layout={layout} first={piece.first} last={piece.last} />
            </div>
          ))}
        </div>
        {isCursors && view.dialog === "choices" && isDrawn && (
          <div class="popover" role="dialog" aria-label="What else could have moved here" style={popoverPlace(parts, cursorRow)}>
            <Choices story={story} run={run} step={view.step} change={change} />
          </div>
        )}
      </div>
    </section>
  );
}

function popoverPlace({ scene, run, view }: PaneParts, row: number): { top: string; left: string } {
  const lane = scene.lanes.laneOf[run.steps[view.step]?.actor ?? -1] ?? 0;
  return { top: `${(row + 1) * ROW_HEIGHT + 4}px`, left: `${laneX(scene.lanes, lane) + 40}px` };
}

function rowNumber(target: Element): number {
  return Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
}
