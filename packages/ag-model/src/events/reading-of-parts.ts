/** Gathers the facts of a file (`FileReading`) while its events are read. */
import type { FileReport } from "xel-parser/format";
import { EVENTS, EventKind, fireTime } from "./catalog.ts";
import type { EventColumns } from "./columns.ts";
import { MODES, type FileReading } from "./file-reading.ts";

const TICKS_PER_MS = 10_000;
/** 2^32 modulo 10,000: the upper word's part in a whole millisecond. */
const WORD_IN_MS = 2 ** 32 % TICKS_PER_MS;
const TICKS_PER_US = 10;
const WORD = 2 ** 32;
const SECTOR_BYTES = 512;
/**
 * After those events, only one of this many is checked for its time: to check each takes a third of the time to decode
 * it.
 */
const LATER_STEP = 8;
/** The map has two. */
const MOST_ACTIONS = 8;
const JUMP_US = 10_000_000;
/**
 * Largest number of log writes, and of acknowledgments, that are compared: more show no other fact, and each takes as
 * long as decoding an event.
 */
const MOST_WRITES = 20_000;
/** The same limit for starts of log writes whose ends are not in the file. */
const MOST_STARTS = 200_000;
/** Starts that wait for their end. */
const MOST_OPEN = 4_096;
/**
 * `duration` of log_flush_complete counts in whole ms; the counter's difference may round to the next one, and to one
 * more by a tick.
 */
const MS_SLACK_US = 2_000;
const US_PER_MS = 1_000;

/** Gathers the facts of one file from its events, which arrive in one or several parts. */
export class FileReadingOfParts {
  readonly #modes = new Uint32Array(EVENTS.length * MODES);
  readonly #lastBlock = new Map<number, bigint>();
  readonly #open = new Map<string, number>();
  #wholeMs = 0;
  #times = 0;
  #events = 0;
  #known = 0;
  #jumps = 0;
  #ahead = Number.NaN;
  #blocks = 0;
  #falling = 0;
  #pairs = 0;
  #inOrder = 0;
  #inMs = 0;
  readonly #ends = new Set<bigint>();
  readonly #firstEnds = new Map<string, bigint>();
  #acknowledgments = 0;
  #atBlockEnds = 0;
  readonly #controlActions = new Set<string>();

  /** @param columns in the order of the file */
  add(columns: ReadColumns): void {
    this.#countModes(columns);
    this.#compareTimes(columns);
    this.#noteActions(columns);
    this.#compareEnds(columns);
    this.#compareWrites(columns);
  }

