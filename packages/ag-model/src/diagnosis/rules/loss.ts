/**
 * Finds lost events. Each instant of a block comes from one event, so an event was lost where a block's instant had to
 * be estimated or is missing and most blocks have it. The capture itself shows which instants most blocks of a server
 * have, because engines differ. Blocks without any event of any server appear as holes in id + size.
 */
import { hasEvent, perModel, type Anchor } from "../../columns/index.ts";
import { allRows, firstAtOrAfter, gatherFloat64, gatherUint32, gatherUint8 } from "../../numbers/index.ts";
import { ascendingOrder, idsOfRows } from "../../replication/prepare/ascending-ids.ts";
import { MOST_BLOCK_BYTES } from "../../replication/shapes/identity.ts";
import { wordsOf } from "../../replication/prepare/event-ids.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  obtainedIn,
  type CaptureModel,
  type CountedLoss,
  type HopAnchor,
  type LocalAnchor,
} from "../../replication/shapes/tables.ts";
import { countedLoss, longPlaces } from "./counted-loss.ts";
import { fileBorders, type FileBorder } from "./file-borders.ts";
import { burstsOf, type Burst } from "./loss-bursts.ts";
import { pathsOf } from "../paths.ts";
import { blocksOfBefore, lastRowAt } from "./under-way.ts";
import { unsentBlocks } from "./unsent.ts";
import type { Window } from "../verdict.ts";

/** Anchors that each come from one event of the primary: of the block, and of its way to each secondary. */
const PRIMARY_LOCAL: readonly LocalAnchor[] = ["pushedToLogPool", "localFlushStart", "localFlushEnd"];
const PRIMARY_HOP: readonly HopAnchor[] = ["departed", "sendEnd"];
const SECONDARY: readonly HopAnchor[] = ["received", "secondaryFlushStart", "secondaryFlushEnd"];
/** A batched acknowledgment covers blocks without an event of their own, so these count only where most have one. */
const ACK_ON_PRIMARY: readonly HopAnchor[] = ["ackReceived"];
const ACK_ON_SECONDARY: readonly HopAnchor[] = ["ackBuilt", "ackDeparted", "ackSent"];

/** Least share of blocks with an event of a kind, so that the others count as having lost theirs. */
const MAJORITY = 0.5;
/** Share for acknowledgments: with a lower one the replica acknowledges several blocks at once. */
const ACK_MAJORITY = 0.6;
/** Blocks this close to an end of a server's files have some of their events outside, µs. */
const EDGE_US = 1_000_000;
/** Least number of blocks in a period in which a server lost everything. */
export const WHOLE_BLOCKS = 20;
/** The same between the last event of a rollover file and the first one of the next, where nothing else explains it. */
const BETWEEN_FILES_BLOCKS = 3;

/** A period in which a server lost all its events. */
export interface LostPeriod extends Window {
  /** The server's rollover files before and after it, if the files in between are missing; else null. */
  readonly betweenFiles: FileBorder | null;
  /** When its last block ended, as far as other servers' events show it, µs. */
  readonly ended: number;
  /** The server has no event in it, by the numbers of its events. */
  readonly isCounted: boolean;
}

export interface Loss {
  readonly replica: number;
  /** Where event_sequence counts them: then nothing is estimated from the blocks, except which of them lack an event. */
  readonly counted: CountedLoss | null;
  /** Number of counted events that the blocks should have, and of the missing ones. */
  readonly expected: number;
  readonly lost: number;
  readonly stretches: readonly LostPeriod[];
  readonly bursts: readonly Burst[];
  /** Blocks that lost an event, ascending. */
  readonly rows: readonly number[];
  readonly anchors: readonly AnchorLoss[];
}

/** Events of one anchor, of the block itself (-1) or on its way to a secondary. */
interface EventsOf {
  readonly secondary: number;
  readonly anchor: Anchor;
}

