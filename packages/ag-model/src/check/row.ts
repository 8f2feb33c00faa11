/** Builds the row of an expectation. */
import { MOST_EXAMPLES, type Expectation } from "./expectation.ts";

type Parts = Omit<Expectation, "state"> & {
  /** True if results are wrong when the expectation is not met; otherwise it is met in part. */
  readonly isCritical?: boolean;
};

/** A row with its state: absent without a counted value, not met where results are wrong. */
export function expectation({ isCritical = false, ...row }: Parts): Expectation {
  const examples = row.examples.slice(0, MOST_EXAMPLES);
  if (row.met + row.notMet === 0) return { ...row, examples, state: "absent" };
  if (row.notMet === 0) return { ...row, examples, state: "met" };
  return { ...row, examples, state: isCritical ? "not" : "part" };
}

export const number = (value: number): string => value.toLocaleString("en-US");

/** Further names are only counted. */
const MOST_LISTED = 6;

export const listed = (names: readonly string[]): string =>
  names.length <= MOST_LISTED
    ? names.join(", ")
    : `${names.slice(0, MOST_LISTED).join(", ")} and ${names.length - MOST_LISTED} more`;
