/** Texts as SQL Server's and Windows' tools print them, for tests. */
import type { Remark } from "../src/samples/samples.ts";

/** A column of sqlcmd: its name and width; numbers are at the right. */
export type SqlcmdColumn = readonly [name: string, width: number, kind?: "number"];

/** A rowset as sqlcmd prints it. */
export function rowset(
  name: string,
  columns: readonly SqlcmdColumn[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [
    `-- ${name} --`,
    columns.map(([column, width]) => column.padEnd(width)).join(" "),
    columns.map(([, width]) => "-".repeat(width)).join(" "),
    ...rows.map((row) =>
      columns
        .map(([, width, kind], at) => {
          const text = String(row[at]);
          return kind === "number" ? text.padStart(width) : text.padEnd(width);
        })
        .join(" "),
    ),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const WAIT_COLUMNS: readonly SqlcmdColumn[] = [
  ["runtime", 30],
  ["waiting_tasks_count", 20, "number"],
  ["wait_time_ms", 20, "number"],
  ["max_wait_time_ms", 20, "number"],
  ["signal_wait_time_ms", 20, "number"],
  ["wait_type", 60],
];

/** A snapshot of waits; each row has type, waits, wait time and signal wait time. */
export const waitRowset = (
  runtime: string,
  rows: readonly (readonly [type: string, waits: number, ms: number, signalMs?: number])[],
): string =>
  rowset(
    "dm_os_wait_stats",
    WAIT_COLUMNS,
    rows.map(([type, waits, ms, signalMs = 0]) => [runtime, waits, ms, ms, signalMs, type]),
  );

/** Bytes of a text in chunks, as a file is read. */
export async function* chunksOf(text: string | Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** UTF-16 LE with a byte order mark, as SQL Server's tools write with `-u`. */
export function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), true);
  return bytes;
}

/** Remarks as people read them in a file without an offset of its own. */
export const textsOf = (remarks: readonly Remark[]): string[] =>
  remarks.map(({ text, timesUs }) =>
    text.replace(/\{(\d)\}/gu, (_, at: string) =>
      new Date(timesUs[Number(at)]! / 1000).toISOString().slice(0, 19).replace("T", " "),
    ),
  );

/** µs since 1970 of an ISO time in UTC. */
export const usOf = (iso: string): number => Date.parse(iso) * 1000;
