// What is drawn on the lanes, for the rows in sight: lives of actors, their steps, messages, races, what happens before
// what. All of it is told in the rows' texts or in the step panel, too, so that a screen reader leaves it out.
//
// Elements have keys and absolute places, so that those which stay in sight do not change while the page scrolls.

import { actorClass } from "./colour";
import type { Call } from "./model";
import { lanesWidth, laneX, WIDTH_OF_A_LINE } from "./lanes";
import type { Layout } from "./rows";
import type { Arrow } from "./run";
import type { RowParts } from "./row_view";
import { ROW_HEIGHT } from "./row_window";

interface Drawing extends RowParts {
  layout: Layout;
  first: number;
  last: number;
}

const NUMBER_WIDTH = 46; // as --number in style.css

/** The pixel of a row's middle, from the top of the first row. */
function rowY(row: number): number {
  return row * ROW_HEIGHT + ROW_HEIGHT / 2;
}

function actorX(parts: Drawing, actor: number | undefined): number | undefined {
  const lane = actor === undefined ? undefined : parts.lanes.laneOf[actor];
  return lane === undefined ? undefined : laneX(parts.lanes, lane);
}

function isDim(parts: Drawing, ...steps: number[]): boolean {
  return parts.lit !== undefined && steps.some((step) => !parts.lit?.[step]);
}

export function LaneDrawing(parts: Drawing) {
  const height = Math.max(0, parts.last - parts.first) * ROW_HEIGHT;
  return (
    <svg
      class="drawing"
      aria-hidden="true"
      width={lanesWidth(parts.lanes)}
      height={height}
      style={{ left: `${NUMBER_WIDTH}px` }}
    >
      <g transform={`translate(0,${-parts.first * ROW_HEIGHT})`}>
        <Lives {...parts} />
        <Births {...parts} />
        <Arrows {...parts} />
        <Dots {...parts} />
        <Ending {...parts} />
        <Loop {...parts} />
      </g>
    </svg>
  );
}

/** The lines of the lanes: whole while an actor can go on, dashed while it waits. */
function Lives(parts: Drawing) {
  const { run, layout } = parts;
  const inSight = parts.lanes.width < WIDTH_OF_A_LINE ? actorsInSight(parts) : undefined;
  const crowd = parts.lanes.lanes.find((lane) => lane.crowd)?.actors ?? [];
  const lines = run.stepsOf.flatMap((own, actor) => {
    const x = actorX(parts, actor);
    if (x === undefined || crowd.indexOf(actor) > 0 || (inSight && !inSight.has(actor))) return [];
    const born = run.bornAt[actor];
    const begins = born ?? (actor === 0 || own.length === 0 ? 0 : own[0]) ?? 0;
    const ended = run.endedAt[actor];
    const from = actor === 0 ? 0 : (layout.rowOf[begins] ?? 0);
    const to = ended === undefined ? layout.rows.length - 1 : (layout.rowOf[ended] ?? 0);
    const line = segment(parts, from, to);
    return line ? [<line key={actor} class={`life ${crowd[0] === actor ? "crowd" : actorClass(actor)}`} x1={x} x2={x} y1={line[0]} y2={line[1]} />] : [];
  });
  const waits = run.waits.flatMap(({ actor, from, to }) => {
    const x = actorX(parts, actor);
    const line = segment(parts, layout.rowOf[from] ?? 0, to >= run.steps.length ? layout.rows.length - 1 : (layout.rowOf[to] ?? 0));
    return x !== undefined && line && !crowd.includes(actor) && (!inSight || inSight.has(actor)) ? [<line key={`${actor} ${from}`} class={`waits ${actorClass(actor)}`} x1={x} x2={x} y1={line[0]} y2={line[1]} />] : [];
  });
  return <g>{lines}{waits}</g>;
}

/** The actors with a step in the rows in sight, folded or not. */
function actorsInSight({ layout, run, first, last }: Drawing): Set<number> {
  const found = new Set<number>();
  for (const row of layout.rows.slice(first, last)) {
    if (row.kind === "step") found.add(run.steps[row.step]?.actor ?? 0);
    if (row.kind === "fold" || row.kind === "call") for (let at = row.from; at <= row.to; at++) found.add(run.steps[at]?.actor ?? 0);
  }
  return found;
}

/** The part of a line between two rows that is in sight. */
function segment(parts: Drawing, from: number, to: number): [number, number] | undefined {
  if (to < parts.first || from > parts.last) return undefined;
  return [rowY(Math.max(from, parts.first - 1)), rowY(Math.min(to, parts.last + 1))];
}

