/**
 * File writes of one server and the log write that each belongs to. They split a log write into SQL Server's queue, the
 * device and the completion (docs/contribute/model/joins.md 3.8). No file write names a log block, so each belongs to
 * the log write of its database that is under way and whose place in the log file it has.
 */
import { EventKind, type EventColumns } from "../../events/index.ts";
import { GrowingColumn } from "../../numbers/index.ts";
import { TICKS_PER_US } from "../clocks/time.ts";
import { LOG_UNIT_BYTES, MOST_BLOCK_BYTES } from "../shapes/identity.ts";

/** Split log writes of a server, in the order of their ends. */
export interface FileWrites {
  /** Number of the own block; the last log write of a block counts. */
  readonly block: Int32Array;
  /** From the start of the log write until its first file write is enqueued, µs. */
  readonly queue: Float64Array;
  /** From the end of its last file write until the log write is done, µs. */
  readonly completion: Float64Array;
}

/** Events of a step, in the order of publish time. */
export interface WrittenEvents {
  readonly columns: EventColumns;
  /** One event of each shape so far. */
  readonly examples: EventColumns;
  /** Publish time of each event, ticks after some fixed instant. */
  readonly published: Float64Array;
}

/** A log write under way. */
interface OpenWrite {
  readonly block: number;
  readonly vlf: number;
  /** Where the block begins in its VLF, bytes. */
  readonly place: number;
  /** Publish time of its start, ticks; and start_timestamp, µs. */
  readonly from: number;
  readonly start: number;
  /** Publish times of the first enqueued and the last completed file write; NaN until then. */
  enqueued: number;
  completed: number;
  /** File writes that were enqueued and are not complete. */
  pending: number;
}

/** Where a VLF begins: number of the log file, and bytes from its beginning. */
interface VlfPlace {
  readonly file: number;
  readonly at: number;
}

interface LogOfDatabase {
  readonly open: OpenWrite[];
  /** Numbers of its log files, as far as known. */
  readonly files: Set<number>;
  readonly vlfs: Map<number, VlfPlace>;
  /** Where a VLF would begin if a file write were of a log write under way: the block of the last one, by that place. */
  readonly candidates: Map<string, number>;
  /** File writes that are enqueued, by file and place. */
  readonly enqueued: Map<string, OpenWrite>;
}

/** The primary data file of each database has this number, so no log file has it. */
const PRIMARY_DATA_FILE = 1;
/** Where the first block of a VLF begins, after the VLF's header. */
const FIRST_PLACE = 16 * LOG_UNIT_BYTES;
/** Log writes of a database that SQL Server has under way at once, with a reserve; older ones lost their end. */
const MOST_OPEN = 256;
const MOST_VLFS = 64;
const MOST_CANDIDATES = 4_096;
/** File writes under way of the open log writes, with a reserve; older ones lost their end. */
const MOST_ENQUEUED = 4_096;
/** Publish times that follow the counter differ from it by less than this within a log write, µs. */
const MOST_OFF_US = 100;
/** If fewer log writes have such publish times, these are too coarse to split a log write. */
const LEAST_EXACT_SHARE = 0.9;

const newLog = (): LogOfDatabase => ({
  open: [],
  files: new Set(),
  vlfs: new Map(),
  candidates: new Map(),
  enqueued: new Map(),
});

/** Finds the log write of each file write of one server, whose events arrive in one or several parts. */
export class FileWritesOfParts {
  readonly #logs = new Map<number, LogOfDatabase>();
  readonly #block = new GrowingColumn(Int32Array);
  readonly #queue = new GrowingColumn(Float64Array);
  readonly #completion = new GrowingColumn(Float64Array);
  #compared = 0;
  #exact = 0;

  /** @param blockOf own block of each event; the block of a file write is put there */
  add({ columns, examples, published }: WrittenEvents, blockOf: Int32Array): void {
    if (!examples.kind.includes(EventKind.fileWriteEnqueued)) return;
    const { kind, databaseId } = columns;
    for (let i = 0; i < kind.length; i++) {
      if (kind[i] === EventKind.flushStart) {
        if (blockOf[i] >= 0) this.#begin(this.#logOf(databaseId[i]), columns, i, blockOf[i], published[i]);
        continue;
      }
      const log = this.#logs.get(databaseId[i]);
      if (log === undefined) continue;
      if (kind[i] === EventKind.fileWriteEnqueued)
        putBlock(blockOf, i, enqueue(log, columns.mode[i], columns.size[i], published[i]));
      else if (kind[i] === EventKind.fileWriteCompleted)
        putBlock(blockOf, i, complete(log, columns.mode[i], columns.size[i], published[i]));
      else if (kind[i] === EventKind.flushComplete)
        this.#end(log, blockOf[i], columns.start[i], published[i]);
    }
  }

