import type { Joined } from "./join.ts";
import { replicaOfSlot } from "./slots.ts";
import { NO_COUNTS, type CaptureModel, type CommitMode, type HopAnchor } from "./tables.ts";

/**
 * How complete the capture is.
 * @param modes per phase and slot
 * @param commits commits per block row
 */
export function countBlocks(
  joined: Joined,
  modes: readonly (readonly (CommitMode | null)[])[],
  commits: Uint16Array,
): CaptureModel["counts"] {
  const { rows, replicaOf, phaseOf, primaryOf, local } = joined;
  const c = { ...NO_COUNTS };
  for (let row = 0; row < rows.length; row++) {
    const server = replicaOf.indexOf(primaryOf[row]);
    const onPrimary = server >= 0 && rows.seen[server][row] === 1;
    const onSecondary = rows.seen.some((seen, s) => s !== server && seen[row] === 1);
    if (onPrimary) c.primary++;
    if (onSecondary) c.secondary++;
    if (onPrimary && onSecondary) c.onBoth++;
    if (onPrimary && !onSecondary) c.primaryOnly++;
    if (!onPrimary && onSecondary) c.secondaryOnly++;
    if (onPrimary && commits[row] > 0) c.withCommit++;
    if (!onPrimary) continue;
    const own = modes[phaseOf[row]];
    if (waits(joined, own, row)) c.withoutAcknowledgement++;
    if (isWhole(joined, own, row) && present(local.at.localFlushEnd[row])) c.completeEndToEnd++;
  }
  return c;
}

type Modes = readonly (CommitMode | null)[];

/** True when a replica that commits wait for was sent the block, and its acknowledgement is missing. */
const waits = ({ hops }: Joined, modes: Modes, row: number): boolean =>
  hops.some(
    ({ at }, slot) =>
      modes[slot] !== null &&
      modes[slot] !== "async" &&
      present(at.departed[row]) &&
      !present(at.ackProcessed[row]),
  );

/** True when every replica with a file that takes part in the block's phase has all its instants. */
function isWhole({ hops, primaryOf, replicaOf }: Joined, modes: Modes, row: number): boolean {
  const captured = hops.filter(
    (_, slot) => modes[slot] !== null && replicaOf.includes(replicaOfSlot(primaryOf[row], slot)),
  );
  return captured.length > 0 && captured.every(({ at }) => hopIsWhole(at, row));
}

function hopIsWhole(at: Readonly<Record<HopAnchor, Float64Array>>, row: number): boolean {
  return !Object.values(at).some((column) => Number.isNaN(column[row]));
}

function present(value: number): boolean {
  return !Number.isNaN(value);
}
