/**
 * For each log writer and each direction of the network: how long a block waited for blocks before it and how long it
 * was served, how busy it was, and at which rate it is full.
 */
import { perModel, pausesOfReplicas } from "../columns/index.ts";
import { differences, firstIndexWhere, medianOf } from "../numbers/index.ts";
import { stageDefinition, type CaptureModel, type CommitMode } from "../replication/index.ts";
import { secondaryWriterOf } from "./hop-legs.ts";
import type { LogWriter } from "./log-writer.ts";
import { networkLegsOf, type NetworkLegs } from "./network-waiting.ts";
import { primaryLogOf } from "./primary-replay.ts";
import { FULL_BUSY, replayAtSpeed, replayAtSpeeds, timesUntilFull } from "./rate-replay.ts";
import { QUEUED_SHARE, rowFigures, type RowEpisode } from "./row-figures.ts";
import { slowPeriods, type TimePeriod } from "./slow-periods.ts";
import { streamsOf, type Stream } from "./streams.ts";
import { worstRow } from "./worst-row.ts";
import { durationsOf } from "./write-durations.ts";

export type ServerKind = "logWrite" | "networkOut" | "networkBack" | "unseen";

/** Writes of a log writer by how many blocks shared one. */
export interface SharedWrites {
  /** Blocks per write; the last entry contains all writes with this many or more. */
  readonly blocks: number;
  readonly writes: number;
  /** Duration of such a write and wait of a block in it, p50, µs. */
  readonly writeUs: number;
  readonly waitedUs: number;
}

/** One log writer, one direction of the network, or the complete unseen work of a secondary without a file. */
export interface WaitingRow {
  readonly kind: ServerKind;
  readonly database: number;
  /** Index into `CaptureModel.phases`: a server that becomes the primary again has a row for each time. */
  readonly phase: number;
  /** Indexes into `CaptureModel.replicas`: the replica of the writer, or the secondary of the network. */
  readonly replica: number;
  readonly primary: number;
  readonly mode: CommitMode | "primary";
  readonly blocks: number;
  /**
   * Blocks that are excluded from every figure of a network: a server at either end was unresponsive while they were on
   * their way.
   */
  readonly pausedBlocks: number;
  /**
   * Share of each second with a write running or a block in flight, 0 to 1; for a capture longer than a day, that of
   * the busiest second of each entry.
   */
  readonly busy: Float64Array;
  /** Length of an entry of `busy`, µs: a second, or several. */
  readonly busyUs: number;
  readonly busyMean: number;
  readonly busyMost: number;
  /** Mean per block, µs. */
  readonly waitedUs: number;
  readonly servedUs: number;
  readonly waitedP95Us: number;
  /**
   * Possible error of `servedUs`: a direction of the network begins and ends on two clocks. 0 where one clock measured
   * both; NaN where the clocks are not aligned.
   */
  readonly errorUs: number;
  /** `servedUs` of both directions of a network together, which no clock error affects; NaN for other rows. */
  readonly roundTripUs: number;
  /** Blocks per second, or acknowledgments per second on the way back: over the capture, and in its busiest second. */
  readonly perSecond: number;
  readonly mostPerSecond: number;
  /** Rate at which a log writer is 90 % busy; NaN when it can't be determined. */
  readonly fullPerSecond: number;
  /** Bytes per second while blocks waited for each other on the network; NaN when they did not. */
  readonly bytesPerSecondWaiting: number;
  readonly isSlow: boolean;
  readonly isQueued: boolean;
  readonly sharedWrites: readonly SharedWrites[];
  /** Mean wait if every write lasted `FAST_WRITE_US`; NaN for a writer that is faster already. */
  readonly waitAtFastWriteUs: number;
  /**
   * Periods in which the verdict reports it as slow, and its means otherwise. Its means, rates, fullness and the flags
   * for slow and queued are then for these periods alone; null where they are for the complete capture.
   */
  readonly episode: RowEpisode | null;
}