/** From a parent's step to the beginning of its child's lane. */
function Births(parts: Drawing) {
  const { run, layout } = parts;
  const births = run.bornAt.flatMap((born, actor) => {
    if (born === undefined) return [];
    const row = layout.rowOf[born] ?? 0;
    const x1 = actorX(parts, run.steps[born]?.actor);
    const x2 = actorX(parts, actor);
    if (row < parts.first || row >= parts.last || x1 === undefined || x2 === undefined || x1 === x2) return [];
    const y = rowY(row);
    return [
      <g key={actor} class={`birth ${actorClass(actor)} ${isDim(parts, born) ? "dim" : ""}`}>
        <line x1={x1} x2={x2} y1={y} y2={y} />
        <circle cx={x2} cy={y} r={3.5} />
      </g>,
    ];
  });
  return <g>{births}</g>;
}

function Arrows(parts: Drawing) {
  const { run, layout, lit } = parts;
  const shown = run.arrows.flatMap((arrow) => {
    if (arrow.kind === "before" && (!lit || !lit[arrow.to] || !lit[arrow.from])) return [];
    const from = layout.rowOf[arrow.from] ?? 0;
    const to = layout.rowOf[arrow.to] ?? 0;
    const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
    if (from === to || bottom < parts.first || top > parts.last) return [];
    const x1 = actorX(parts, run.steps[arrow.from]?.actor);
    const x2 = actorX(parts, run.steps[arrow.to]?.actor);
    return x1 === undefined || x2 === undefined ? [] : [<ArrowView key={`${arrow.kind} ${arrow.from} ${arrow.to}`} parts={parts} arrow={arrow} x1={x1} x2={x2} from={from} to={to} />];
  });
  return <g>{shown}</g>;
}

interface Line {
  parts: Drawing;
  arrow: Arrow;
  x1: number;
  x2: number;
  from: number;
  to: number;
}

// An arrow ends at the edge of a step's dot.
const DOT_RADIUS = 5;
const HEAD_LENGTH = 8;

function ArrowView({ parts, arrow, x1, x2, from, to }: Line) {
  const y1 = rowY(from);
  const y2 = rowY(to);
  const deciding = arrow.decides ? " deciding" : "";
  const dim = isDim(parts, arrow.from, arrow.to) ? " dim" : "";
  const owner = arrow.kind === "message" ? ` ${actorClass(parts.run.steps[arrow.from]?.actor ?? 0)}` : "";
  const classes = `arrow ${arrow.kind}${deciding}${dim}${owner}`;
  if (arrow.kind === "race" || x1 === x2) {
    return <path class={classes} d={curve(x1, y1, x2, y2)} />;
  }
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tipX, tipY] = [x2 - ux * DOT_RADIUS, y2 - uy * DOT_RADIUS];
  const [baseX, baseY] = [tipX - ux * HEAD_LENGTH, tipY - uy * HEAD_LENGTH];
  const wing = HEAD_LENGTH / 2.4;
  const head = [
    [tipX, tipY],
    [baseX - uy * wing, baseY + ux * wing],
    [baseX + uy * wing, baseY - ux * wing],
  ];
  return (
    <g class={classes}>
      <line x1={x1} y1={y1} x2={baseX} y2={baseY} />
      <polygon points={head.map(([x, y]) => `${x?.toFixed(1)},${y?.toFixed(1)}`).join(" ")} />
    </g>
  );
}

/** Out to the left and back, or in an S from one lane to another one. */
function curve(x1: number, y1: number, x2: number, y2: number): string {
  if (x1 === x2) {
    const out = Math.min(18, 8 + Math.abs(y2 - y1) / 12);
    return `M${x1},${y1} C${x1 - out},${y1 + 6} ${x2 - out},${y2 - 6} ${x2},${y2}`;
  }
  const bend = Math.min(60, Math.abs(y2 - y1) / 1.6);
  return `M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}`;
}

function Dots(parts: Drawing) {
  const { layout, run } = parts;
  const dots = layout.rows.slice(parts.first, parts.last).flatMap((row, at) => {
    const y = rowY(parts.first + at);
    if (row.kind === "call") return row.open ? [] : [<CallView key={`call ${row.from}`} parts={parts} call={row.call} y={y} />];
    if (row.kind === "fold") return row.open ? [] : [<Ticks key={`fold ${row.from}`} parts={parts} from={row.from} to={row.to} y={y} />];
    if (row.kind !== "step") return [];
    const step = run.steps[row.step];
    const x = actorX(parts, step?.actor);
    return x === undefined || !step ? [] : [<Dot key={row.step} parts={parts} step={row.step} x={x} y={y} />];
  });
  return <g>{dots}</g>;
}

