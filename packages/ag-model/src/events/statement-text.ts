/** One line of a statement without its values: what rows are grouped by, and what is stored and shown of it. */

/** Longer statements end with an ellipsis, UTF-16 units. */
const MOST_UNITS = 200;
/** No more of a batch is looked at: its first statement is shorter. */
const MOST_READ = 4_000;

const COMMENT = String.raw`--[^\n]*|/\*[\s\S]*?(?:\*/|$)`;
/** Text that quotes begin, doubled quotes included; without its end where the batch was cut. */
const QUOTED = String.raw`N?'(?:[^']|'')*(?:'|$)`;
/** A name in brackets or quotation marks keeps its digits. */
const NAME = String.raw`\[[^\]]*\]?|"[^"]*"?`;
/** Money, hexadecimal and other numbers that are no part of a name. */
const NUMBER = String.raw`(?<![\w@#$])(?:0x[0-9a-f]*|\$?\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?![\w@#$])`;
const PARTS = new RegExp(`(${COMMENT})|(${QUOTED})|(${NAME})|(${NUMBER})`, "giu");

/**
 * One line of a statement: comments removed, each literal replaced by `?`, lists of literals by one, at most 200
 * characters.
 */
export function statementText(sql: string): string {
  const plain = sql
    .slice(0, MOST_READ)
    .replace(PARTS, (...[, comment, , name]: (string | undefined)[]) =>
      comment === undefined ? (name ?? "?") : " ",
    )
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/\?(?: ?, ?\?)+/gu, "?")
    .trim();
  return plain.length <= MOST_UNITS ? plain : `${plain.slice(0, MOST_UNITS - 1).trimEnd()}…`;
}