export interface Waiting {
  /** In the order of a block's way, by database. */
  readonly rows: readonly WaitingRow[];
  /** Index of the row that the sentence is about; -1 without rows. */
  readonly worst: number;
}

/** Duration of a log write on fast storage, to show what a queue would then be, µs. */
export const FAST_WRITE_US = 5_000;

const MOST_BLOCKS_NAMED = 6;

/** Waiting and serving of every log writer and network direction of a capture. */
export const waitingOf = perModel((model: CaptureModel): Waiting => {
  const rows = streamsOf(model).flatMap((stream) => rowsOf(model, stream));
  return { rows, worst: worstRow(rows) };
});

function rowsOf(model: CaptureModel, stream: Stream): WaitingRow[] {
  const { writer } = primaryLogOf(model, stream);
  const rows = [writerRow(model, stream, stream.primary, "primary", writer)];
  for (const hop of stream.hops) {
    const pauses = pausesOfReplicas(model, [stream.primary, hop.replica]);
    const network = networkLegsOf(stream, hop, pauses);
    if (!model.replicas[hop.replica].hasCapture) {
      rows.push(networkRow(model, stream, hop, "unseen", network.unseen()));
      continue;
    }
    const [out, back] = bothWays(
      networkRow(model, stream, hop, "networkOut", network.out()),
      networkRow(model, stream, hop, "networkBack", network.back()),
    );
    rows.push(out);
    rows.push(writerRow(model, stream, hop.replica, hop.mode, secondaryWriterOf(model, stream, hop).writer));
    rows.push(back);
  }
  return rows.filter(({ blocks }) => blocks > 0);
}

function writerRow(
  model: CaptureModel,
  stream: Stream,
  replica: number,
  mode: WaitingRow["mode"],
  writer: LogWriter,
): WaitingRow {
  const { start, end, ready } = writer;
  // No write is ready after its start.
  const waited = differences(start, ready);
  const served = durationsOf(writer);
  const part = mode === "primary" ? "primaryWrite" : "secondaryWrite";
  const periods = slowPeriods(model, stream, part, replica);
  const limit = stageDefinition(mode === "primary" ? "localFlush" : "secondaryFlush").limitUs;
  const row = rowFigures(model, { start, end, waited, served, entered: writer.entered }, limit, periods);
  const regime = row.episode === null ? writer : writerIn(writer, longestOf(periods));
  return {
    ...row,
    kind: "logWrite",
    pausedBlocks: 0,
    errorUs: 0,
    roundTripUs: Number.NaN,
    database: stream.database,
    phase: stream.phase,
    replica,
    primary: stream.primary,
    mode,
    fullPerSecond: fullRate(row, regime),
    bytesPerSecondWaiting: Number.NaN,
    sharedWrites: sharedWritesOf(writer, waited),
    waitAtFastWriteUs:
      row.servedUs > FAST_WRITE_US && writer.policy !== "atOnce"
        ? replayAtSpeed(regime, 1, FAST_WRITE_US).waitUs
        : Number.NaN,
  };
}

/**
 * Blocks per second at which a writer is 90 % busy. NaN where its replays do not reach it, and where it is over the present rate although
 * the writer is full in some seconds: then the capture has several regimes.
 */
function fullRate(
  { busyMost, perSecond, episode }: ReturnType<typeof rowFigures>,
  writer: LogWriter,
): number {
  const times = timesUntilFull(replayAtSpeeds(writer));
  return episode === null && times > 1 && busyMost >= FULL_BUSY ? Number.NaN : perSecond * times;
}

const longestOf = (periods: readonly TimePeriod[]): TimePeriod =>
  periods.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));

/** The part of a log writer's work in a period. */
function writerIn(writer: LogWriter, [from, to]: TimePeriod): LogWriter {
  const first = firstIndexWhere(writer.start.length, (i) => writer.entered[i] >= from);
  const end = firstIndexWhere(writer.start.length, (i) => writer.entered[i] > to);
  const { entered, start, end: ends, ready, waited, first: firsts } = writer;
  return {
    ...writer,
    entered: entered.subarray(first, end),
    start: start.subarray(first, end),
    end: ends.subarray(first, end),
    ready: ready.subarray(first, end),
    waited: waited.subarray(first, end),
    first: firsts.subarray(first, end),
  };
}

