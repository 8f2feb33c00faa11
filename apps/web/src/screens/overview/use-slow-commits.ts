import { useState } from "react";
import { FIRST_ROWS } from "@aglens/contract";
import { MOST_SLOWEST, type TimeRange } from "../../data/capture-source.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-context.ts";
import type { SlowCommitList } from "./overview-context.ts";
import { useSlowestKind } from "./slowest-kind.ts";

/** The slowest commits of a range; asked for only while they are shown. */
export function useSlowCommits({ from, to }: TimeRange): SlowCommitList {
  const { source, view } = useCapture();
  const isShown = useSlowestKind() === "commits";
  const range = `${from} ${to}`;
  const [shown, setShown] = useState({ range, limit: FIRST_ROWS });
  const limit = shown.range === range ? shown.limit : FIRST_ROWS;
  const answer = useAnswer(
    isShown
      ? source.slowCommits({ range: { from, to }, order: "waited", secondary: view.secondary, limit })
      : null,
  );
  const showMore = (): void => setShown({ range, limit: Math.min(MOST_SLOWEST, limit + FIRST_ROWS) });
  return { answer, showMore: limit < MOST_SLOWEST ? showMore : null };
}