/** A call in one row: to who is asked, and back. A part of one is its main step. */
function CallView({ parts, call, y }: { parts: Drawing; call: Call; y: number }) {
  const caller = parts.run.steps[call.main]?.actor;
  const [from, to] = [actorX(parts, caller), actorX(parts, call.callee)];
  if (from === undefined) return null;
  const dot = <Dot parts={parts} step={call.main} x={from} y={y} />;
  if (to === undefined || to === from) return dot;
  const way = Math.sign(to - from);
  const tip = to - way * DOT_RADIUS;
  const back = from + way * DOT_RADIUS;
  const head = (x: number, towards: number) => `${x},${y} ${x - towards * HEAD_LENGTH},${y - HEAD_LENGTH / 2.4} ${x - towards * HEAD_LENGTH},${y + HEAD_LENGTH / 2.4}`;
  return (
    <g>
      <g class={`arrow message called ${actorClass(caller ?? 0)}${isDim(parts, call.main) ? " dim" : ""}`}>
        <line x1={back} x2={tip} y1={y} y2={y} />
        <polygon points={head(tip, way)} />
        <polygon points={head(back, -way)} />
      </g>
      {dot}
      <g class={`dot ${actorClass(call.callee ?? 0)}`}>
        <circle cx={to} cy={y} r={DOT_RADIUS - 1} />
      </g>
    </g>
  );
}

function Dot({ parts, step, x, y }: { parts: Drawing; step: number; x: number; y: number }) {
  const { run } = parts;
  const actor = run.steps[step]?.actor ?? 0;
  const classes = `dot ${actorClass(actor)} ${isDim(parts, step) ? "dim" : ""}`;
  const diamond = (run.steps[step]?.choices.length ?? 0) > 0;
  return (
    <g class={classes}>
      {parts.deciding.has(step) && <circle class="ring" cx={x} cy={y} r={9} />}
      {diamond ? <path d={`M${x},${y - 6.5} l6.5,6.5 l-6.5,6.5 l-6.5,-6.5 z`} /> : <circle cx={x} cy={y} r={DOT_RADIUS} />}
      {run.endedAt[actor] === step && <line class="end" x1={x - 8} x2={x + 8} y1={y + 9} y2={y + 9} />}
    </g>
  );
}

/** Small marks in a folded row, on the lanes whose actors have steps in it. */
function Ticks({ parts, from, to, y }: { parts: Drawing; from: number; to: number; y: number }) {
  const actors = new Set(parts.run.steps.slice(from, to + 1).map((step) => step.actor));
  const ticks = [...actors].flatMap((actor) => {
    const x = actorX(parts, actor);
    return x === undefined ? [] : [<line class={`tick ${actorClass(actor)}`} x1={x - 4} x2={x + 4} y1={y} y2={y} />];
  });
  return <g>{ticks}</g>;
}

/** A cross where the bug shows, and bars where actors wait for ever. */
function Ending(parts: Drawing) {
  const { run, layout, story } = parts;
  const row = layout.rows.length - 1;
  if (row < parts.first || row >= parts.last) return null;
  const y = rowY(row);
  const bug = run.name === "failing" ? actorX(parts, story.bug?.actor) : undefined;
  const waiting = new Set(run.execution.waiting.map((item) => actorX(parts, item.actor)));
  return (
    <g class="ending">
      {[...waiting].map((x) => x !== undefined && x !== bug && <path class="stuck" d={`M${x - 5},${y - 4} v8 M${x + 5},${y - 4} v8`} />)}
      {bug !== undefined && <path class="cross" d={`M${bug - 6},${y - 6} l12,12 m0,-12 l-12,12`} />}
    </g>
  );
}

// A shorter bracket has no label; the last row says the same.
const LOOP_LABEL_MIN = 120;

/** The bracket beside the cycle of an execution without an end. */
function Loop(parts: Drawing) {
  const { run, layout } = parts;
  const begins = run.execution.loop;
  if (begins === undefined) return null;
  const line = segment(parts, layout.rowOf[begins] ?? 0, layout.rows.length - 1);
  if (!line) return null;
  const [top, bottom] = line;
  const isTop = (layout.rowOf[begins] ?? 0) >= parts.first;
  return (
    <g class="loop">
      <path d={`M12,${bottom} H5 V${top} ${isTop ? "H12" : ""}`} />
      {isTop && <polygon points={`14,${top} 8,${top - 4} 8,${top + 4}`} />}
      {bottom - top > LOOP_LABEL_MIN && (
        <text x={0} y={0} transform={`translate(18,${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">again and again</text>
      )}
    </g>
  );
}

