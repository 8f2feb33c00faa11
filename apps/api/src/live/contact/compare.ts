/** Compares a server's answer with the expected one (docs/contribute/live-protocol.md 12.1). */
import type { ContactState } from "@aglens/contract";
import { plural } from "@aglens/ag-model/words";
import type { ExpectedColumn, ExpectedSet, Expectation } from "./expectations.ts";
import type { Seen, SeenColumn, SeenError, SeenSet } from "./seen.ts";

export interface Comparison {
  readonly state: ContactState;
  /** The answer in a few words. */
  readonly answer: string;
  readonly differences: readonly string[];
}

/** @param hasDefinition whether the login has VIEW ANY DEFINITION */
export function compare(expected: Expectation, seen: Seen, hasDefinition: boolean): Comparison {
  const answer = answerOf(seen);
  const isFailed = seen.end !== "answered" || seen.errors.length > 0;
  const isPermitted =
    seen.end === "refused" && seen.errors.every(({ number }) => expected.errors?.includes(number) === true);
  if (isFailed && !isPermitted) return { state: "failed", answer, differences: [] };
  const differences = [
    ...(isPermitted ? [] : setDifferences(expected.sets, seen.sets, hasDefinition)),
    ...lateDifference(expected, seen),
  ];
  return { state: differences.length === 0 ? "asExpected" : "differs", answer, differences };
}

const number = (value: number): string => value.toLocaleString("en-US");

/** An error by its numbers. */
export const formatError = ({ number: error, state, severity }: SeenError): string =>
  `error ${error}, state ${state}, severity ${severity}`;

function answerOf({ sets, errors, end }: Seen): string {
  if (errors.length > 0) return errors.map(formatError).join("; ");
  if (end === "late") return "no answer in time";
  if (end === "lost") return "the connection ended";
  if (sets.length === 0) return "done";
  return sets.map(({ rows }) => plural(rows, "# row")).join(", ");
}

function lateDifference({ longestMs }: Expectation, { ms }: Seen): string[] {
  if (ms <= longestMs) return [];
  return [`It took ${number(Math.round(ms))} ms. Up to ${number(longestMs)} ms is expected.`];
}

function setDifferences(
  expected: readonly ExpectedSet[],
  seen: readonly SeenSet[],
  hasDefinition: boolean,
): string[] {
  if (expected.length !== seen.length)
    return [
      `${plural(seen.length, "# result set")} came. ${plural(expected.length, "# result set is", "# result sets are")} expected.`,
    ];
  return expected.flatMap((set, i) => {
    const where = expected.length === 1 ? "" : `Set ${i + 1}: `;
    return oneSet(set, seen[i]!, hasDefinition).map((sentence) => `${where}${sentence}`);
  });
}

function oneSet(expected: ExpectedSet, seen: SeenSet, hasDefinition: boolean): string[] {
  return [...rowDifferences(expected, seen, hasDefinition), ...columnDifferences(expected, seen)];
}

function rowDifferences(
  { least, most, needsDefinition }: ExpectedSet,
  { rows }: SeenSet,
  hasDefinition: boolean,
): string[] {
  const fewest = needsDefinition === true && !hasDefinition ? 0 : least;
  if (rows < fewest) return [`${plural(rows, "# row")} came. At least ${number(fewest)} is expected.`];
  if (rows > most) return [`${plural(rows, "# row")} came. At most ${number(most)} is expected.`];
  return [];
}

function columnDifferences(expected: ExpectedSet, { columns, rows }: SeenSet): string[] {
  const missing = expected.columns.filter(({ name }) => !columns.some((column) => column.name === name));
  const unknown = columns.filter(({ name }) => name === "?").length;
  return [
    ...missing.map(({ name }) => `Column ${name} is missing.`),
    ...(unknown === 0
      ? []
      : [plural(unknown, "# column came that isn't expected.", "# columns came that aren't expected.")]),
    ...expected.columns.flatMap((column) => {
      const seen = columns.find(({ name }) => name === column.name);
      return seen === undefined ? [] : oneColumn(column, seen, rows);
    }),
  ];
}

function oneColumn(expected: ExpectedColumn, seen: SeenColumn, rows: number): string[] {
  const { name, types, mayBeNull, words = [], hasAllWords = false } = expected;
  const absent = hasAllWords && rows > 0 ? words.filter((word) => seen.words[word] === undefined) : [];
  return [
    ...(types.includes(seen.type)
      ? []
      : [`Column ${name} is ${seen.type}. Expected is ${types.join(" or ")}.`]),
    ...(mayBeNull || seen.nulls === 0 ? [] : [`Column ${name} is NULL in ${plural(seen.nulls, "# row")}.`]),
    ...(seen.otherValues === 0
      ? []
      : [
          `Column ${name} has a value that isn't in the list of AG Lens in ${plural(seen.otherValues, "# row")}.`,
        ]),
    ...absent.map((word) => `Column ${name} has no ${word}.`),
  ];
}
