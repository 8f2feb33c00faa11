/** How each anchor of a table was obtained, and how wrong it can be. */
import { Obtained } from "../replication/tables.ts";
import { labels, type TableColumn } from "./table.ts";

const OBTAINED_TEXTS = ["missing", "measured", "derived", "fallback"] as const;

/**
 * An estimate that stands for a lost event is off by at most this, µs: log_flush_complete rounds its duration to whole
 * milliseconds, and the steps between neighbouring events vary by less.
 */
const FALLBACK_US = 500;

/** A send that may be another secondary's or another database's is off by what such sends differ, µs. */
const DOUBTFUL_SEND_US = 500;
const SENDS: readonly string[] = ["send_start", "send_end"];

/** The two columns that go with an anchor: `NAME_obtained` and `NAME_uncertainty_us`. */
export function anchorQuality(
  name: string,
  obtained: Uint8Array,
  clockUs: (row: number) => number,
): TableColumn[] {
  const uncertainty = new Float32Array(obtained.length);
  for (let row = 0; row < obtained.length; row++) {
    const estimated = estimateUs(name, obtained[row]);
    uncertainty[row] = obtained[row] === Obtained.missing ? Number.NaN : clockUs(row) + estimated;
  }
  return [
    labels(`${name}_obtained`, Int32Array.from(obtained), OBTAINED_TEXTS),
    { name: `${name}_uncertainty_us`, unit: "µs", kind: "float32", values: uncertainty },
  ];
}

/** How far an instant may be off because its event is missing or may be another's, µs. */
function estimateUs(name: string, obtained: number): number {
  if (obtained === Obtained.fallback) return FALLBACK_US;
  return obtained === Obtained.derived && SENDS.includes(name) ? DOUBTFUL_SEND_US : 0;
}

/** The two bits of one anchor, a row each. */
export function obtainedColumn(words: Uint32Array, anchor: number): Uint8Array {
  const values = new Uint8Array(words.length);
  for (let row = 0; row < words.length; row++) values[row] = (words[row] >>> (2 * anchor)) & 3;
  return values;
}
