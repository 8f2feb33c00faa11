/** Instants of a capture in the form of other tools. */
import { filetimeOfUnixUs, filetimeText } from "xel-parser/format";
import { microsecondsSince1970 } from "../replication/index.ts";
import { NO_UTC, type TableColumn } from "./table.ts";

/**
 * The first column of every table, by which its rows are sorted where it has many: UTC, so that engines need no origin.
 * @param origin of the capture, FILETIME ticks
 * @param instants µs from the origin; NaN for an unknown one
 */
export function utcColumn(origin: bigint, instants: Float64Array, about: string): TableColumn {
  const values = microsecondsSince1970(origin, instants, NO_UTC);
  return { name: "utc", unit: "", about, kind: "utc", values };
}

/** ISO 8601 with seven decimals, as the events have it. @param instant µs since 1970 */
export const utcText = (instant: bigint): string => filetimeText(filetimeOfUnixUs(instant));
