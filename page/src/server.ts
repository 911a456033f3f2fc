// What the page of `ravel ui` asks its server, and gets. A page in a file has no server.

export interface Branch {
  steps: number;
  outcome: string;
  bug?: string;
  parent?: number; // absent: the execution with which everything began
  common?: number; // so many first steps are those of the parent
  change?: string;
}

export interface Search {
  branch: number;
  step: number;
  strategy: string;
  running: boolean;
  executions: number;
  events: number;
  seconds: number;
  verdict?: string;
  problem?: string;
  found?: number; // the branch with the bug
}

export interface Answer {
  branches: Branch[];
  added?: number;
  search?: Search;
}

export class Server {
  constructor(private readonly token: string) {}

  /** What is wrong with a request is an Error. */
  async ask<Kind = Answer>(name: string, members: Record<string, unknown> = {}): Promise<Kind> {
    const answer = JSON.parse(await this.text(name, members)) as Kind & { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  /** The answer as it came: stories are read by read_story.ts. */
  async text(name: string, members: Record<string, unknown> = {}): Promise<string> {
    const headers = { "Content-Type": "application/json", "X-Ravel-Token": this.token };
    try {
      const response = await fetch(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(members) });
      if (response.status === 200 || response.status === 400) return await response.text();
    } catch {
      // as below
    }
    throw new Error("The server does not answer any more. Start ravel ui again.");
  }
}

/** The server that has sent this page, if one has. */
export function serverOfPage(): Server | undefined {
  const token = document.querySelector<HTMLMetaElement>('meta[name="ravel-token"]')?.content;
  return token && location.protocol === "http:" ? new Server(token) : undefined;
}
