/**
 * D15: events that were lost. Each instant of a block comes from one event, so the blocks whose instant had to be estimated
 * or is missing, where most blocks have it, are the events that were lost. What most blocks of a server have is learned
 * from the capture itself: engines differ. Blocks that no event of any server is left of are seen as holes in id + size.
 */
import { oncePerModel } from "../columns/index.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  Obtained,
  obtainedIn,
  type CaptureModel,
  type HopAnchor,
  type LocalAnchor,
} from "../replication/tables.ts";
import { clockTimes } from "./delays.ts";
import { pathsOf, replicaName } from "./paths.ts";
import { plainFinding } from "./plain-finding.ts";
import type { Settings } from "./settings.ts";
import type { Finding, Window } from "./verdict.ts";
import { formatCount, formatPercent } from "../words/words.ts";

/** Anchors that each come from one event of the primary: of the block, and of its way to each secondary. */
const PRIMARY_LOCAL: readonly LocalAnchor[] = ["pushedToLogPool", "localFlushStart", "localFlushEnd"];
const PRIMARY_HOP: readonly HopAnchor[] = ["departed", "sendEnd"];
const SECONDARY: readonly HopAnchor[] = ["received", "secondaryFlushStart", "secondaryFlushEnd"];
/** A batched acknowledgement covers blocks without an event of their own, so these count only where most have one. */
const ACK_ON_PRIMARY: readonly HopAnchor[] = ["ackReceived"];
const ACK_ON_SECONDARY: readonly HopAnchor[] = ["ackBuilt", "ackDeparted", "ackSent"];

/** Share of blocks that have to have an event of a kind, so that the others count as having lost theirs. */
const MAJORITY = 0.5;
/** Share for acknowledgements: below it the replica acknowledges several blocks at once. */
const ACK_MAJORITY = 0.6;
/** Blocks this close to an end of a server's files have some of their events outside, µs. */
const EDGE_US = 1_000_000;
/** A stretch in which a server lost everything has at least this many blocks. */
const WHOLE_BLOCKS = 20;

export interface Loss {
  readonly replica: number;
  /** Events that the blocks should have, of those that are counted, and how many of them are missing. */
  readonly expected: number;
  readonly lost: number;
  /** Stretches in which no event of the server is left, µs. */
  readonly stretches: readonly Window[];
}

/** Whether the event behind an anchor of a row is there. */
type IsThere = (row: number) => boolean;

/** What each server lost; servers without a file, or with too few blocks to learn from, are left out. */
export const lossesOf = (model: CaptureModel): readonly Loss[] =>
  oncePerModel(model, "diagnosis/losses", () =>
    model.replicas.flatMap(({ hasCapture }, replica) => {
      if (!hasCapture) return [];
      const covered = coveredRows(model, replica);
      // A replica may have one database and not the other.
      const parts = model.databases
        .map((_, database) => covered.filter((row) => model.blocks.database[row] === database))
        .map((rows) => lossOfRows(model, replica, rows))
        .filter((part) => part !== null);
      if (parts.length === 0) return [];
      const sum = (of: (part: LossOfRows) => number): number =>
        parts.reduce((all, part) => all + of(part), 0);
      return [
        {
          replica,
          expected: sum((part) => part.expected),
          lost: sum((part) => part.lost),
          stretches: parts.flatMap(({ stretches }) => stretches),
        },
      ];
    }),
  );

type LossOfRows = Omit<Loss, "replica">;

function lossOfRows(model: CaptureModel, replica: number, rows: readonly number[]): LossOfRows | null {
  const counted = countedOf(model, replica, rows);
  if (counted.length === 0 || rows.length < WHOLE_BLOCKS) return null;
  const lostPerRow = rows.map((row) => counted.filter((isThere) => !isThere(row)).length);
  return {
    expected: rows.length * counted.length,
    lost: lostPerRow.reduce((all, n) => all + n, 0),
    stretches: wholeStretches(model, rows, lostPerRow, counted.length),
  };
}

/** Rows that a server's files cover with all of their events, and the other end's as well. */
function coveredRows(model: CaptureModel, replica: number): number[] {
  const { from, to } = model.replicas[replica];
  const { time, timeEnd, length } = model.blocks;
  const rows: number[] = [];
  for (let row = 0; row < length; row++)
    if (time[row] >= from + EDGE_US && timeEnd[row] <= to - EDGE_US) rows.push(row);
  return rows;
}

