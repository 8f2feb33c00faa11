import type { Hit } from "./hit-test.ts";
import type { Buffer } from "./spans.ts";

/** Capture row of what was hit; null for a bin or a commit whose block is not loaded. */
export function rowOf(hit: Hit, buffer: Buffer): number | null {
  const block = hit.entry < 0 ? -1 : (buffer.spans.get(hit.box.lane.key)?.block[hit.entry] ?? -1);
  return block < 0 || !buffer.blocks ? null : buffer.blocks.row[block];
}
