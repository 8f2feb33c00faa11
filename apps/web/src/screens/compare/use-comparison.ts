import {
  compareSides,
  type ComparedSides,
  type Distribution,
  type PercentileSpread,
  type Side,
  type Summary,
} from "@aglens/contract";
import { useMemo } from "react";
import type { CaptureSource } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import type { View } from "../../state/view.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import type { Range } from "../capture-view/shown-range.ts";
import { coveredBy, firstSides } from "./first-sides.ts";

/** One side as the user chose it. */
export interface ChosenSide {
  readonly source: CaptureSource;
  /** Null while the summary of another capture is being loaded. */
  readonly summary: Summary | null;
  readonly range: Range | null;
}

export interface OpenComparison {
  readonly a: ChosenSide;
  readonly b: ChosenSide;
  readonly comparison: ComparedSides | null;
  readonly isStale: boolean;
  readonly error: string | null;
  readonly retry: () => void;
}

/** Both sides of the view's comparison. */
export function useComparison(): OpenComparison {
  const { source, summary, view } = useCapture();
  const { versus, secondary, percentile } = view;
  const beside = useMemo(() => (versus === null ? null : source.beside(versus)), [source, versus]);
  const other = useAnswer(beside?.summary() ?? null, { keepsValue: false });
  const otherSummary = versus === null ? summary : other.value;
  const besides = useMemo(
    () => (versus === null ? source : beside && ofSameDatabase(beside, other.value, view.database)),
    [source, versus, beside, other.value, view.database],
  );
  const [ofA, ofB] = firstSides(summary, secondary, versus !== null, phaseIndex(summary, view.phase));
  const a: ChosenSide = { source, summary, range: view.sideA ?? ofA };
  const b: ChosenSide = {
    source: besides ?? source,
    summary: otherSummary,
    range: view.sideB ?? ofB ?? (otherSummary === null ? null : coveredBy(otherSummary)),
  };
  const [sideA, sideB] = [useSide(a, view), useSide(b, view)];
  const [ofSideA, ofSideB] = [useKnownSide(sideA), useKnownSide(sideB)];
  const comparison = useMemo(
    () => (ofSideA === null || ofSideB === null ? null : compareSides(ofSideA, ofSideB, percentile)),
    [ofSideA, ofSideB, percentile],
  );
  const answers = [other, sideA.distribution, sideA.spread, sideB.distribution, sideB.spread];
  return {
    a,
    b,
    comparison,
    isStale: answers.some(({ isStale }) => isStale),
    error: besides === null ? texts.linkOpensOneCapture : firstError(answers),
    retry: () => {
      for (const answer of answers) if (answer.error !== null) answer.retry();
    },
  };
}

/** Another capture's answers cover the database of the same name; its phases are its own. */
const ofSameDatabase = (
  other: CaptureSource,
  summary: Summary | null,
  database: string | null,
): CaptureSource =>
  summary === null ? other : other.scoped({ database: databaseIndex(summary, database), phase: null });

const firstError = (answers: readonly Pick<Answer<unknown>, "error">[]): string | null =>
  answers.find(({ error }) => error !== null)?.error ?? null;

interface AskedSide {
  readonly distribution: Answer<Distribution>;
  readonly spread: Answer<PercentileSpread>;
}

/** A side once all of it is loaded: without the spread, a change would look like chance for a moment. */
function useKnownSide({
  distribution: { value: distribution },
  spread: { value: spread },
}: AskedSide): Side | null {
  return useMemo(
    () => (distribution === null || spread === null ? null : { distribution, spread }),
    [distribution, spread],
  );
}

function useSide({ source, range, summary }: ChosenSide, { secondary }: View): AskedSide {
  const isReady = range !== null && summary !== null;
  const period = { from: range?.[0] ?? 0, to: range?.[1] ?? 1 };
  // Another capture may have fewer secondaries.
  const slot = Math.min(secondary, Math.max(0, (summary?.stages.length ?? 1) - 1));
  const options = {
    range: period,
    other: null,
    secondary: slot,
    axis: "log",
    stage: "commit",
  } as const;
  return {
    distribution: useAnswer(isReady ? source.distribution(options) : null),
    spread: useAnswer(isReady ? source.spread(period, slot) : null),
  };
}
