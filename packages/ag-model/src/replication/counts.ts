import type { CommitMode } from "./commits.ts";
import type { BlockRows } from "./blocks.ts";
import type { HopAnchors, LocalAnchors } from "./anchor-columns.ts";
import { NO_COUNTS, type CaptureModel } from "./tables.ts";

/**
 * How complete the capture is.
 * @param captured secondaries with a file; the first ones of `hops`
 * @param commits commits per block
 */
export function countBlocks(
  rows: BlockRows,
  hasPrimary: boolean,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  captured: number,
  modes: readonly CommitMode[],
  commits: Uint16Array,
): CaptureModel["counts"] {
  const c = { ...NO_COUNTS };
  const first = hasPrimary ? 1 : 0;
  for (let row = 0; row < rows.length; row++) {
    const onPrimary = hasPrimary && rows.seen[0][row] === 1;
    const onSecondary = rows.seen.slice(first).some((seen) => seen[row] === 1);
    if (onPrimary) c.primary++;
    if (onSecondary) c.secondary++;
    if (onPrimary && onSecondary) c.onBoth++;
    if (onPrimary && !onSecondary) c.primaryOnly++;
    if (!onPrimary && onSecondary) c.secondaryOnly++;
    if (onPrimary && commits[row] > 0) c.withCommit++;
    if (!onPrimary) continue;
    const waits = hops.some(
      ({ at }, s) => modes[s] !== "async" && present(at.departed[row]) && !present(at.ackProcessed[row]),
    );
    if (waits) c.withoutAcknowledgement++;
    const whole = hops.slice(0, captured).every(({ at }) => hopIsWhole(at, row));
    if (captured > 0 && whole && present(local.at.localFlushEnd[row])) c.completeEndToEnd++;
  }
  return c;
}

function hopIsWhole(at: HopAnchors["at"], row: number): boolean {
  return !Object.values(at).some((column) => Number.isNaN(column[row]));
}

function present(value: number): boolean {
  return !Number.isNaN(value);
}
