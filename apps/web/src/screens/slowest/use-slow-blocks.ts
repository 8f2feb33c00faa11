import { blockFilterText, hasNoPrimaryFile, type SlowBlocks, type SlowestSort } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type ShownRows, useShownRows } from "./use-shown-rows.ts";

/** The slowest blocks of a range, up to the requested number. */
export interface SlowBlockList extends Pick<ShownRows, "showMore"> {
  readonly answer: Answer<SlowBlocks>;
  readonly sort: SlowestSort;
  readonly descending: boolean;
}

/**
 * The slowest blocks of a range in the view's order, of its filter. Another range or order begins with the first page
 * again.
 * @param isShown false sends no request
 */
export function useSlowBlocks({ from, to }: TimeRange, isShown: boolean): SlowBlockList {
  const { source, summary, view } = useCapture();
  const { descending, secondary, where } = view;
  // Without the primary's file, or without start_timestamp, the remote harden is not known, and blocks are ordered by
  // the secondary's log write.
  const isUnknown = hasNoPrimaryFile(summary) || summary.stages[secondary]?.remoteHarden?.n === 0;
  const sort = isUnknown && view.sort === DEFAULT_VIEW.sort ? "secondaryFlush" : view.sort;
  const filter = where === null ? "" : blockFilterText(where);
  const order = `${from} ${to} ${sort} ${descending} ${secondary} ${filter}`;
  const { limit, showMore } = useShownRows(order);
  const answer = useAnswer(
    isShown ? source.slowest({ range: { from, to }, sort, descending, secondary, limit, where }) : null,
  );
  return { answer, sort, descending, showMore };
}