/** The blocks of a database that lost the event of one anchor. */
export interface AnchorLoss extends EventsOf {
  readonly database: number;
  /** Ascending. */
  readonly rows: readonly number[];
}

/** Events of an anchor, by block. */
interface AnchorEvents extends EventsOf {
  readonly obtained: Uint32Array;
  /** Place of the anchor in `obtained`. */
  readonly index: number;
  /** 1 for blocks that were never sent and so have no such event; null where all have to have it. */
  readonly isUnsent: Uint8Array | null;
  /** Row of the last block that has to have it: later blocks are under way when the capture ends. */
  readonly lastDue: number;
}

/** Whether a row has to have the event. */
const isDue = ({ isUnsent, lastDue }: AnchorEvents, row: number): boolean =>
  row <= lastDue && (isUnsent === null || isUnsent[row] === 0);

/** Whether the event of a row exists. */
const isThere = ({ obtained, index, anchor }: AnchorEvents, row: number): boolean =>
  hasEvent(anchor, obtainedIn(obtained[row], index));

/** Losses of each server; servers without a file, or with too few blocks to learn from, are skipped. */
export const lossesOf = perModel((model: CaptureModel): readonly Loss[] =>
  model.replicas.flatMap(({ hasCapture }, replica) => {
    if (!hasCapture) return [];
    const counted = countedLoss(model, replica);
    const covered = coveredRows(model, replica);
    // A replica may have one database and not the other.
    const parts = model.databases
      .map((_, database) => lossOfRows(model, replica, rowsOfDatabase(model, covered, database), database))
      .filter((part) => part !== null);
    const found = parts.length === 0 ? null : sumOfParts(model, replica, parts);
    if (counted !== undefined) return [lossOfCounted(model, counted, found?.rows ?? [])];
    return found === null ? [] : [found];
  }),
);

function lossOfCounted(model: CaptureModel, counted: CountedLoss, rows: readonly number[]): Loss {
  const { replica, events, lost } = counted;
  const periods = longPlaces(model, counted, WHOLE_BLOCKS).map((place) => {
    const { from, to, cause, before, after: behind } = place;
    const border = cause === "missingFile" ? { from, to, before, behind } : null;
    return { from, to, betweenFiles: border, ended: to, isCounted: true };
  });
  return {
    replica,
    counted,
    expected: events + lost,
    lost,
    stretches: periods,
    bursts: [],
    rows,
    anchors: [],
  };
}

/** Those of the rows that are blocks of a database. */
function rowsOfDatabase(
  { blocks, databases }: CaptureModel,
  rows: Uint32Array,
  database: number,
): Uint32Array {
  if (databases.length === 1) return rows;
  const own = new Uint32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (blocks.database[rows[i]] === database) own[n++] = rows[i];
  return own.subarray(0, n);
}

/** Losses of the blocks of one database. */
interface LossOfRows {
  readonly expected: number;
  readonly stretches: readonly LostPeriod[];
  readonly rows: Uint32Array;
  readonly lostPerRow: Uint8Array;
  readonly anchors: readonly AnchorLoss[];
}

function sumOfParts(model: CaptureModel, replica: number, parts: readonly LossOfRows[]): Loss {
  const lostOf = new Uint8Array(model.blocks.length);
  const isCovered = new Uint8Array(model.blocks.length);
  let lost = 0;
  for (const { rows, lostPerRow } of parts) {
    for (let i = 0; i < rows.length; i++) {
      lostOf[rows[i]] = lostPerRow[i];
      isCovered[rows[i]] = 1;
      lost += lostPerRow[i];
    }
  }
  const covered = parts.length === 1 ? parts[0].rows : rowsWith(isCovered);
  return {
    replica,
    counted: null,
    expected: parts.reduce((sum, { expected }) => sum + expected, 0),
    lost,
    stretches: parts.flatMap(({ stretches: periods }) => periods).sort((a, b) => a.from - b.from),
    bursts:
      lost === 0
        ? []
        : burstsOf({ time: gatherFloat64(model.blocks.time, covered), lost: gatherUint8(lostOf, covered) }),
    rows: Array.from(covered.filter((row) => lostOf[row] > 0)),
    anchors: parts.flatMap(({ anchors }) => anchors),
  };
}

