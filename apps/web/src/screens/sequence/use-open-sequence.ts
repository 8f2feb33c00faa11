import type { Sequence } from "@aglens/contract";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** Slow blocks that n and p step through. */
const MOST_STEPS = 200;

export interface OpenSequence {
  /** The selected block; the slowest where none is selected. */
  readonly sequence: Answer<Sequence>;
  /** Rows of the slowest blocks of the capture in the view's order. */
  readonly slowOrder: Answer<readonly number[]>;
}

/** The block of the sequence, and those that the user can step to. */
export function useOpenSequence(): OpenSequence {
  const { source, summary, view } = useCapture();
  const { sort, descending, secondary, where } = view;
  const range = { from: 0, to: summary.durationUs };
  const slow = useAnswer(source.slowest({ range, sort, descending, secondary, limit: MOST_STEPS, where }));
  const slowOrder = { ...slow, value: slow.value && slow.value.rows.map(({ row }) => row) };
  const row = view.block ?? slowOrder.value?.[0];
  const sequence = useAnswer(row === undefined ? null : source.sequence(row));
  return { sequence, slowOrder };
}
