// Which rows of a scrolling element can be seen: only these are rendered. Nothing is measured while it scrolls but the
// scroll position itself, and a new window is taken only when the old one comes to its end.

import { useLayoutEffect, useState } from "preact/hooks";

export const ROW_HEIGHT = 26; // as --row in style.css

export interface RowWindow {
  first: number;
  last: number; // the first row after the window
  printed: boolean; // for paper: all rows, one after the other
}

// Rows that are rendered above and below what can be seen.
const SPARE_ROWS = 24;
// A printed page has all rows, up to this many: some fifty sheets.
const PRINTED_ROWS_MAX = 2000;

// Rows that stay together on paper. What is drawn beside them is part of them, so that both break at the same place.
const PRINTED_TOGETHER = 6;

/** A window in the pieces in which it is rendered. */
export function piecesOf({ first, last, printed }: RowWindow): { first: number; last: number }[] {
  if (!printed) return [{ first, last }];
  const pieces = [];
  for (let at = first; at < last; at += PRINTED_TOGETHER) pieces.push({ first: at, last: Math.min(last, at + PRINTED_TOGETHER) });
  return pieces;
}

export function useRowWindow(element: { current: HTMLElement | null }, count: number, height = ROW_HEIGHT): RowWindow {
  const [rows, setRows] = useState<RowWindow>({ first: 0, last: Math.min(count, 80), printed: false });
  useLayoutEffect(() => {
    const here = element.current;
    if (!here) return undefined;
    let frame = 0;
    let room = here.clientHeight;
    const look = () => {
      frame = 0;
      const top = Math.floor(here.scrollTop / height);
      const bottom = Math.ceil((here.scrollTop + room) / height);
      setRows((old) => {
        const fits = !old.printed && old.first <= Math.max(0, top - 2) && old.last >= Math.min(count, bottom + 2) && old.last <= count;
        if (fits && old.last - old.first < bottom - top + 3 * SPARE_ROWS) return old;
        return { first: Math.max(0, Math.min(count, top) - SPARE_ROWS), last: Math.min(count, bottom + SPARE_ROWS), printed: false };
      });
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    const observer = new ResizeObserver(() => {
      room = here.clientHeight;
      look();
    });
    const print = () => setRows({ first: 0, last: Math.min(count, PRINTED_ROWS_MAX), printed: true });
    look();
    observer.observe(here);
    here.addEventListener("scroll", onScroll, { passive: true });
    addEventListener("beforeprint", print);
    addEventListener("afterprint", look);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      here.removeEventListener("scroll", onScroll);
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", look);
    };
  }, [count, height]);
  return rows.last > count ? { ...rows, first: Math.min(rows.first, count), last: count } : rows;
}
