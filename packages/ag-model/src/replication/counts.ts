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
  const { rows, phaseOf, local } = joined;
  const c = { ...NO_COUNTS };
  const ofPhases = joined.phases.map(({ primary }, phase) => phaseColumns(joined, primary, modes[phase]));
  for (let row = 0; row < rows.length; row++) {
    const { onPrimary: own, onSecondaries, waitedFor, captured } = ofPhases[phaseOf[row]];
    const onPrimary = own?.[row] === 1;
    const onSecondary = isSeen(onSecondaries, row);
    if (onPrimary) c.primary++;
    if (onSecondary) c.secondary++;
    if (onPrimary && onSecondary) c.onBoth++;
    if (onPrimary && !onSecondary) c.primaryOnly++;
    if (!onPrimary && onSecondary) c.secondaryOnly++;
    if (onPrimary && commits[row] > 0) c.withCommit++;
    if (!onPrimary) continue;
    if (isUnanswered(waitedFor, row)) c.withoutAcknowledgement++;
    if (present(local.at.localFlushEnd[row]) && isWhole(captured, row)) c.completeEndToEnd++;
  }
  return c;
}

type HopColumns = Readonly<Record<HopAnchor, Float64Array>>;

/** What is looked at for each block of a phase. */
interface PhaseColumns {
  /** 1 where the server saw the block; absent without the primary's file. */
  readonly onPrimary: Uint8Array | undefined;
  readonly onSecondaries: readonly Uint8Array[];
  /** Hops to the replicas that commits wait for. */
  readonly waitedFor: readonly HopColumns[];
  /** All instants of the hops to replicas with a file that take part. */
  readonly captured: readonly Float64Array[];
}

function phaseColumns(
  { rows, hops, replicaOf }: Joined,
  primary: number,
  modes: readonly (CommitMode | null)[],
): PhaseColumns {
  const server = replicaOf.indexOf(primary);
  const hopsWhere = (wanted: (slot: number) => boolean): HopColumns[] =>
    hops.filter((_, slot) => modes[slot] !== null && wanted(slot)).map(({ at }) => at);
  return {
    onPrimary: rows.seen[server],
    onSecondaries: rows.seen.filter((_, s) => s !== server),
    waitedFor: hopsWhere((slot) => modes[slot] !== "async"),
    captured: hopsWhere((slot) => replicaOf.includes(replicaOfSlot(primary, slot))).flatMap((at) =>
      Object.values(at),
    ),
  };
}

// Loops: a function made for each block is most of what counting would take.

function isSeen(bySecondaries: readonly Uint8Array[], row: number): boolean {
  for (const seen of bySecondaries) if (seen[row] === 1) return true;
  return false;
}

/** True when a replica was sent the block, and its acknowledgement is missing. */
function isUnanswered(hops: readonly HopColumns[], row: number): boolean {
  for (const { departed, ackProcessed } of hops)
    if (present(departed[row]) && !present(ackProcessed[row])) return true;
  return false;
}

/** True when there is a replica with a file, and no instant is missing. */
function isWhole(captured: readonly Float64Array[], row: number): boolean {
  for (const column of captured) if (Number.isNaN(column[row])) return false;
  return captured.length > 0;
}

function present(value: number): boolean {
  return !Number.isNaN(value);
}
