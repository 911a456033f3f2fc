// One row: the number of the step, room for the lanes (which lane_drawing.tsx fills), what happens, and where.

import { Component, type ComponentChildren } from "preact";
import { actorClass } from "./colour";
import type { Marks } from "./difference";
import { laneX, type Lanes } from "./lanes";
import type { Call, Step, Story } from "./model";
import { foldText, type Row } from "./rows";
import type { Run } from "./run";
import { placeOf } from "./search";
import { headlineOf } from "./words";

export interface RowParts {
  story: Story;
  lanes: Lanes;
  compare: boolean; // both runs are shown
  common: number; // so many first steps are the same in both
  run: Run;
  lit: Uint8Array | undefined;
  deciding: Marks;
}

interface OneRow extends RowParts {
  row: Row;
  id: string;
  number: number;
  isCursor: boolean;
  isFound: boolean;
}

// What does not fit into a row is in the panel beside it.
const CHARACTERS_MAX = 400;

function short(text: string): string {
  const line = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
  return line.replace(/[\r\n]+/g, " ");
}

/** A row is rendered again only if something of it has changed: while the page scrolls, nothing has. */
export class RowView extends Component<OneRow> {
  override shouldComponentUpdate(next: OneRow) {
    return (Object.keys(next) as (keyof OneRow)[]).some((name) => next[name] !== this.props[name]);
  }

  override render() {
    const parts = this.props as OneRow;
    if (parts.row.kind === "step") return <StepRow {...parts} step={parts.row.step} />;
    if (parts.row.kind === "call") return <CallRow {...parts} row={parts.row} />;
    if (parts.row.kind === "fold") return <FoldRow {...parts} row={parts.row} />;
    return <BandRow {...parts} />;
  }
}

function Frame(props: OneRow & { classes: string[]; children: ComponentChildren }) {
  const classes = ["row", ...props.classes, props.isCursor ? "cursor" : ""];
  return (
    <div role="row" id={props.id} data-row={props.number} aria-rowindex={props.number + 1} aria-selected={props.isCursor} class={classes.join(" ")}>
      {props.children}
    </div>
  );
}

function StepRow(parts: OneRow & { step: number }) {
  return <TellingRow {...parts} isLit={!parts.lit || parts.lit[parts.step] === 1} />;
}

/** A question with its answer, or a step with what its actor does beside it. */
function CallRow(parts: OneRow & { row: Row & { kind: "call" } }) {
  const { row, lit } = parts;
  const isLit = lit === undefined || lit.subarray(row.from, row.to + 1).includes(1);
  return <TellingRow {...parts} step={row.call.main} isLit={isLit} call={row} />;
}

function TellingRow(parts: OneRow & { step: number; isLit: boolean; call?: Row & { kind: "call" } }) {
  const { story, lanes, run, compare, call, isLit } = parts;
  const step = run.steps[parts.step];
  if (!step) return null;
  const isCommon = compare && parts.step < parts.common;
  const classes = [
    isLit ? "" : "dim",
    isCommon ? "common" : "",
    step.switch === "preemption" && !run.hasFewPreemptions ? "preempts" : "",
    parts.isFound ? "found" : "",
    parts.deciding.has(parts.step) ? "decides" : "",
    isAside(run, call ? run.steps.slice(call.from, call.to + 1) : [step]) ? "aside" : "",
    call ? "call" : "",
  ];
  const lane = lanes.laneOf[step.actor];
  return (
    <Frame {...parts} classes={classes}>
      <span role="rowheader" class="number">{parts.step + 1}</span>
      <span class="lanearea" role="gridcell">
        {step.choices.length > 0 && lane !== undefined && !call && (
          <button type="button" tabIndex={-1} class="diamond" style={{ left: `${laneX(lanes, lane)}px` }} aria-label={`What else could have moved at step ${parts.step + 1}`} />
        )}
      </span>
      <span role="gridcell" class="what">
        {call && (
          <button type="button" tabIndex={-1} class="unfold" aria-expanded={call.open} title={`Steps ${call.from + 1} to ${call.to + 1}`}>
            {call.open ? "▾" : "▸"}
          </button>
        )}
        <span class="text">
          <b class={actorClass(step.actor)}>{compare ? story.actors[step.actor]?.name : story.actors[step.actor]?.label}</b>{" "}
          {call?.call.callee === undefined ? <StepText step={step} /> : <Asks story={story} call={call.call} />}
        </span>
        <Chip {...parts} />
      </span>
      <span role="gridcell" class="place" title={placeOf(story, step)}>{story.sources.length > 1 ? placeOf(story, step) : lineOf(step)}</span>
    </Frame>
  );
}

