// The page of `ravel ui`: the story of one execution, and the tree of those that were tried from it.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { writeAddress } from "./address";
import { App } from "./app";
import { Executions } from "./executions";
import { LiveContext, type Live } from "./live";
import type { Story } from "./model";
import { readStory } from "./read_story";
import type { Answer, Server } from "./server";
import { SearchFrom } from "./search_from";

const BETWEEN_LOOKS_MS = 400;

interface Shown {
  branch: number;
  story: Story;
}

export function LivePage({ server, story }: { server: Server; story: Story }) {
  const [shown, show] = useState<Shown>({ branch: 0, story });
  const [answer, setAnswer] = useState<Answer>({ branches: [] });
  const [problem, tell] = useState("");
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState("");

  const open = useCallback(async (branch: number, at?: number) => {
    const reading = readStory(await server.text("story", { branch }));
    if ("problem" in reading) throw new Error(reading.problem);
    const last = (reading.story.failing?.steps.length ?? 1) - 1;
    writeAddress("failing", Math.max(0, Math.min(at ?? last, last)));
    show({ branch, story: reading.story });
  }, []);

  // One request at a time; what goes wrong is told.
  const isAsking = useRef(false);
  const act = useCallback(async (work: () => Promise<void>) => {
    if (isAsking.current) return;
    isAsking.current = true;
    setBusy(true);
    tell("");
    setSaved("");
    try {
      await work();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    } finally {
      isAsking.current = false;
      setBusy(false);
    }
  }, []);

  const attempt = (name: string, members: Record<string, unknown>) =>
    act(async () => {
      const next = await server.ask(name, { branch: shown.branch, ...members });
      setAnswer(next);
      if (next.added !== undefined) await open(next.added, next.branches[next.added]?.common);
    });

  useEffect(() => {
    act(async () => setAnswer(await server.ask("branches")));
  }, []);

  const running = answer.search?.running === true;
  useEffect(() => {
    if (!running) return;
    const look = async () => {
      try {
        const next = await server.ask("branches");
        setAnswer(next);
        const found = next.search?.found;
        if (next.search?.running === false && found !== undefined) await open(found, next.branches[found]?.common);
      } catch (error) {
        tell(error instanceof Error ? error.message : String(error));
        setAnswer((before) => ({ branches: before.branches }));
      }
    };
    const timer = setInterval(look, BETWEEN_LOOKS_MS);
    return () => clearInterval(timer);
  }, [running]);

  const live: Live = {
    busy,
    choose: (step, choice) =>
      attempt("choose", {
        step,
        actor: choice.actor === undefined ? "" : (shown.story.actors[choice.actor]?.name ?? ""),
        kind: choice.kind || "operation",
        alternative: choice.alternative ?? 0,
      }),
    rollBack: (step) => attempt("roll_back", { step }),
    vary: (step, other) => attempt("vary", { step, other }),
  };
  const save = () =>
    act(async () => setSaved((await server.ask<{ replay: string }>("save", { branch: shown.branch })).replay));

  return (
    <div class="live">
      <aside class="tried scrolls" tabIndex={0} aria-label="Executions">
        <Executions answer={answer} shown={shown.branch} onOpen={(branch) => act(() => open(branch, answer.branches[branch]?.common))} />
        <p>
          <button type="button" disabled={busy} onClick={save}>Save this execution</button>
        </p>
        <SearchFrom
          search={answer.search}
          busy={busy}
          steps={shown.story.failing?.steps.length ?? 0}
          onSearch={(step, strategy, seconds) => attempt("search", { step, strategy, seconds })}
          onStop={() => attempt("stop", {})}
        />
        <p class="told" role="status">{problem || (saved && `Saved. See it again by: ${saved}`)}</p>
      </aside>
      <LiveContext.Provider value={live}>
        <App key={shown.branch} story={shown.story} />
      </LiveContext.Provider>
    </div>
  );
}
