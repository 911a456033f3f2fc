// All keys: what the page obeys and what its help lists are the same table.

import * as view from "./view";
import { switchTheme } from "./theme";

export interface Key {
  keys: string[]; // as KeyboardEvent.key
  shift?: boolean; // for keys that make no character: whether Shift has to be held
  shown: string;
  help: string;
  move?: view.Move;
  act?: () => void;
}

const ROWS_OF_A_PAGE = 12;

export function focusSearch(): void {
  const field = document.getElementById("search");
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  }
}

export const KEYS: Key[] = [
  { keys: ["ArrowDown", "j"], shift: false, shown: "↓  j", help: "next step", move: view.byRows(1) },
  { keys: ["ArrowUp", "k"], shift: false, shown: "↑  k", help: "step before", move: view.byRows(-1) },
  { keys: ["ArrowDown", "J"], shift: true, shown: "Shift ↓", help: "next step of the same actor", move: view.inLane(1) },
  { keys: ["ArrowUp", "K"], shift: true, shown: "Shift ↑", help: "last step of the same actor before", move: view.inLane(-1) },
  { keys: ["ArrowRight"], shown: "→", help: "lane on the right", move: view.acrossLanes(1) },
  { keys: ["ArrowLeft"], shown: "←", help: "lane on the left", move: view.acrossLanes(-1) },
  { keys: ["PageDown"], shown: "Page ↓", help: "a page on", move: view.byRows(ROWS_OF_A_PAGE) },
  { keys: ["PageUp"], shown: "Page ↑", help: "a page back", move: view.byRows(-ROWS_OF_A_PAGE) },
  { keys: ["Home"], shown: "Home", help: "first step", move: view.toFirst },
  { keys: ["End"], shown: "End", help: "last step", move: view.toLast },
  { keys: ["d"], shown: "d", help: "the steps whose order decides, one after the other", move: view.toRace },
  { keys: ["b"], shown: "b", help: "where the bug shows", move: view.toBug },
  { keys: ["Enter", " "], shown: "Enter", help: "open or close the folded steps here", move: view.toggleFoldHere },
  { keys: ["f"], shown: "f", help: "show every step, or fold what has nothing to do with it", move: view.toggleEverything },
  { keys: ["a"], shown: "a", help: "what else could have moved here", move: view.showAlternatives },
  { keys: ["c"], shown: "c", help: "light what led to this step, and dim the rest", move: view.togglePast },
  { keys: ["p"], shown: "p", help: "the passing run beside it", move: view.toggleCompare },
  { keys: ["h"], shown: "h", help: "hide this actor", move: view.hideCursorsActor },
  { keys: ["m"], shown: "m", help: "choose which actors to show", move: view.dialog("actors") },
  { keys: ["/"], shown: "/", help: "search (texts, actors, places)", act: focusSearch },
  { keys: ["n"], shown: "n", help: "next step found", move: view.toMatch(1) },
  { keys: ["N"], shown: "N", help: "step found before", move: view.toMatch(-1) },
  { keys: ["t"], shown: "t", help: "dark or light", act: switchTheme },
  { keys: ["Escape"], shown: "Esc", help: "close what is open", move: view.escape },
  { keys: ["?"], shown: "?", help: "this list, and what the signs mean", move: view.dialog("keys") },
];

/** What a key does, unless it is meant for a field, a button or the browser. */
export function keyOf(event: KeyboardEvent): Key | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest("dialog")) return undefined;
  if (target?.matches("input, textarea, select")) return event.key === "Escape" ? findKey(event) : undefined;
  if (target?.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return undefined;
  if (target?.closest(".scrolls") && /^(Arrow|Page|Home|End)/.test(event.key)) return undefined;
  return findKey(event);
}

function findKey(event: KeyboardEvent): Key | undefined {
  return KEYS.find((key) => key.keys.includes(event.key) && (key.shift === undefined || event.key.length === 1 || key.shift === event.shiftKey));
}
