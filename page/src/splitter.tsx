// The line between the steps and what is at the cursor: dragged by the mouse, moved by arrow keys.

interface SplitterParts {
  share: number | undefined; // of the page's width that the right side has, in percent; undefined: as the style says
  onShare: (share: number) => void;
}

const SHARE_MIN = 15;
const SHARE_MAX = 75;
const SHARE_USUAL = 34;
const KEY_STEP = 4;

function bounded(share: number): number {
  return Math.min(SHARE_MAX, Math.max(SHARE_MIN, share));
}

export function Splitter({ share, onShare }: SplitterParts) {
  const move = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onShare(bounded(100 - (100 * event.clientX) / innerWidth));
  };
  const obey = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onShare(bounded((share ?? SHARE_USUAL) + steps * KEY_STEP));
  };
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the steps"
      aria-valuemin={SHARE_MIN}
      aria-valuemax={SHARE_MAX}
      aria-valuenow={Math.round(share ?? SHARE_USUAL)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={obey}
    />
  );
}
