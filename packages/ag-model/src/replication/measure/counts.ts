import type { BlockOrder } from "./assemble.ts";
import type { Joined } from "../join/join.ts";
import type { FireExtent } from "../event-index/moved-events.ts";
import { replicaOfSlot } from "../shapes/slots.ts";
import {
  NO_COUNTS,
  type CaptureModel,
  type CommitMode,
  type HopAnchor,
  type HopTable,
} from "../shapes/tables.ts";

/** A block this close to an end of a server's files may have its other events outside of them, µs. */
const EDGE_US = 1_000_000;

/**
 * Counts how complete the capture is.
 * @param modes per phase and slot
 * @param blocks when each block was under way, and its commits
 * @param extents per server: first and last instant of its events
 */
export function countBlocks(
  joined: Joined,
  modes: readonly (readonly (CommitMode | null)[])[],
  { commits, time, timeEnd }: Pick<BlockOrder, "time" | "timeEnd"> & { readonly commits: Uint16Array },
  extents: readonly FireExtent[],
): CaptureModel["counts"] {
  const { rows, phaseOf, local } = joined;
  const c = { ...NO_COUNTS };
  const common = { ...NO_COUNTS.common };
  const ofPhases = joined.phases.map(({ primary }, phase) =>
    phaseColumns(joined, phase, primary, modes[phase], extents),
  );
  for (let row = 0; row < rows.length; row++) {
    const phase = ofPhases[phaseOf[row]];
    const onPrimary = phase.onPrimary?.[row] === 1;
    const onSecondary = isSeen(phase.onSecondaries, row);
    if (onPrimary) c.primary++;
    if (onSecondary) c.secondary++;
    if (onPrimary && onSecondary) c.onBoth++;
    if (onPrimary && !onSecondary) {
      c.primaryOnly++;
      if (isDueOnSecondary(phase.captured, row, time[row], timeEnd[row])) common.primaryOnly++;
    }
    if (!onPrimary && onSecondary) {
      c.secondaryOnly++;
      if (isInside(phase.files, time[row], timeEnd[row])) common.secondaryOnly++;
    }
    if (!onPrimary) continue;
    if (commits[row] > 0) c.withCommit++;
    if (isUnanswered(phase.waitedFor, row)) {
      c.withoutAcknowledgement++;
      if (isAnswerDue(phase.waitedFor, row)) common.withoutAcknowledgement++;
    }
    if (present(local.at.localFlushEnd[row]) && isComplete(phase.captured, row)) c.completeEndToEnd++;
  }
  return { ...c, common };
}

type HopColumns = Readonly<Record<HopAnchor, Float64Array>>;

/** A hop to a replica that commits wait for. */
interface AwaitedHop {
  readonly at: HopColumns;
  /**
   * Departure of the last block of the phase that the replica acknowledged: later blocks were still under way when the
   * files end.
   */
  readonly lastAnswered: number;
}

/** A hop to a replica with a file. */
interface CapturedHop {
  readonly columns: readonly Float64Array[];
  readonly obtained: HopTable["obtained"];
  readonly departed: Float64Array;
  /** Departure of the last block of the phase that was received: later blocks had not arrived when the files end. */
  readonly lastReceived: number;
  /** When the replica's events fired. */
  readonly files: FireExtent;
}

/** Columns that are checked for each block of a phase. */
interface PhaseColumns {
  /** 1 where the server saw the block; absent without the primary's file. */
  readonly onPrimary: Uint8Array | undefined;
  /** When the primary's events fired; absent without its file. */
  readonly files: FireExtent | undefined;
  readonly onSecondaries: readonly Uint8Array[];
  readonly waitedFor: readonly AwaitedHop[];
  readonly captured: readonly CapturedHop[];
}

function phaseColumns(
  { rows, hops, replicaOf, phaseOf }: Joined,
  phase: number,
  primary: number,
  modes: readonly (CommitMode | null)[],
  extents: readonly FireExtent[],
): PhaseColumns {
  const server = replicaOf.indexOf(primary);
  return {
    onPrimary: rows.seen[server],
    files: extents[server],
    onSecondaries: rows.seen.filter((_, s) => s !== server),
    waitedFor: hops
      .filter((_, slot) => modes[slot] !== null && modes[slot] !== "async")
      .map(({ at }) => ({ at, lastAnswered: lastDeparted(at, at.ackProcessed, phaseOf, phase) })),
    captured: hops.flatMap(({ at, obtained }, slot) => {
      const secondary = replicaOf.indexOf(replicaOfSlot(primary, slot));
      if (modes[slot] === null || secondary < 0) return [];
      const lastReceived = lastDeparted(at, at.received, phaseOf, phase);
      const columns = Object.values(at);
      return [{ columns, obtained, departed: at.departed, lastReceived, files: extents[secondary] }];
    }),
  };
}

/** Departure of the last block of a phase with a known later instant; -Infinity for none. */
function lastDeparted(
  { departed }: HopColumns,
  later: Float64Array,
  phaseOf: Uint16Array,
  phase: number,
): number {
  let last = -Infinity;
  for (let row = 0; row < departed.length; row++)
    if (phaseOf[row] === phase && present(later[row]) && departed[row] > last) last = departed[row];
  return last;
}

// Plain loops: to create a function for each block would take most of the time.

function isSeen(bySecondaries: readonly Uint8Array[], row: number): boolean {
  for (const seen of bySecondaries) if (seen[row] === 1) return true;
  return false;
}

/** True when a replica was sent the block, and its acknowledgment is missing. */
function isUnanswered(hops: readonly AwaitedHop[], row: number): boolean {
  for (const { at } of hops) if (present(at.departed[row]) && !present(at.ackProcessed[row])) return true;
  return false;
}

/**
 * True when a replica acknowledged a block that was sent later, so that the missing acknowledgment existed before the
 * files end.
 */
function isAnswerDue(hops: readonly AwaitedHop[], row: number): boolean {
  for (const { at, lastAnswered: last } of hops)
    if (at.departed[row] < last && !present(at.ackProcessed[row])) return true;
  return false;
}

/**
 * True when a replica whose files cover the block's time was sent the block, unlike one that was away, and received a
 * block that was sent later.
 */
function isDueOnSecondary(hops: readonly CapturedHop[], row: number, from: number, to: number): boolean {
  for (const { obtained, departed, lastReceived, files } of hops)
    if (obtained[row] !== 0 && !(departed[row] >= lastReceived) && isInside(files, from, to)) return true;
  return false;
}

/** True for a time that files cover, away from their ends. */
const isInside = (files: FireExtent | undefined, from: number, to: number): boolean =>
  files !== undefined && from >= files.first + EDGE_US && to <= files.last - EDGE_US;

/** True when there is a replica with a file, and no instant is missing. */
function isComplete(hops: readonly CapturedHop[], row: number): boolean {
  for (const { columns } of hops) for (const column of columns) if (Number.isNaN(column[row])) return false;
  return hops.length > 0;
}

function present(value: number): boolean {
  return !Number.isNaN(value);
}
