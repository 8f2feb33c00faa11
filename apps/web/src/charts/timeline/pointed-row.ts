import type { Pointed } from "./pointed-bar.ts";
import type { Buffer } from "./spans.ts";

/** Capture row of the target; null for a bin or a commit whose block is not loaded. */
export function rowOf(pointed: Pointed, buffer: Buffer): number | null {
  const block = pointed.entry < 0 ? -1 : (buffer.spans.get(pointed.box.lane.key)?.block[pointed.entry] ?? -1);
  return block < 0 || !buffer.blocks ? null : buffer.blocks.row[block];
}
