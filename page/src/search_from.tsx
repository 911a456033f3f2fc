// A search of all executions that begin like the one that is shown, up to a step.

import { useState } from "preact/hooks";
import { readAddress } from "./address";
import { counted } from "./words";
import type { Search } from "./server";

const STRATEGIES = [
  ["", "as ravel check"],
  ["dpor", "dpor: each trace once"],
  ["preemption", "preemption: few preemptions first"],
  ["random", "random: random walks"],
  ["pct", "pct: random priorities"],
] as const;

interface Props {
  search: Search | undefined;
  steps: number;
  busy: boolean;
  onSearch: (step: number, strategy: string, seconds: number) => void;
  onStop: () => void;
}

export function SearchFrom({ search, steps, busy, onSearch, onStop }: Props) {
  const [strategy, setStrategy] = useState("");
  const [seconds, setSeconds] = useState(30);
  const begin = () => onSearch(Math.min(readAddress(location.hash)?.step ?? 0, steps), strategy, seconds);
  const isRunning = search?.running === true;
  return (
    <section aria-labelledby="search-from">
      <h2 id="search-from">Go on from the cursor</h2>
      <p class="extra">Tries executions that begin like this one, up to before the step at the cursor.</p>
      <p>
        <select aria-label="Strategy" value={strategy} onChange={(event) => setStrategy(event.currentTarget.value)}>
          {STRATEGIES.map(([name, told]) => <option value={name}>{told}</option>)}
        </select>
      </p>
      <p>
        <label>
          for{" "}
          <input type="number" class="seconds" min="1" max="3600" value={seconds} onInput={(event) => setSeconds(event.currentTarget.valueAsNumber || 1)} /> seconds
        </label>{" "}
        {isRunning ? (
          <button key="stop" type="button" onClick={onStop}>Stop</button>
        ) : (
          <button key="search" type="button" disabled={busy} onClick={begin}>Search</button>
        )}
      </p>
      {search && <p role="status">{told(search)}</p>}
    </section>
  );
}

function told(search: Search): string {
  const from = `from step ${search.step + 1}: ${counted(search.executions, "execution")}, ${search.seconds.toFixed(1)} s`;
  if (search.running) return `Searching ${from}`;
  if (search.problem) return search.problem;
  const verdicts: Record<string, string> = {
    pass: "no bug, and the search is complete",
    bug: "a bug",
    incomplete: "no bug, and the search is not complete",
  };
  return `${verdicts[search.verdict ?? ""] ?? search.verdict} (${from})`;
}
