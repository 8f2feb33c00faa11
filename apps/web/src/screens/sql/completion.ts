/**
 * Completions at the cursor of a query: columns of the tables that the query reads come first, then tables, other
 * columns, functions and keywords.
 */
import type { SqlTableInfo } from "@aglens/contract";

export interface Choice {
  readonly label: string;
  /** Text to insert, where it differs from the label. */
  readonly apply?: string;
  /** Type of a column; for other choices their kind. */
  readonly kind: string;
  /** Table, unit and meaning of a column. */
  readonly about: string;
}

export interface Choices {
  /** Start of the typed text. */
  readonly from: number;
  readonly choices: readonly Choice[];
}

/** The functions of DuckDB, out of its hundreds, that queries on such tables use. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  quantile_cont: "(x, share)",
  quantile_disc: "(x, share)",
  median: "(x)",
  count: "(x)",
  sum: "(x)",
  avg: "(x)",
  min: "(x)",
  max: "(x)",
  stddev: "(x)",
  arg_max: "(x, by)",
  arg_min: "(x, by)",
  any_value: "(x)",
  first: "(x)",
  last: "(x)",
  histogram: "(x)",
  corr: "(y, x)",
  regr_slope: "(y, x)",
  time_bucket: "(INTERVAL, time)",
  date_trunc: "('minute', time)",
  date_diff: "('second', from, to)",
  hour: "(time)",
  epoch: "(time), s",
  epoch_us: "(time), µs",
  strftime: "(time, format)",
  lag: "(x) OVER (ORDER BY …)",
  lead: "(x) OVER (ORDER BY …)",
  row_number: "() OVER (ORDER BY …)",
  rank: "() OVER (ORDER BY …)",
  percent_rank: "() OVER (ORDER BY …)",
  coalesce: "(x, y, …)",
  greatest: "(x, y, …)",
  least: "(x, y, …)",
  round: "(x, digits)",
  floor: "(x)",
  ceil: "(x)",
  abs: "(x)",
  log2: "(x)",
  log10: "(x)",
  width_bucket: "(x, low, high, n)",
  concat: "(x, y, …)",
  lower: "(text)",
  contains: "(text, part)",
  regexp_matches: "(text, pattern)",
};

/** SQL keywords that such queries use; the editor shows them in bold. */
export const WORDS =
  "SELECT FROM WHERE GROUP BY ALL ORDER BY LIMIT JOIN LEFT JOIN USING ON AS WITH HAVING QUALIFY FILTER OVER PARTITION BY INTERVAL CASE WHEN THEN ELSE END AND OR NOT IN IS NULL BETWEEN LIKE DISTINCT UNION ALL DESC ASC NULLS LAST DESCRIBE SUMMARIZE";

/** Names that are keywords of DuckDB. */
const RESERVED = /^(?:from|to|end|group|order|limit|offset|table|all|desc|asc|case|when|then|else|user)$/iu;
const MOST = 60;
const LETTERS = /[\w"]*$/u;

/**
 * @param at the cursor, in characters from the text's beginning
 * @param isAsked false while the user types: then nothing is offered before a letter
 */
export function completions(
  text: string,
  at: number,
  tables: readonly SqlTableInfo[],
  isAsked: boolean,
): Choices | null {
  const before = text.slice(0, at);
  if (isInText(before)) return null;
  const [typed = ""] = LETTERS.exec(before) ?? [];
  const qualifier = /([\w"]+)\.$/u.exec(before.slice(0, before.length - typed.length))?.[1];
  if (!isAsked && typed === "" && qualifier === undefined) return null;
  const from = at - typed.length;
  const start = typed.replaceAll('"', "").toLowerCase();
  const fits = ({ label }: Choice): boolean => label.toLowerCase().startsWith(start);
  const read = tablesIn(text, tables);
  if (qualifier !== undefined) {
    const table = read.get(qualifier.replaceAll('"', "").toLowerCase());
    return table === undefined ? null : { from, choices: columnsOf([table]).filter(fits) };
  }
  const own = [...new Set(read.values())];
  const isName = /\b(?:from|join)\s+$/iu.test(before.slice(0, from));
  const choices = isName
    ? tables.map(tableChoice)
    : [
        ...columnsOf(own),
        ...tables.map(tableChoice),
        ...Object.entries(FUNCTIONS).map(([label, about]) => ({
          label,
          apply: `${label}(`,
          kind: "function",
          about,
        })),
        ...columnsOf(tables.filter((table) => !own.includes(table))),
        ...[...new Set(WORDS.split(" "))].map((label) => ({ label, kind: "", about: "" })),
      ];
  const found = unique(choices.filter(fits)).slice(0, MOST);
  return found.length === 0 ? null : { from, choices: found };
}

/** Whether the cursor is in a text or a comment. */
function isInText(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.includes("--") || (before.match(/'/gu)?.length ?? 0) % 2 === 1;
}

/** Tables that a query names, by their names and short names. */
function tablesIn(text: string, tables: readonly SqlTableInfo[]): Map<string, SqlTableInfo> {
  const found = new Map<string, SqlTableInfo>();
  for (const [, name = "", short = ""] of text.matchAll(
    /\b(?:from|join)\s+"?(\w+)"?(?:\s+(?:as\s+)?(\w+))?/giu,
  )) {
    const table = tables.find((each) => each.name === name.toLowerCase());
    if (table === undefined) continue;
    found.set(table.name, table);
    if (short !== "" && !WORDS.split(" ").includes(short.toUpperCase()))
      found.set(short.toLowerCase(), table);
  }
  return found;
}

const tableChoice = ({ name, rows }: SqlTableInfo): Choice => ({
  label: name,
  kind: "table",
  about: `${rows.toLocaleString("en")} rows`,
});

/** Columns of some tables; a column of several tables names all of them. */
function columnsOf(tables: readonly SqlTableInfo[]): Choice[] {
  const found = new Map<string, { readonly kind: string; readonly in: string[]; readonly words: string }>();
  for (const { name: table, columns } of tables) {
    for (const { name, type, unit, about } of columns) {
      const known = found.get(name);
      if (known !== undefined) known.in.push(table);
      else
        found.set(name, { kind: type, in: [table], words: [unit, about].filter((part) => part).join(", ") });
    }
  }
  return [...found].map(([label, { kind, in: names, words }]) => ({
    label,
    kind: shortType(kind),
    about: [names.join(", "), words].filter((part) => part !== "").join(", "),
    ...(RESERVED.test(label) ? { apply: `"${label}"` } : {}),
  }));
}

/** `TIMESTAMP WITH TIME ZONE` is longer than the other texts of its row. */
export const shortType = (type: string): string =>
  type === "TIMESTAMP WITH TIME ZONE" ? "TIMESTAMPTZ" : type;

function unique(choices: readonly Choice[]): Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ label }) => !seen.has(label) && seen.add(label) !== undefined);
}
