import { useState } from "react";
import { blockFilterText, type CommitOrder, FIRST_ROWS, type SlowCommits } from "@aglens/contract";
import { MOST_SLOWEST, type TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-context.ts";

/** The slowest commits of a range, as many as are asked for. */
export interface SlowCommitList {
  readonly answer: Answer<SlowCommits>;
  /** Lists more of them; null when the server would not give more. */
  readonly showMore: (() => void) | null;
}

/**
 * Commits of a range in an order, those of the view's filter alone. Another range or order begins with the first page again.
 * @param isShown nothing is asked while they are not
 */
export function useSlowCommits(
  { from, to }: TimeRange,
  isShown: boolean,
  order: CommitOrder = "waited",
): SlowCommitList {
  const { source, view } = useCapture();
  const { secondary, where } = view;
  const list = `${from} ${to} ${order} ${where === null ? "" : blockFilterText(where)}`;
  const [shown, setShown] = useState({ list, limit: FIRST_ROWS });
  const limit = shown.list === list ? shown.limit : FIRST_ROWS;
  const answer = useAnswer(
    isShown ? source.slowCommits({ range: { from, to }, order, secondary, limit, where }) : null,
  );
  const showMore = (): void => setShown({ list, limit: Math.min(MOST_SLOWEST, limit + FIRST_ROWS) });
  return { answer, showMore: limit < MOST_SLOWEST ? showMore : null };
}