function StepText({ step }: { step: Step }) {
  return (
    <>
      <bdi title={step.said && step.text}>{short(step.said || step.text)}</bdi>
      {step.extra.length > 0 && <bdi class="extra"> {short(step.extra.join("; "))}</bdi>}
    </>
  );
}

function Asks({ story, call }: { story: Story; call: Call }) {
  const callee = call.callee ?? 0;
  return (
    <>
      asks <b class={actorClass(callee)}>{story.actors[callee]?.label}</b>: <bdi>{short(call.request)}</bdi> → <bdi>{short(call.reply)}</bdi>
    </>
  );
}

function isAside(run: Run, steps: Step[]): boolean {
  return steps.every((step) => step.inner || (run.hasRelevant && !step.relevant));
}

/** Where there is one source only, its name is in the panel beside the rows. */
function lineOf(step: Step): string {
  return step.line === undefined ? "" : `line ${step.line}`;
}

/** Says of a step whose order decides which one it comes before or after. */
function Chip({ deciding, compare, run, step }: OneRow & { step: number }) {
  const mark = deciding.get(step);
  if (!mark) return null;
  const isWhole = compare || run.name === "passing" || mark.text === "decides";
  return <span class="chip" title={mark.hint}>{isWhole ? mark.text : `decides: ${mark.text}`}</span>;
}

function FoldRow(parts: OneRow & { row: Row & { kind: "fold" } }) {
  const { row, run, lit, compare, common } = parts;
  const someLit = lit === undefined || lit.subarray(row.from, row.to + 1).includes(1);
  const isCommon = compare && row.to < common;
  return (
    <Frame {...parts} classes={["fold", someLit ? "" : "dim", isCommon ? "common" : ""]}>
      <span role="rowheader" class="number">{row.open ? "▾" : "▸"}</span>
      <span class="lanearea" role="gridcell" />
      <span role="gridcell" class="what">
        <button type="button" tabIndex={-1} aria-expanded={row.open}>{foldText(row)}</button>
      </span>
      <span role="gridcell" class="place">
        {run.steps.length > 0 ? `${row.from + 1}–${row.to + 1}` : ""}
      </span>
    </Frame>
  );
}

function BandRow(parts: OneRow) {
  const { row } = parts;
  const said = bandText(parts);
  return (
    <Frame {...parts} classes={["band", row.kind, row.kind === "end" && parts.run.name === "failing" && parts.story.bug ? "bad" : ""]}>
      <span role="rowheader" class="number" />
      <span class="lanearea" role="gridcell" />
      <span role="gridcell" class="what" aria-colspan={2}>
        <span class="text">{said}</span>
      </span>
    </Frame>
  );
}

function bandText({ row, run, story }: OneRow): string {
  if (row.kind === "preemption") {
    const before = run.steps[row.step - 1];
    const who = before ? story.actors[before.actor]?.label : undefined;
    return `preemption: ${who ?? "another actor"} could have gone on`;
  }
  if (row.kind === "parting") return "up to here, both runs are the same";
  if (row.kind === "cut") return `${run.execution.leftOut.toLocaleString("en")} more steps are left out here`;
  if (run.execution.loop !== undefined) return `and so on, from step ${run.execution.loop + 1}, again and again`;
  if (run.name === "failing" && story.bug) return headlineOf(story);
  return run.name === "passing" ? "the test passes" : run.execution.outcome.replaceAll("_", " ");
}
