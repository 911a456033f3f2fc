// The tree of executions that were tried.

import type { Answer, Branch } from "./server";

interface Props {
  answer: Answer;
  shown: number;
  onOpen: (branch: number) => void;
}

export function Executions(props: Props) {
  return (
    <section aria-labelledby="executions">
      <h2 id="executions">Executions</h2>
      <Children {...props} parent={undefined} />
    </section>
  );
}

function Children({ parent, ...props }: Props & { parent: number | undefined }) {
  const own = props.answer.branches.flatMap((branch, number) => (branch.parent === parent ? [{ branch, number }] : []));
  if (own.length === 0) return null;
  return (
    <ul>
      {own.map(({ branch, number }) => (
        <li key={number}>
          <One branch={branch} isShown={number === props.shown} onOpen={() => props.onOpen(number)} />
          <Children {...props} parent={number} />
        </li>
      ))}
    </ul>
  );
}

function One({ branch, isShown, onOpen }: { branch: Branch; isShown: boolean; onOpen: () => void }) {
  const end = branch.bug ?? branch.outcome.replaceAll("_", " ");
  return (
    <button type="button" class="execution" aria-current={isShown} title={end} onClick={onOpen}>
      <bdi>{branch.change ?? "The execution that is told"}</bdi>
      {branch.common !== undefined && branch.parent !== undefined && <span class="extra"> from step {branch.common + 1}</span>}
      <span class={branch.bug === undefined ? "end good" : "end bad"}>{end}</span>
    </button>
  );
}
