/**
 * A change of a replica's availability mode also ends a phase: the primary stays the same, and commits wait for other
 * replicas (docs/contribute/model/attribution.md 2.2, docs/contribute/model/stages.md 4.5).
 */
import { allRows, gatherFloat64, gatherUint8, keepRows, sortRows } from "../../numbers/index.ts";
import type { Joined } from "../join/join.ts";
import { erasOf, showBlocks, Shown, type ShownBlocks } from "./mode-evidence.ts";
import { replicaOfSlot, slotOfReplica } from "../shapes/slots.ts";
import { aheadAt } from "../clocks/utc-map.ts";

/** Fewer blocks than this on either side show no change. */
const LEAST_BLOCKS = 10;
/** Changes of several replicas this close to each other are one border, µs. */
const TOGETHER_US = 100_000;

/** A replica's mode changes with the log block that is written at an instant. */
interface ModeChange {
  readonly replica: number;
  readonly group: number;
  readonly phase: number;
  /** Begin of that block's log write, µs of the counter of the phase's primary; -Infinity where it changes with the phase. */
  readonly at: number;
}

/** The joined events with a phase for each combination of modes. */
export function splitByModes(joined: Joined): Joined {
  const changes = joined.replicas.flatMap((_, replica) =>
    groupsOf(joined).flatMap((group) => changesOf(joined, replica, group)),
  );
  return changes.length === 0 ? joined : withBorders(joined, changes);
}

const groupsOf = ({ phases }: Joined): number[] => [...new Set(phases.map(({ group }) => group))];

/** When commits of a group begin or cease to wait for a replica. */
function changesOf(joined: Joined, replica: number, group: number): ModeChange[] {
  const { phases, phaseOf, servers, replicaOf, rows } = joined;
  const slots = phases.map(({ primary, group: own }) => {
    const server = servers[replicaOf.indexOf(primary)];
    // Without the counter instants are as coarse as UTC.
    const isKnown = own === group && primary !== replica && server !== undefined && !server.withoutCounter;
    return isKnown ? slotOfReplica(primary, replica) : -1;
  });
  if (slots.every((slot) => slot < 0)) return [];
  const { shown, end } = showBlocks(joined, (row) => slots[phaseOf[row]], rows.length);
  if (!isEnough(shown)) return [];
  const blocks = inOrder(joined, slots, shown, end);
  return erasOf(blocks)
    .slice(1)
    .map(({ first }) => ({ replica, group, ...placeOf(joined, blocks, first) }));
}

/** Whether blocks of both kinds exist: for most replicas they do not, and no sort is needed. */
function isEnough(shown: Uint8Array): boolean {
  const counts = [0, 0, 0];
  for (let row = 0; row < shown.length; row++) counts[shown[row]]++;
  return counts[Shown.waited] >= LEAST_BLOCKS && counts[Shown.notWaited] >= LEAST_BLOCKS;
}

/**
 * The blocks that can show a mode, phase by phase in the order in which they were written; blocks that were sent late
 * show no mode.
 */
function inOrder(
  { phases, phaseOf, local, hops, rows: { database } }: Joined,
  slots: readonly number[],
  shown: Uint8Array,
  end: Float64Array,
): ShownBlocks {
  const written = local.at.localFlushStart;
  const own = keepRows(
    allRows(shown.length),
    (row) => slots[phaseOf[row]] >= 0 && end[row] < Infinity && !Number.isNaN(written[row]),
  );
  const rows = new Uint32Array(own.length);
  let length = 0;
  for (const phase of phases.keys()) {
    const ofPhase = sortRows(
      keepRows(own, (row) => phaseOf[row] === phase),
      written,
    );
    rows.set(ofPhase, length);
    length += ofPhase.length;
  }
  const ofRows = gatherUint8(shown, rows);
  // The replica catches up until it acknowledges the last block that was sent only after its commit had ended.
  const caughtUp = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const { departed, ackProcessed } = hops[slots[phaseOf[row]]].at;
    if (written[row] < (caughtUp.get(database[row]) ?? -Infinity)) ofRows[i] = Shown.nothing;
    if (departed[row] > end[row] && !(ackProcessed[row] <= (caughtUp.get(database[row]) ?? -Infinity)))
      caughtUp.set(database[row], ackProcessed[row]);
  }
  return { rows, shown: ofRows, end: gatherFloat64(end, rows) };
}

