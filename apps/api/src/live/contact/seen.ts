/**
 * Records a server's answer without its values: types, counts and numbers. A value is only compared with words from AG
 * Lens's own lists, so that no name and no text of a user leaves this module.
 */
import type { ColumnMetadata, ResultSet } from "../server/result-sets.ts";
import type { ExpectedColumn, ExpectedSet } from "./expectations.ts";

export interface SeenColumn {
  /** AG Lens's own name for it; "?" for a column that isn't expected. */
  readonly name: string;
  /** SQL Server's type, without length. */
  readonly type: string;
  /** Bytes; null for a type without one. */
  readonly length: number | null;
  readonly nulls: number;
  /** Number of values for each of the expected words. */
  readonly words: Readonly<Record<string, number>>;
  /** Values other than NULL and these words; 0 where no words are expected. */
  readonly otherValues: number;
}

export interface SeenSet {
  readonly rows: number;
  readonly columns: readonly SeenColumn[];
}

/** An error of the server without its text, which may have any name in it. */
export interface SeenError {
  readonly number: number;
  readonly state: number;
  readonly severity: number;
}

export interface Seen {
  /** Time to the complete answer. */
  readonly ms: number;
  readonly sets: readonly SeenSet[];
  readonly errors: readonly SeenError[];
  /** "late": no answer within the time for it; "lost": the connection ended. */
  readonly end: "answered" | "refused" | "late" | "lost";
}

/** @param expected by which columns are named; undefined for a set that isn't expected */
export function seenSet({ columns, rows }: ResultSet, expected: ExpectedSet | undefined): SeenSet {
  return {
    rows: rows.length,
    columns: columns.map((metadata) => {
      const known = expected?.columns.find(({ name }) => name === metadata.colName);
      return seenColumn(
        metadata,
        known,
        rows.map((row) => row[metadata.colName]),
      );
    }),
  };
}

function seenColumn(
  metadata: ColumnMetadata,
  known: ExpectedColumn | undefined,
  values: readonly unknown[],
): SeenColumn {
  const present = values.filter((value) => value !== null && value !== undefined);
  const counts = (known?.words ?? []).map(
    (word) => [word, present.filter((value) => value === word).length] as const,
  );
  const listed = counts.reduce((sum, [, count]) => sum + count, 0);
  return {
    name: known?.name ?? "?",
    type: typeOf(metadata),
    length: metadata.dataLength ?? null,
    nulls: values.length - present.length,
    words: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    otherValues: known?.words === undefined ? 0 : present.length - listed,
  };
}

const BY_LENGTH: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  IntN: { 1: "tinyint", 2: "smallint", 4: "int", 8: "bigint" },
  FloatN: { 4: "real", 8: "float" },
  MoneyN: { 4: "smallmoney", 8: "money" },
  DateTimeN: { 4: "smalldatetime", 8: "datetime" },
};
const RENAMED: Readonly<Record<string, string>> = {
  BitN: "bit",
  NumericN: "numeric",
  DecimalN: "decimal",
  Variant: "sql_variant",
};
/** The length of a type without limit. */
const MAX_LENGTH = 65_535;

/** The type as SQL Server calls it (MS-TDS 2.2.5.4): the nullable forms of the protocol have the names of the plain ones. */
export function typeOf({ type: { name }, dataLength }: ColumnMetadata): string {
  const byLength = BY_LENGTH[name]?.[dataLength ?? 0];
  const plain = byLength ?? RENAMED[name] ?? name.toLowerCase();
  return dataLength === MAX_LENGTH ? `${plain}(max)` : plain;
}
