import { blockFilterText, type CommitOrder, type SlowCommits } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type ShownRows, useShownRows } from "./use-shown-rows.ts";

/** The slowest commits of a range, up to the requested number. */
export interface SlowCommitList extends Pick<ShownRows, "showMore"> {
  readonly answer: Answer<SlowCommits>;
}

/**
 * Commits of a range in an order, of the view's filter only. Another range or order begins with the first page again.
 * @param isShown false sends no request
 */
export function useSlowCommits(
  { from, to }: TimeRange,
  isShown: boolean,
  order: CommitOrder = "waited",
): SlowCommitList {
  const { source, view } = useCapture();
  const { secondary, where } = view;
  const list = `${from} ${to} ${order} ${where === null ? "" : blockFilterText(where)}`;
  const { limit, showMore } = useShownRows(list);
  const answer = useAnswer(
    isShown ? source.slowCommits({ range: { from, to }, order, secondary, limit, where }) : null,
  );
  return { answer, showMore };
}
