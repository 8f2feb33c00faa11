/** One line of a statement without its values: what rows are grouped by, and what is stored and shown of it. */

/** Longer statements end with an ellipsis, UTF-16 units. */
const MOST_UNITS = 200;
/** No more of a batch is looked at: its first statement is shorter. */
const MOST_READ = 4_000;

/** A comment in one line, or the beginning of one that may contain others. */
const COMMENT = String.raw`--[^\n]*|/\*`;
/**
 * Text that quotes begin, doubled quotes included; without its end where the batch was cut. Text in quotation marks is a
 * literal if QUOTED_IDENTIFIER is off, so it counts as one.
 */
const QUOTED = String.raw`N?'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)`;
/** A name in brackets keeps its digits. */
const NAME = String.raw`\[(?:[^\]]|\]\])*\]?`;
/** Money, hexadecimal and other numbers that are no part of a name. A keyword may follow a number without a space. */
const NUMBER = String.raw`(?<![\w@#$])(?:0x[0-9a-f]*|\$?\d+(?:\.\d*)?(?:e[+-]?\d+)?)`;
const PARTS = new RegExp(`(${COMMENT})|(${QUOTED})|(${NAME})|(${NUMBER})`, "giu");

/**
 * One line of a statement: comments removed, each literal replaced by `?`, lists of literals by one, at most 200
 * characters.
 */
export function statementText(sql: string): string {
  const plain = withoutValues(sql.slice(0, MOST_READ))
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/\?(?: ?, ?\?)+/gu, "?")
    .trim();
  return plain.length <= MOST_UNITS ? plain : `${plain.slice(0, MOST_UNITS - 1).trimEnd()}…`;
}

function withoutValues(sql: string): string {
  const parts: string[] = [];
  let at = 0;
  PARTS.lastIndex = 0;
  for (let found = PARTS.exec(sql); found !== null; found = PARTS.exec(sql)) {
    const [part, comment, , name] = found as readonly (string | undefined)[];
    parts.push(sql.slice(at, found.index), comment === undefined ? (name ?? "?") : " ");
    if (part === "/*") PARTS.lastIndex = endOfComment(sql, found.index);
    at = PARTS.lastIndex;
  }
  return parts.join("") + sql.slice(at);
}

/** The end of a comment, after those that it contains. */
function endOfComment(sql: string, from: number): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(from).matchAll(/\/\*|\*\//gu)) {
    depth += mark === "/*" ? 1 : -1;
    if (depth === 0) return from + index + mark.length;
  }
  return sql.length;
}
