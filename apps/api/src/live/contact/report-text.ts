/** The file of a first contact: one text that a DBA can read before sending it, without a name or a value of the server. */
import type { ContactLine, ContactState } from "@aglens/contract";
import { plural } from "@aglens/ag-model/words";
import type { Row } from "../server/connection.ts";
import type { SeenColumn, SeenSet } from "./seen.ts";

/** Details of one statement in the file, in addition to its line. */
export interface LineDetail {
  readonly line: ContactLine;
  /** Microsoft's pages for the expectation; empty for measured answers. */
  readonly rests: string;
  readonly text: readonly string[];
}

const STATE_WORDS: Readonly<Record<ContactState, string>> = {
  differs: "DIFFERS",
  failed: "FAILED",
  notTried: "not tried",
  asExpected: "as expected",
};
/** Lines that need attention are first. */
const ORDER: readonly ContactState[] = ["failed", "differs", "notTried", "asExpected"];

/** Lines with failures and differences first, otherwise in their order. */
export const inOrder = <T extends { readonly state: ContactState }>(lines: readonly T[]): T[] =>
  ORDER.flatMap((state) => lines.filter((line) => line.state === state));

/** @param who the answer to WHO @param about the answer to ABOUT, undefined without one */
export function reportText(who: Row, about: Row | undefined, details: readonly LineDetail[]): string {
  const lines = details.map(({ line }) => line);
  const byLine = new Map(details.map((detail) => [detail.line, detail]));
  return [
    "AG Lens first contact 1",
    serverText(who, about),
    "No name, address, id or text of the server is in this file. Types and counts are; errors are by number.",
    "",
    ORDER.map((state) => `${lines.filter((line) => line.state === state).length} ${STATE_WORDS[state]}`).join(
      ", ",
    ),
    "",
    ...inOrder(lines).flatMap((line) => lineText(line)),
    "",
    ...inOrder(lines).flatMap((line) => detailText(byLine.get(line)!)),
  ].join("\n");
}

function lineText({ statement, section, state, ms, answer, differences }: ContactLine): string[] {
  const time = ms === null ? "" : `, ${Math.round(ms)} ms`;
  return [
    `${STATE_WORDS[state].padEnd(12)}${statement} (docs/contribute/live-protocol.md ${section}): ${answer}${time}`,
    ...differences.map((difference) => `${" ".repeat(12)}${difference}`),
  ];
}

function detailText({ line, rests, text }: LineDetail): string[] {
  if (text.length === 0) return [];
  const source = rests === "" ? [] : [`  expected by: ${rests}`];
  return [line.statement, ...source, ...text.map((each) => `  ${each}`), ""];
}

/** Result sets with their columns. */
export const setText = (sets: readonly SeenSet[]): string[] =>
  sets.flatMap(({ rows, columns }, i) => [
    `set ${i + 1}: ${plural(rows, "# row")}`,
    ...columns.map((column) => `  ${columnText(column)}`),
  ]);

function columnText({ name, type, length, nulls, words, otherValues }: SeenColumn): string {
  const values = Object.entries(words).map(([word, count]) => `${word} ${count}`);
  return [
    // Only the length of a text adds something to its type.
    `${name} ${type}${length === null || !type.endsWith("char") ? "" : `, ${length} bytes`}`,
    ...(nulls === 0 ? [] : [`NULL ${nulls}`]),
    ...values,
    ...(otherValues === 0 ? [] : [`other values ${otherValues}`]),
  ].join(", ");
}

/** Version, edition and kind of operating system, each only in SQL Server's own form. */
function serverText(who: Row, about: Row | undefined): string {
  const version = /^\d+(?:\.\d+){1,3}$/u.exec(String(who["product_version"]))?.[0] ?? "of unknown version";
  const edition =
    /^(?:Enterprise|Standard|Developer|Web|Express|Business Intelligence|SQL Azure)[A-Za-z0-9 :()-]{0,60}$/u.exec(
      String(who["edition"]),
    )?.[0] ?? "unknown edition";
  return `SQL Server ${version}, ${edition} (EngineEdition ${Number(who["engine_edition"])}), ${systemOf(about)}, ${collationOf(about)}`;
}

function systemOf(about: Row | undefined): string {
  const text = textOf(about?.["version"]);
  if (/\bon Linux\b/iu.test(text)) return "Linux";
  return /\bon Windows\b/iu.test(text) ? "Windows" : "unknown operating system";
}

/** Whether names are compared with regard to case, which the statements' own names depend on. */
function collationOf(about: Row | undefined): string {
  const name = textOf(about?.["collation"]);
  if (name === "") return "unknown collation";
  return /_CS|_BIN/iu.test(name) ? "case-sensitive collation" : "case-insensitive collation";
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
