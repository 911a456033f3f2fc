// The names above the lanes.

import type { Parts } from "./app";
import { actorClass } from "./colour";
import { laneX, WIDTH_OF_A_LINE, type Lane } from "./lanes";
import { positionUpTo, type Run } from "./run";
import { jumpTo, type View } from "./view";

interface HeadsParts extends Parts {
  run: Run;
  title: string;
}

const UPRIGHT_HEIGHT = 30;

export function LaneHeads({ story, scene, view, change, run, title }: HeadsParts) {
  const { lanes } = scene;
  const height = lanes.upright ? UPRIGHT_HEIGHT : lanes.turned + 6;
  const turned = lanes.upright ? {} : { bottom: `${(lanes.turned - 22) / 2 + 3}px` };
  const shown = lanes.laneOf[run.steps[view.step]?.actor ?? -1];
  const go = (lane: Lane) => {
    if (lane.crowd) return change((now: View) => ({ ...now, crowdOpen: true }));
    const own = run.stepsOf[lane.actors[0] ?? -1] ?? [];
    const step = own[Math.max(0, positionUpTo(own, view.step))];
    if (step !== undefined) change(jumpTo(step, run.name));
  };
  return (
    <div class={lanes.upright ? "laneheads" : "laneheads turned"} style={{ height: `${height}px` }}>
      {lanes.lanes.map((lane, at) => (lanes.width >= WIDTH_OF_A_LINE || at === shown) && (
        <button
          type="button"
          class={lane.crowd ? "lanehead crowd" : `lanehead ${actorClass(lane.actors[0] ?? 0)}`}
          style={{ left: `${laneX(lanes, at)}px`, width: `${lanes.upright ? lanes.width - 4 : lanes.turned}px`, ...turned }}
          title={lane.crowd ? `${lane.label} have nothing to do with the bug; a click opens them` : describe(story, lane)}
          onClick={() => go(lane)}
        >
          {lane.label}
        </button>
      ))}
      <span class="panetitle">{title}</span>
      {view.crowdOpen && (
        <button type="button" class="link closecrowd" onClick={() => change((now: View) => ({ ...now, crowdOpen: false }))}>
          Fold idle actors
        </button>
      )}
    </div>
  );
}

function describe(story: Story, lane: Lane): string {
  const actor = story.actors[lane.actors[0] ?? -1];
  return [actor?.label, actor?.kind, actor?.end].filter((text) => text).join(", ");
}

type Story = Parts["story"];
