/** Columns of raw events, as they are written into tables (docs/reference/tables.md). */
import type { EventTable, ValueKind, XelValue } from "xel-parser/format";

/** A column of a table of raw events. */
export interface RawColumn {
  /** Different from the other names of the table, also where upper and lower case are the same. */
  readonly name: string;
  readonly kind: ValueKind | "time";
  /** Type in the file and whether it's a field or an action; null for the columns that each event has. */
  readonly about: string | null;
  /** Values by row; of a time µs since 1970. */
  readonly values: readonly (XelValue | null)[];
}

/** FILETIME of 1970-01-01T00:00:00Z. */
const UNIX_EPOCH = 116_444_736_000_000_000n;
const TICKS_PER_US = 10n;

/** The columns of some events of a file: time, ticks, file and offset, then fields and actions. */
export function rawColumns(table: EventTable, file: string): RawColumn[] {
  const columns: RawColumn[] = [
    { name: "time", kind: "time", about: null, values: table.ticks.map(microsecondsOf) },
    { name: "ticks", kind: "int64", about: null, values: table.ticks },
    { name: "file", kind: "text", about: null, values: table.ticks.map(() => file) },
    { name: "file_offset", kind: "int64", about: null, values: table.offsets.map(BigInt) },
  ];
  const used = new Set(columns.map(({ name }) => name));
  for (const { name, source, type, kind, values } of table.columns) {
    const own = unusedName(name, source, used);
    used.add(own.toLowerCase());
    columns.push({ name: own, kind, about: `${source}, ${type}`, values });
  }
  return columns;
}

const microsecondsOf = (ticks: bigint): bigint => {
  const since = ticks - UNIX_EPOCH;
  // Rounded down, also before 1970.
  return since < 0n ? -((TICKS_PER_US - 1n - since) / TICKS_PER_US) : since / TICKS_PER_US;
};

/** The name, or with its source before it where it is in use: `action_database_id`. */
function unusedName(name: string, source: string, used: ReadonlySet<string>): string {
  let own = name;
  for (let number = 1; used.has(own.toLowerCase()); number++)
    own = number === 1 ? `${source}_${name}` : `${source}_${name}_${number}`;
  return own;
}
