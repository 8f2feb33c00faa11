import { useMemo } from "react";
import { MOST_JUDGED, type RangeStatistics, type ScopeSummary, type Summary } from "@aglens/contract";
import type { TimeRange } from "../../charts/time-scale.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseIndex, databaseName, completeText } from "../capture-view/databases.ts";
import { phaseIndex } from "../capture-view/phases.ts";

/** Scope of the verdict, evidence, checks, write classes and averages. */
export interface Judged {
  /** The summary, with the figures of that scope. */
  readonly summary: Summary;
  /** Whether the scope is the range in view. */
  readonly isInView: boolean;
  /**
   * `10.0 s in view`, or the scope that replaces it: `whole capture, Sales1`; null where the complete capture is in
   * view.
   */
  readonly words: string | null;
}

/**
 * A range with fewer log blocks has no verdict of its own, because it would not differ from a statement on a single
 * block.
 */
const LEAST_JUDGED = 20;
/** Pause without requests while a range is dragged, ms. */
const WHEN_DRAGGED_MS = 250;

/**
 * The verdict on the range in view, where it contains neither too few log blocks nor too many; otherwise the verdict on
 * the complete capture, which is labeled as such. The summary itself covers the phase and the database.
 */
export function useJudged(range: TimeRange, statistics: Answer<RangeStatistics>): Judged {
  const { source, summary, view } = useCapture();
  const isRange = view.range !== null;
  const wanted = isRange && isJudged(statistics);
  const asked = source.scopeSummary(range);
  const { value, isStale } = useAnswer<ScopeSummary>(wanted ? asked : null, {
    pauseMs: WHEN_DRAGGED_MS,
    beginsAtOnce: true,
    keepsValue: false,
  });
  const database = databaseIndex(summary, view.database);
  const phase = phaseIndex(summary, view.phase);
  const ofDatabase = database === null ? "" : `, ${databaseName(summary, database)}`;
  const own = wanted && !isStale ? value : null;
  return useMemo(() => {
    if (own !== null) {
      const words = texts.inViewPart(durationText(range.to - range.from), ofDatabase);
      return { summary: { ...summary, ...own }, isInView: true, words };
    }
    return { summary, isInView: false, words: isRange ? completeText(summary, { database, phase }) : null };
  }, [own, summary, range, database, phase, ofDatabase, isRange]);
}

const isJudged = ({ value, isStale }: Answer<RangeStatistics>): boolean =>
  value !== null &&
  !isStale &&
  value.blocks >= LEAST_JUDGED &&
  value.blocks <= MOST_JUDGED &&
  value.commits <= MOST_JUDGED;
