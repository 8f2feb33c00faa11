/** Content of the list of hits, and the condition that it offers when it is empty. */
import type { BlockFilter, Hits, SlowBlock, Summary } from "@aglens/contract";
import { stageSubject } from "../../../filter/filter-names.ts";
import type { DurationCondition } from "../../../filter/filter-text.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";

/** Rows drawn before and after those in view. */
const MARGIN_ROWS = 8;

/** First and end row to draw of a list that is scrolled by `scrolled` px. */
export function rowsInView(
  count: number,
  scrolled: number,
  heightPx: number,
  rowPx: number,
): readonly [number, number] {
  const first = Math.max(0, Math.floor(scrolled / rowPx) - MARGIN_ROWS);
  return [Math.min(first, count), Math.min(count, Math.ceil((scrolled + heightPx) / rowPx) + MARGIN_ROWS)];
}

/**
 * The first condition on a stage of whose time the hits have a share, and that share; null without such a condition.
 */
export function shareOfHits(
  where: BlockFilter,
  { conditions }: Pick<Hits, "conditions">,
): { readonly condition: DurationCondition; readonly share: number } | null {
  for (const [i, condition] of where.entries()) {
    const share = conditions[i]?.share ?? null;
    if (condition.kind === "duration" && share !== null) return { condition, share };
  }
  return null;
}

/** A filter with hits, derived from one without hits. */
export interface LowerThreshold {
  readonly where: BlockFilter;
  /** The condition of the given filter that is the reason. */
  readonly condition: DurationCondition;
  /** The amount to compare with instead, and the largest value of the capture, µs. */
  readonly us: number;
  readonly largest: number;
}

/**
 * For a filter without hits: its first condition whose threshold is over every value, replaced by a round amount under
 * the largest value. Null where no single condition is the reason.
 */
export function lowerThreshold(
  where: BlockFilter,
  { conditions }: Pick<Hits, "conditions">,
): LowerThreshold | null {
  const index = where.findIndex(
    (condition, i) =>
      condition.kind === "duration" &&
      (condition.comparison.sign === ">" || condition.comparison.sign === ">=") &&
      conditions[i]?.blocks === 0,
  );
  const condition = where[index];
  const largest = conditions[index]?.largest ?? null;
  if (condition?.kind !== "duration" || largest === null || largest <= 0) return null;
  const us = roundUnder(largest);
  const lower = { ...condition, comparison: { sign: ">", amount: us } as const };
  return { where: where.map((each, i) => (i === index ? lower : each)), condition, us, largest };
}

/** 1, 2 or 5 times a power of ten under a value: 500 ms of 524 ms. */
function roundUnder(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [5, 2, 1].find((each) => each * power < value);
  return step === undefined ? power / 2 : step * power;
}

/**
 * The value that a hit is listed with, µs: the value that met the condition, or remote harden where that value is a
 * commit, which has a column of its own.
 */
export const hitUs = ({ matched, stages }: Pick<SlowBlock, "matched" | "stages">): number | null =>
  matched === null || matched.stage === "commit" ? (stages["remoteHarden"] ?? null) : matched.us;

/** The server whose log write or path met the condition; "" for a commit. */
export const matchedReplica = (
  { matched }: Pick<SlowBlock, "matched">,
  { replicas }: Pick<Summary, "replicas">,
): string => (matched?.replica == null ? "" : (replicas[matched.replica]?.name ?? ""));

/** Heading of the hits' value column, and whether it names the replica, because all hits have the same one. */
export function hitFigure(
  rows: readonly Pick<SlowBlock, "matched">[],
  summary: Pick<Summary, "replicas">,
): { readonly heading: string; readonly isOfOneReplica: boolean } {
  const found = rows.flatMap(({ matched }) => matched ?? []);
  const [first] = found;
  if (first === undefined || first.stage === "commit") return { heading: texts.harden, isOfOneReplica: true };
  const subject = stageSubject(found.every(({ stage }) => stage === first.stage) ? first.stage : "logWrite");
  const names = new Set(found.map((matched) => matchedReplica({ matched }, summary)));
  const [name] = names;
  return names.size === 1
    ? { heading: `${name} ${subject}`, isOfOneReplica: true }
    : { heading: subject.charAt(0).toUpperCase() + subject.slice(1), isOfOneReplica: false };
}