/** Where a change is; at the border between two phases where nothing on one side of it shows a mode. */
function placeOf(
  { phaseOf, local }: Joined,
  { rows, shown }: ShownBlocks,
  place: number,
): Pick<ModeChange, "phase" | "at"> {
  const phase = phaseOf[rows[place]];
  const isAlone = (from: number, step: 1 | -1): boolean => {
    for (let i = from; phaseOf[rows[i]] === phase; i += step) if (shown[i] !== Shown.nothing) return false;
    return true;
  };
  if (isAlone(place - 1, -1)) return { phase, at: -Infinity };
  if (isAlone(place, 1)) return { phase: phase + 1, at: -Infinity };
  return { phase, at: local.at.localFlushStart[rows[place]] };
}

/** Part of a phase after a border within it. */
interface Piece {
  readonly phase: number;
  readonly at: number;
}

function withBorders(joined: Joined, changes: readonly ModeChange[]): Joined {
  const pieces = joined.phases.flatMap((_, phase) => piecesOf(changes, phase));
  const order = orderOf(joined, pieces);
  const newIndex = joined.phases.map((_, phase) =>
    order.findIndex((piece) => piece.phase === phase && piece.at === -Infinity),
  );
  const phaseOf = joined.phaseOf.map((phase) => newIndex[phase]);
  for (const piece of pieces) fillFrom(joined, piece, order.indexOf(piece), phaseOf);
  const phases = order.map((piece) => ({
    ...joined.phases[piece.phase],
    eras: erasIn(joined, changes, piece),
  }));
  return { ...joined, phases, phaseOf };
}

/** The borders within a phase, in the order of time. */
function piecesOf(changes: readonly ModeChange[], phase: number): Piece[] {
  const times = changes
    .filter((change) => change.phase === phase && change.at > -Infinity)
    .map(({ at }) => at);
  times.sort((a, b) => a - b);
  return times.filter((at, i) => i === 0 || at - times[i - 1] > TOGETHER_US).map((at) => ({ phase, at }));
}

/** All phases and the parts of those that have borders, in the order in which they begin. */
function orderOf({ phases, phaseOf, local, servers, replicaOf }: Joined, pieces: readonly Piece[]): Piece[] {
  const utcOf = (phase: number, at: number): number => {
    const server = servers[replicaOf.indexOf(phases[phase].primary)];
    return server === undefined ? -Infinity : at + aheadAt(server.utc, at);
  };
  const begin = new Float64Array(phases.length).fill(Infinity);
  for (let row = 0; row < phaseOf.length; row++) {
    const written = local.at.localFlushStart[row];
    if (written < begin[phaseOf[row]]) begin[phaseOf[row]] = written;
  }
  const order = phases.map((_, phase): Piece => ({ phase, at: -Infinity }));
  for (const piece of pieces) {
    let place = order.findLastIndex(({ phase }) => phase === piece.phase) + 1;
    while (place < order.length && beginOf(order[place]) < utcOf(piece.phase, piece.at)) place++;
    order.splice(place, 0, piece);
  }
  return order;

  function beginOf({ phase, at }: Piece): number {
    return utcOf(phase, at === -Infinity ? begin[phase] : at);
  }
}

/** The log blocks of each database belong to a piece from the first one on that is written after its border. */
function fillFrom(
  { phaseOf, rows, local }: Joined,
  { phase, at }: Piece,
  index: number,
  to: Uint16Array,
): void {
  const isBehind = new Set<number>();
  for (let row = 0; row < phaseOf.length; row++) {
    if (phaseOf[row] !== phase) continue;
    const database = rows.database[row];
    if (local.at.localFlushStart[row] >= at) isBehind.add(database);
    if (isBehind.has(database)) to[row] = index;
  }
}

/** By slot: how often the replica's mode had changed. */
const erasIn = ({ phases, hops }: Joined, changes: readonly ModeChange[], { phase, at }: Piece): number[] =>
  hops.map((_, slot) => {
    const { primary, group } = phases[phase];
    const replica = replicaOfSlot(primary, slot);
    return changes.filter(
      (change) =>
        change.replica === replica &&
        change.group === group &&
        (change.phase < phase || (change.phase === phase && change.at <= at + TOGETHER_US)),
    ).length;
  });