/** The rows that are marked, ascending. */
const rowsWith = (marks: Uint8Array): Uint32Array => allRows(marks.length).filter((row) => marks[row] === 1);

function lossOfRows(
  model: CaptureModel,
  replica: number,
  rows: Uint32Array,
  database: number,
): LossOfRows | null {
  const counted = countedOf(model, replica, rows, database);
  if (counted.length === 0 || rows.length < WHOLE_BLOCKS) return null;
  const lostPerRow = new Uint8Array(rows.length);
  let expected = 0;
  const anchors: AnchorLoss[] = [];
  for (const events of counted) {
    const lost: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (!isDue(events, rows[i])) continue;
      expected++;
      if (isThere(events, rows[i])) continue;
      lostPerRow[i]++;
      lost.push(rows[i]);
    }
    const { secondary, anchor } = events;
    if (lost.length > 0) anchors.push({ database, secondary, anchor, rows: lost });
  }
  return {
    expected,
    stretches: wholePeriods(model, replica, rows, lostPerRow, counted.length),
    rows,
    lostPerRow,
    anchors,
  };
}

/** Rows that a server's files cover with all of their events, and the other end's as well. */
function coveredRows(model: CaptureModel, replica: number): Uint32Array {
  const { from, to } = model.replicas[replica];
  const { time, timeEnd, length } = model.blocks;
  // Their time is when a replica that lags received them: the others did so before.
  const isOfBefore = blocksOfBefore(model);
  const rows = new Uint32Array(length);
  let n = 0;
  for (let row = 0; row < length; row++)
    if (time[row] >= from + EDGE_US && timeEnd[row] <= to - EDGE_US && isOfBefore?.[row] !== 1)
      rows[n++] = row;
  return rows.subarray(0, n);
}

function countedOf(
  model: CaptureModel,
  replica: number,
  rows: Uint32Array,
  database: number,
): AnchorEvents[] {
  const counted: AnchorEvents[] = [];
  const add = (share: number, events: AnchorEvents): void => {
    let [due, there] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      if (!isDue(events, rows[i])) continue;
      due++;
      if (isThere(events, rows[i])) there++;
    }
    if (there > share * due) counted.push(events);
  };
  const local = (anchor: LocalAnchor): AnchorEvents => ({
    secondary: -1,
    anchor,
    obtained: model.blocks.obtained,
    index: LOCAL_ANCHORS.indexOf(anchor),
    isUnsent: null,
    lastDue: model.blocks.length,
  });
  const hop = (secondary: number, anchor: HopAnchor): AnchorEvents => ({
    secondary,
    anchor,
    obtained: model.hops[secondary].obtained,
    index: HOP_ANCHORS.indexOf(anchor),
    isUnsent: unsentBlocks(model, secondary),
    lastDue: lastRowAt(model, secondary, database, anchor),
  });
  if (replica === 0) {
    for (const anchor of PRIMARY_LOCAL) add(MAJORITY, local(anchor));
    for (const { secondary } of pathsOf(model)) {
      for (const anchor of PRIMARY_HOP) add(MAJORITY, hop(secondary, anchor));
      for (const anchor of ACK_ON_PRIMARY) add(ACK_MAJORITY, hop(secondary, anchor));
    }
    return counted;
  }
  const secondary = replica - 1;
  for (const anchor of SECONDARY) add(MAJORITY, hop(secondary, anchor));
  for (const anchor of ACK_ON_SECONDARY) add(ACK_MAJORITY, hop(secondary, anchor));
  return counted;
}

