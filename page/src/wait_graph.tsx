// Who waits for whom at the end of a deadlock: a small drawing, and the same as a list.

import type { Parts } from "./app";
import { actorClass } from "./colour";
import type { Waiting } from "./model";

// More actors make no readable circle: those of the cycle come first, the list has all.
const ACTORS_DRAWN = 8;
const WIDTH = 320;
const HEIGHT = 168;

/** The actors in the order of their edges, those of a cycle first. */
export function orderOfWaiting(waiting: Waiting[]): number[] {
  const edges = new Map(waiting.map((item) => [item.actor, item.for]));
  const cycle = cycleOf(edges);
  const rest = waiting.flatMap((item) => [item.actor, ...item.for]);
  return [...new Set([...cycle, ...rest])];
}

/** The actors of a cycle, each waiting for the next one; none: there is no cycle. */
export function cycleOf(edges: Map<number, number[]>): number[] {
  const done = new Set<number>();
  for (const start of edges.keys()) {
    const path: number[] = [];
    const stack: { actor: number; next: number }[] = [{ actor: start, next: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as { actor: number; next: number };
      if (top.next === 0) path.push(top.actor);
      const target = edges.get(top.actor)?.[top.next++];
      if (target === undefined) {
        done.add(top.actor);
        path.pop();
        stack.pop();
      } else if (path.includes(target)) {
        return path.slice(path.indexOf(target));
      } else if (!done.has(target)) {
        stack.push({ actor: target, next: 0 });
      }
    }
  }
  return [];
}

export function WaitGraph({ story, waiting }: Parts & { waiting: Waiting[] }) {
  const order = orderOfWaiting(waiting).slice(0, ACTORS_DRAWN);
  const place = new Map(order.map((actor, at) => [actor, placeOf(at, order.length)]));
  const cycle = new Set(cycleOf(new Map(waiting.map((item) => [item.actor, item.for]))));
  return (
    <figure class="waitgraph">
      <figcaption>Who waits for whom</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {waiting.flatMap((item) =>
          item.for.map((other) => (
            <Edge
              from={place.get(item.actor)}
              to={place.get(other)}
              inCycle={cycle.has(item.actor) && cycle.has(other)}
              isMutual={waiting.some((back) => back.actor === other && back.for.includes(item.actor))}
            />
          )),
        )}
        {order.map((actor) => <Node label={story.actors[actor]?.label ?? ""} actor={actor} place={place.get(actor) as Place} />)}
      </svg>
      <ul class="unseen">
        {waiting.map((item) => (
          <li>
            {story.actors[item.actor]?.label} waits for {item.for.map((other) => story.actors[other]?.label).join(", ") || "nobody that is known"}
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface Place {
  x: number;
  y: number;
}

function placeOf(at: number, count: number): Place {
  const angle = (2 * Math.PI * at) / count - Math.PI / 2;
  return { x: WIDTH / 2 + Math.cos(angle) * (WIDTH / 2 - 62), y: HEIGHT / 2 + Math.sin(angle) * (HEIGHT / 2 - 20) };
}

const NODE_HALF_WIDTH = 54;
const NODE_HALF_HEIGHT = 12;
const LABEL_CHARACTERS = 15;

function Node({ label, actor, place }: { label: string; actor: number; place: Place }) {
  const text = label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS - 1)}…` : label;
  return (
    <g class={`node ${actorClass(actor)}`}>
      <rect x={place.x - NODE_HALF_WIDTH} y={place.y - NODE_HALF_HEIGHT} width={2 * NODE_HALF_WIDTH} height={2 * NODE_HALF_HEIGHT} rx={5} />
      <text x={place.x} y={place.y + 4} text-anchor="middle">{text}</text>
      <title>{label}</title>
    </g>
  );
}

/** From the edge of one box to that of another; a little aside if there is one back, so that both can be seen. */
function Edge(props: { from: Place | undefined; to: Place | undefined; inCycle: boolean; isMutual: boolean }) {
  const { from, to, inCycle } = props;
  if (!from || !to || from === to) return null;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const aside = props.isMutual ? 6 : 0;
  const a = leave(from, ux, uy, 2);
  const b = leave(to, -ux, -uy, 4);
  const shift = { x: -uy * aside, y: ux * aside };
  const [x1, y1, x2, y2] = [a.x + shift.x, a.y + shift.y, b.x + shift.x, b.y + shift.y];
  const head = [[x2, y2], [x2 - ux * 9 - uy * 4, y2 - uy * 9 + ux * 4], [x2 - ux * 9 + uy * 4, y2 - uy * 9 - ux * 4]];
  return (
    <g class={inCycle ? "edge cycle" : "edge"}>
      <line x1={x1} y1={y1} x2={x2 - ux * 6} y2={y2 - uy * 6} />
      <polygon points={head.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ")} />
    </g>
  );
}

/** Where a ray from the middle of a box leaves it. */
function leave(place: Place, ux: number, uy: number, gap: number): Place {
  const reach = Math.min(ux === 0 ? Infinity : NODE_HALF_WIDTH / Math.abs(ux), uy === 0 ? Infinity : NODE_HALF_HEIGHT / Math.abs(uy)) + gap;
  return { x: place.x + ux * reach, y: place.y + uy * reach };
}