function countedOf(model: CaptureModel, replica: number, rows: readonly number[]): IsThere[] {
  const counted: IsThere[] = [];
  const add = (share: number, isThere: IsThere): void => {
    const there = rows.reduce((sum, row) => sum + (isThere(row) ? 1 : 0), 0);
    if (there > share * rows.length) counted.push(isThere);
  };
  const local = (anchor: LocalAnchor) => (row: number) =>
    obtainedIn(model.blocks.obtained[row], LOCAL_ANCHORS.indexOf(anchor)) === Obtained.measured;
  // A derived instant has an event, only not one that names this block for certain.
  const hop = (secondary: number, anchor: HopAnchor) => (row: number) => {
    const how = obtainedIn(model.hops[secondary].obtained[row], HOP_ANCHORS.indexOf(anchor));
    return how === Obtained.measured || (how === Obtained.derived && anchor !== "received");
  };
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
function wholeStretches(
  model: CaptureModel,
  rows: readonly number[],
  lost: readonly number[],
  all: number,
): Window[] {
  const stretches: Window[] = [];
  let first = 0;
  for (let i = 0; i <= rows.length; i++) {
    if (i < rows.length && lost[i] === all) continue;
    if (i - first >= WHOLE_BLOCKS)
      stretches.push({ from: model.blocks.time[rows[first]], to: model.blocks.time[rows[i - 1]] });
    first = i + 1;
  }
  return stretches;
}

/** Log blocks that no file holds: holes in id + size inside one VLF, counted at the mean size. */
export function missingBlocks(model: CaptureModel): number {
  const { database, blockId, size, length } = model.blocks;
  const byDatabase = model.databases.map(() => [] as number[]);
  for (let row = 0; row < length; row++) byDatabase[database[row]].push(row);
  let missing = 0;
  for (const rows of byDatabase) {
    const ordered = rows.toSorted((a, b) => (blockId[a] < blockId[b] ? -1 : 1));
    const known = ordered.filter((row) => size[row] > 0);
    const mean = known.reduce((sum, row) => sum + size[row], 0) / Math.max(known.length, 1);
    for (let i = 1; i < ordered.length; i++) {
      const [before, row] = [ordered[i - 1], ordered[i]];
      if (blockId[before] >> 32n !== blockId[row] >> 32n || !(size[before] > 0)) continue;
      const hole = Number(blockId[row] - blockId[before]) * UNIT_BYTES - size[before];
      if (hole > 0) missing += Math.max(1, Math.round(hole / mean));
    }
  }
  return missing;
}

const UNIT_BYTES = 512;

export function lostEvents(model: CaptureModel, settings: Settings): Finding[] {
  const perServer = lossesOf(model).flatMap((loss) => serverLoss(model, loss, settings));
  const missing = missingBlocks(model);
  if (missing === 0) return perServer;
  const what = missing === 1 ? "log block is" : "log blocks are";
  const sentence = `About ${formatCount(missing)} ${what} in no file: there are holes between the blocks that are.`;
  return [...perServer, lossFinding("none", sentence, { threshold: "any hole in id + size" })];
}

function serverLoss(
  model: CaptureModel,
  { replica, expected, lost, stretches }: Loss,
  settings: Settings,
): Finding[] {
  const share = lost / expected;
  if (lost < settings.lostEvents || !(share >= settings.lostShare)) return [];
  const name = replicaName(model, replica);
  const severity = share >= settings.lostNoticeShare || stretches.length > 0 ? "notice" : "none";
  const part = `About ${formatPercent(share, 1)} of ${name}'s events were lost`;
  const [first] = stretches;
  const sentence = first
    ? `${part}: none is left between ${clockTimes(model, first)}${stretches.length > 1 ? ` and in ${stretches.length - 1} more stretches` : ""}.`
    : `${part}, all over the capture. Instants of those events are estimates, and blocks without them count in no figure.`;
  const window = first
    ? { from: first.from, to: stretches[stretches.length - 1].to }
    : { from: model.replicas[replica].from, to: model.replicas[replica].to };
  return [
    lossFinding(severity, sentence, {
      replica,
      window,
      threshold: `over ${formatPercent(settings.lostShare, 1)} of the events that most blocks have`,
    }),
  ];
}

const lossFinding = (severity: Finding["severity"], sentence: string, more: Partial<Finding>): Finding =>
  plainFinding("D15", "lost_events", severity, sentence, {
    source: "AG Lens default",
    checkNext: [
      "dropped_event_count and dropped_buffer_count of the session in sys.dm_xe_sessions",
      "Session memory, and ALLOW_SINGLE_EVENT_LOSS against NO_EVENT_LOSS",
      "Number and size of the session's rollover files",
    ],
    ...more,
  });