  /**
   * An acknowledgment names the end of the hardened log: a block's id and its size, in units of 512 bytes. Blocks of a
   * database that were captured before the file's first one are in an earlier file.
   */
  #compareEnds({ kind, blockId, size, database, texts }: ReadColumns): void {
    for (let row = 0; row < kind.length; row++) {
      if (this.#acknowledgments >= MOST_WRITES || this.#ends.size >= MOST_STARTS) return;
      if (kind[row] === EventKind.capture && !Number.isNaN(size[row])) {
        const end = blockId[row] + BigInt(size[row] / SECTOR_BYTES);
        if (!this.#firstEnds.has(texts[database[row]])) this.#firstEnds.set(texts[database[row]], end);
        this.#ends.add(end);
      } else if (kind[row] === EventKind.receiveHarden) {
        const first = this.#firstEnds.get(texts[database[row]]);
        if (first === undefined || blockId[row] < first) continue;
        this.#acknowledgments++;
        if (this.#ends.has(blockId[row])) this.#atBlockEnds++;
      }
    }
  }

  #noteActions({ action, texts }: ReadColumns): void {
    if (this.#controlActions.size >= MOST_ACTIONS) return;
    for (let row = 0; row < action.length; row++)
      if (action[row] !== 0) this.#controlActions.add(texts[action[row]]);
  }

  #compareWrites(columns: ReadColumns): void {
    for (let row = 0; row < columns.kind.length; row++) {
      if (this.#pairs >= MOST_WRITES || this.#blocks >= MOST_STARTS) return;
      const kind = columns.kind[row];
      if (kind === EventKind.flushStart) this.#beginWrite(columns, row);
      else if (kind === EventKind.flushComplete) this.#endWrite(columns, row);
    }
  }

  reading({
    shape,
    unclaimed = [],
    numbers,
  }: Pick<FileReport, "shape" | "unclaimed" | "numbers">): FileReading {
    return {
      shape,
      unclaimed,
      ...(numbers === undefined ? {} : { numbers }),
      modes: [...this.#modes],
      times: this.#times,
      wholeMs: this.#wholeMs,
      events: this.#events,
      counters: { known: this.#known, jumps: this.#jumps },
      blockIds: { known: this.#blocks, falling: this.#falling },
      acknowledgments: { known: this.#acknowledgments, atBlockEnds: this.#atBlockEnds },
      controlActions: [...this.#controlActions],
      writes: { pairs: this.#pairs, inOrder: this.#inOrder, inMs: this.#inMs },
    };
  }

  #countModes({ kind, mode }: Pick<EventColumns, "kind" | "mode">): void {
    const modes = this.#modes;
    this.#events += kind.length;
    for (let row = 0; row < kind.length; row++) {
      const own = mode[row];
      modes[kind[row] * MODES + (own < MODES ? own : MODES - 1)]++;
    }
  }

  /** By the two words of publish times (little endian): calculations with bigints take ten times as long. */
  #compareTimes({
    kind,
    ticks,
    start,
    processing,
  }: Pick<EventColumns, "kind" | "ticks" | "start" | "processing">) {
    let before = this.#ahead;
    let jumps = 0;
    let known = 0;
    const low = new Uint32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
    for (let row = 0; row < kind.length; row += this.#times > MOST_WRITES ? LATER_STEP : 1) {
      this.#times++;
      const high = low[2 * row + 1];
      if (((high % TICKS_PER_MS) * WORD_IN_MS + low[2 * row]) % TICKS_PER_MS === 0) this.#wholeMs++;
      const fired = fireTime(kind[row], start[row], processing[row]);
      if (Number.isNaN(fired)) continue;
      const ahead = (high * WORD + low[2 * row]) / TICKS_PER_US - fired;
      const moved = ahead - before;
      if (moved > JUMP_US || moved < -JUMP_US) jumps++;
      before = ahead;
      known++;
    }
    this.#ahead = before;
    this.#jumps += jumps;
    this.#known += known;
  }

  #beginWrite({ blockId, databaseId, start }: FlushColumns, row: number): void {
    const [database, block] = [databaseId[row], blockId[row]];
    const last = this.#lastBlock.get(database);
    if (last !== undefined) {
      this.#blocks++;
      if (block < last) this.#falling++;
    }
    this.#lastBlock.set(database, block);
    if (Number.isNaN(start[row])) return;
    if (this.#open.size >= MOST_OPEN) this.#open.clear();
    this.#open.set(`${database}:${block}`, start[row]);
  }

  /** The unit of its duration shows by the counter: ms there, µs here (`catalog.ts` has it in µs). */
  #endWrite({ blockId, databaseId, start, processing }: FlushColumns, row: number): void {
    const key = `${databaseId[row]}:${blockId[row]}`;
    const began = this.#open.get(key);
    if (began === undefined || Number.isNaN(start[row])) return;
    this.#open.delete(key);
    this.#pairs++;
    const took = start[row] - began;
    if (took >= 0) this.#inOrder++;
    if (Number.isNaN(processing[row]) || Math.abs(processing[row] - took) <= MS_SLACK_US + took / US_PER_MS)
      this.#inMs++;
  }
}

/** Columns of the events that are read. */
type ReadColumns = Pick<
  EventColumns,
  | "kind"
  | "mode"
  | "ticks"
  | "start"
  | "processing"
  | "size"
  | "action"
  | "texts"
  | "blockId"
  | "databaseId"
  | "database"
>;

type FlushColumns = Pick<EventColumns, "blockId" | "databaseId" | "start" | "processing" | "kind">;
