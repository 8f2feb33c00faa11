import { problem } from "../problems/problems.ts";

/** Rows of an exported table: more would be hundreds of megabytes in one answer. */
const MOST_TABLE_ROWS = 500_000;

/** @throws ProblemError for a table that is too large for a download */
export function expectTableRows(name: string, rows: number): void {
  if (rows <= MOST_TABLE_ROWS) return;
  throw problem(
    "table-too-large",
    `The table ${name} has ${rows} rows in this range; the limit of a download is ${MOST_TABLE_ROWS}. Choose a shorter range, or write the tables of the files with \`xel tables\`.`,
  );
}
