import { useState } from "react";
import { FIRST_ROWS } from "@aglens/contract";
import { MOST_SLOWEST } from "../../data/capture-source.ts";

/** Number of shown rows of a list. */
export interface ShownRows {
  readonly limit: number;
  /** Lists more of them; null when the server would not return more. */
  readonly showMore: (() => void) | null;
}

/** Pages of a list: another list begins with the first page again. @param list key of the list */
export function useShownRows(list: string): ShownRows {
  const [shown, setShown] = useState({ list, limit: FIRST_ROWS });
  const limit = shown.list === list ? shown.limit : FIRST_ROWS;
  const showMore = (): void => setShown({ list, limit: Math.min(MOST_SLOWEST, limit + FIRST_ROWS) });
  return { limit, showMore: limit < MOST_SLOWEST ? showMore : null };
}
