/** What the list of hits shows, and the condition that it offers where it is empty. */
import type { BlockFilter, Hits } from "@aglens/contract";
import type { DurationCondition } from "../../filter/filter-words.ts";

/** Rows drawn before and after those in view. */
const MARGIN_ROWS = 8;

/** First row and end of what is drawn of a list that is scrolled by so many px. */
export function rowsInView(
  count: number,
  scrolled: number,
  heightPx: number,
  rowPx: number,
): readonly [number, number] {
  const first = Math.max(0, Math.floor(scrolled / rowPx) - MARGIN_ROWS);
  return [Math.min(first, count), Math.min(count, Math.ceil((scrolled + heightPx) / rowPx) + MARGIN_ROWS)];
}

/** The first condition whose stage's time the hits have a share of, and that share; null where there is none. */
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

/** A filter that has hits, from one that has none. */
export interface LowerThreshold {
  readonly where: BlockFilter;
  /** The condition of the given filter that is the reason. */
  readonly condition: DurationCondition;
  /** What it is compared with in its place, and the largest value that there is, µs. */
  readonly us: number;
  readonly largest: number;
}

/**
 * For a filter without hits: its first condition that is over every value, with a round amount under the largest value in its
 * place. Null where no condition is the reason alone.
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