function networkRow(
  model: CaptureModel,
  stream: Stream,
  { replica, mode }: { readonly replica: number; readonly mode: CommitMode },
  kind: "networkOut" | "networkBack" | "unseen",
  legs: NetworkLegs,
): WaitingRow {
  const periods = kind === "unseen" ? [] : slowPeriods(model, stream, "network", replica);
  const row = rowFigures(model, { ...legs, entered: legs.start }, Number.NaN, periods);
  const isHeld = row.waitedUs > QUEUED_SHARE * (row.waitedUs + row.servedUs);
  return {
    ...row,
    kind,
    pausedBlocks: legs.pausedBlocks,
    errorUs: legs.errorUs,
    roundTripUs: Number.NaN,
    database: stream.database,
    phase: stream.phase,
    replica,
    primary: stream.primary,
    mode,
    fullPerSecond: Number.NaN,
    bytesPerSecondWaiting: isHeld ? legs.bytesPerSecondWaiting : Number.NaN,
    sharedWrites: [],
    waitAtFastWriteUs: Number.NaN,
  };
}

/**
 * Both directions of a network with their sum. A direction is slow if no error of the clocks can make it fast, or if
 * both together exceed both limits: then one of them is over its own limit, however the clocks split them.
 */
function bothWays(out: WaitingRow, back: WaitingRow): [WaitingRow, WaitingRow] {
  const [outLimit, backLimit] = [stageDefinition("wireOut").limitUs, stageDefinition("wireBack").limitUs];
  const roundTripUs = out.servedUs + back.servedUs;
  const usualUs = (out.episode ?? out).servedUs + (back.episode ?? back).servedUs;
  const judged = (row: WaitingRow, limitUs: number): WaitingRow => ({
    ...row,
    roundTripUs,
    episode: row.episode && { ...row.episode, roundTripUs: usualUs },
    isSlow:
      row.isSlow ||
      row.servedUs - row.errorUs > limitUs ||
      (row.servedUs > limitUs && roundTripUs > outLimit + backLimit),
  });
  return [judged(out, outLimit), judged(back, backLimit)];
}

function sharedWritesOf(writer: LogWriter, waited: Float64Array): SharedWrites[] {
  const { start, end, first } = writer;
  const groups = countBlocks(first).map(({ writes, blocks }) => ({
    writeUs: new Float64Array(writes),
    waitedUs: new Float64Array(blocks),
    writes: 0,
    blocks: 0,
  }));
  for (let i = 0; i < start.length;) {
    const next = endOfWrite(first, i);
    const group = groups[Math.min(next - i, MOST_BLOCKS_NAMED) - 1];
    group.writeUs[group.writes++] = end[i] - start[i];
    for (; i < next; i++) group.waitedUs[group.blocks++] = waited[i];
  }
  return groups.map(({ writeUs, waitedUs, writes }, index) => ({
    blocks: index + 1,
    writes,
    writeUs: medianOf(writeUs),
    waitedUs: medianOf(waitedUs),
  }));
}

/** Writes and blocks by how many blocks share a write. */
function countBlocks(first: Uint8Array): { writes: number; blocks: number }[] {
  const counts = Array.from({ length: MOST_BLOCKS_NAMED }, () => ({ writes: 0, blocks: 0 }));
  for (let i = 0; i < first.length;) {
    const next = endOfWrite(first, i);
    const count = counts[Math.min(next - i, MOST_BLOCKS_NAMED) - 1];
    count.writes++;
    count.blocks += next - i;
    i = next;
  }
  return counts;
}

/** Index of the first block of the next write. */
function endOfWrite(first: Uint8Array, i: number): number {
  let next = i + 1;
  while (next < first.length && first[next] === 0) next++;
  return next;
}
