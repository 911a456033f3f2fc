// What parts of the page may ask for where executions can be tried.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Choice } from "./model";

export interface Live {
  busy: boolean;
  choose: (step: number, choice: Choice) => void;
  rollBack: (step: number) => void;
  vary: (step: number, other: number) => void;
}

/** Nothing, in a page that is a file. */
export const LiveContext = createContext<Live | undefined>(undefined);

export function useLive(): Live | undefined {
  return useContext(LiveContext);
}
