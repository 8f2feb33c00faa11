import { useState } from "react";
import { blockFilterText, FIRST_ROWS } from "@aglens/contract";
import { MOST_SLOWEST, type TimeRange } from "../../data/capture-source.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import { useCapture } from "../capture-context.ts";
import { isWithoutFile } from "./missing-file.ts";
import { useSlowestKind } from "./slowest-kind.ts";
import type { SlowestList } from "./overview-context.ts";

/** The slowest blocks of a range in the view's order; asked for only while they are shown. Another range or order begins with the first page again. */
export function useSlowest({ from, to }: TimeRange): SlowestList {
  const { source, summary, view } = useCapture();
  const { descending, secondary, where } = view;
  // Without the primary's file nobody knows a remote harden: the secondary's log write is what blocks differ in.
  const sort = isWithoutFile(summary, 0) && view.sort === DEFAULT_VIEW.sort ? "secondaryFlush" : view.sort;
  const filter = where === null ? "" : blockFilterText(where);
  const order = `${from} ${to} ${sort} ${descending} ${secondary} ${filter}`;
  const [shown, setShown] = useState({ order, limit: FIRST_ROWS });
  const limit = shown.order === order ? shown.limit : FIRST_ROWS;
  const isShown = useSlowestKind() === "blocks";
  const answer = useAnswer(
    isShown ? source.slowest({ range: { from, to }, sort, descending, secondary, limit, where }) : null,
  );
  const showMore = (): void => setShown({ order, limit: Math.min(MOST_SLOWEST, limit + FIRST_ROWS) });
  return { answer, sort, descending, showMore: limit < MOST_SLOWEST ? showMore : null };
}