  #logOf(database: number): LogOfDatabase {
    let log = this.#logs.get(database);
    if (log === undefined) this.#logs.set(database, (log = newLog()));
    return log;
  }

  #begin(
    { open }: LogOfDatabase,
    { blockId, start }: EventColumns,
    i: number,
    block: number,
    from: number,
  ): void {
    if (open.length >= MOST_OPEN) open.shift();
    open.push({
      block,
      vlf: Number(blockId[i] >> 32n),
      place: Number(blockId[i] & 0xffff_ffffn) * LOG_UNIT_BYTES,
      from,
      start: start[i],
      enqueued: Number.NaN,
      completed: Number.NaN,
      pending: 0,
    });
  }

  #end({ open, vlfs }: LogOfDatabase, block: number, end: number, published: number): void {
    const index = open.findIndex((write) => write.block === block);
    if (index < 0) return;
    const [write] = open.splice(index, 1);
    // A log write without a file write: its VLF begins elsewhere than the first one seen there showed.
    if (Number.isNaN(write.enqueued)) {
      vlfs.delete(write.vlf);
      // The parts of the header's write before it are not its own.
      if (write.place === FIRST_PLACE) this.#put(block, write, published);
      return;
    }
    const offUs = (published - write.from) / TICKS_PER_US - (end - write.start);
    if (!Number.isNaN(offUs)) this.#compared++;
    if (Math.abs(offUs) <= MOST_OFF_US) this.#exact++;
    this.#put(block, write, published);
  }

  /** A log write whose file writes are not all known has no parts. */
  #put(block: number, { enqueued, from, completed, pending }: OpenWrite, published: number): void {
    const isKnown = pending === 0;
    this.#block.add([block]);
    this.#queue.add([isKnown ? (enqueued - from) / TICKS_PER_US : Number.NaN]);
    this.#completion.add([isKnown ? (published - completed) / TICKS_PER_US : Number.NaN]);
  }

  /** None where publish times are too coarse, or no counter shows that they are not. */
  finish(): FileWrites {
    if (this.#compared === 0 || this.#exact < this.#compared * LEAST_EXACT_SHARE) return noFileWrites();
    return {
      block: this.#block.values(),
      queue: this.#queue.values(),
      completion: this.#completion.values(),
    };
  }
}

/** Its own memory each time, as that of events moves to another thread. */
const noFileWrites = (): FileWrites => ({
  block: new Int32Array(),
  queue: new Float64Array(),
  completion: new Float64Array(),
});

function putBlock(blockOf: Int32Array, i: number, write: OpenWrite | null): void {
  if (write !== null) blockOf[i] = write.block;
}

function enqueue(log: LogOfDatabase, file: number, at: number, published: number): OpenWrite | null {
  const write = ownerOf(log, file, at);
  if (write === null) return null;
  if (Number.isNaN(write.enqueued)) write.enqueued = published;
  write.pending++;
  const [oldest] = log.enqueued.size >= MOST_ENQUEUED ? log.enqueued.keys() : [];
  if (oldest !== undefined) log.enqueued.delete(oldest);
  log.enqueued.set(`${file} ${at}`, write);
  return write;
}

function complete(log: LogOfDatabase, file: number, at: number, published: number): OpenWrite | null {
  const key = `${file} ${at}`;
  const write = log.enqueued.get(key);
  if (write === undefined) return null;
  log.enqueued.delete(key);
  write.pending--;
  write.completed = published;
  return write;
}

/** The log write of a file write; null for one of no log write under way. */
function ownerOf(log: LogOfDatabase, file: number, at: number): OpenWrite | null {
  if (file === PRIMARY_DATA_FILE || Number.isNaN(at)) return null;
  let owner: OpenWrite | null = null;
  for (const write of log.open) {
    const vlf = log.vlfs.get(write.vlf);
    if (vlf?.file !== file || !isWithin(write, at - vlf.at)) continue;
    if (owner === null || write.place > owner.place) owner = write;
  }
  return owner ?? ownerInNewVlf(log, file, at);
}

/** The first file write of a block begins where the block begins. @param at bytes from the beginning of the VLF */
function isWithin({ place, enqueued }: OpenWrite, at: number): boolean {
  if (!Number.isNaN(enqueued)) return at > place && at < place + MOST_BLOCK_BYTES;
  // The header of a VLF is written before its first block, under that block's id.
  return at === place || (at === 0 && place === FIRST_PLACE);
}

/**
 * The only log write that the file write can be of, where nothing shows yet where its VLF begins: it shows that for the
 * next ones. In a file that is not known as a log file, two blocks have to show the same beginning.
 */
function ownerInNewVlf(log: LogOfDatabase, file: number, at: number): OpenWrite | null {
  const { open, files, vlfs } = log;
  const waiting = open.filter(({ enqueued, vlf }) => Number.isNaN(enqueued) && !vlfs.has(vlf));
  const write = files.has(file)
    ? waiting.length === 1
      ? waiting[0]
      : undefined
    : waiting.find((each) => isRepeated(log, each, file, at - each.place));
  if (write === undefined) return null;
  files.add(file);
  // A VLF's first block is written after its header, so that only the next block shows where the VLF begins.
  if (write.place !== FIRST_PLACE && at >= write.place) {
    if (vlfs.size >= MOST_VLFS) vlfs.clear();
    vlfs.set(write.vlf, { file, at: at - write.place });
  }
  return write;
}

/** Whether another block has shown the same beginning of its VLF. @param at that beginning in the file, bytes */
function isRepeated(
  { candidates }: LogOfDatabase,
  { vlf, block }: OpenWrite,
  file: number,
  at: number,
): boolean {
  const key = `${vlf} ${file} ${at}`;
  const before = candidates.get(key);
  if (candidates.size >= MOST_CANDIDATES) candidates.clear();
  candidates.set(key, block);
  return before !== undefined && before !== block;
}