/** Runs of blocks that lost every event of the server. */
function wholePeriods(
  model: CaptureModel,
  replica: number,
  rows: Uint32Array,
  lost: Uint8Array,
  all: number,
): LostPeriod[] {
  const periods: LostPeriod[] = [];
  const { time, timeEnd } = model.blocks;
  let first = 0;
  for (let i = 0; i <= rows.length; i++) {
    if (i < rows.length && lost[i] === all) continue;
    const count = i - first;
    const run = count < BETWEEN_FILES_BLOCKS ? null : { from: time[rows[first]], to: time[rows[i - 1]] };
    const ended = timeEnd[rows[i - 1]];
    first = i + 1;
    if (run === null) continue;
    const border = fileBorders(model)[replica].find(
      ({ from, to }) => from < run.to && to > run.from && to - from >= (run.to - run.from) / 2,
    );
    if (border !== undefined)
      periods.push({
        from: border.from,
        to: border.to,
        betweenFiles: border,
        ended,
        isCounted: false,
      });
    else if (count >= WHOLE_BLOCKS) periods.push({ ...run, betweenFiles: null, ended, isCounted: false });
  }
  return periods;
}

/** Marks the blocks that begin in these periods, both ends included. @param time of each block, ascending, µs */
export function blocksWithin(time: Float64Array, periods: readonly Window[]): Uint8Array {
  const marks = new Uint8Array(time.length);
  for (const { from, to } of periods)
    for (let row = firstAtOrAfter(time, from); time[row] <= to; row++) marks[row] = 1;
  return marks;
}

/** Blocks that are missing between two of a database, from the beginning of the one to that of the other, µs. */
export interface Hole extends Window {
  /** Rows of the block before it and of the one after it. */
  readonly before: number;
  readonly behind: number;
  readonly bytes: number;
  /** Number of missing blocks, estimated with the mean size. */
  readonly blocks: number;
}

/** Log blocks that are in no file: holes in id + size inside one VLF, counted at the mean size. */
export interface MissingBlocks {
  readonly count: number;
  /** In order of time. */
  readonly holes: readonly Hole[];
}

export const missingBlocks = perModel((model: CaptureModel): MissingBlocks => findMissingBlocks(model));

function findMissingBlocks(model: CaptureModel): MissingBlocks {
  const { blockId, size, time, length } = model.blocks;
  const words = wordsOf(blockId);
  let count = 0;
  const holes: Hole[] = [];
  for (const own of model.databases.keys()) {
    const rows = rowsOfDatabase(model, allRows(length), own);
    const ids = idsOfRows(words, rows);
    const order = ascendingOrder(ids);
    const mean = meanSize(gatherUint32(rows, order), size);
    if (mean === 0) continue;
    for (let k = 1; k < order.length; k++) {
      const [last, here] = [order[k - 1], order[k]];
      const [before, behind] = [rows[last], rows[here]];
      if (ids.high[last] !== ids.high[here]) continue;
      const distance = (ids.low[here] - ids.low[last]) * UNIT_BYTES;
      // A block of unknown size may reach up to the next one, unless no block is that large.
      const unknown = distance > MOST_BLOCK_BYTES ? mean : distance;
      const bytes = distance - (size[before] > 0 ? size[before] : unknown);
      if (!(bytes > 0)) continue;
      const blocks = Math.max(1, Math.round(bytes / mean));
      count += blocks;
      holes.push({ from: time[before], to: time[behind], before, behind, bytes, blocks });
    }
  }
  return { count, holes: holes.sort((a, b) => a.from - b.from) };
}

/** Mean size of the blocks with a known size, bytes. */
function meanSize(rows: Uint32Array, size: Float64Array): number {
  let sum = 0;
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (!(size[row] > 0)) continue;
    sum += size[row];
    n++;
  }
  return sum / Math.max(n, 1);
}

const UNIT_BYTES = 512;
