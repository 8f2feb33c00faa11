/** Prepares the part of one replica's events that the joins need and that depends on nothing else. */
import {
  eventsBetween,
  fireTime,
  gatherEvents,
  IdsOfParts,
  joinColumns,
  mergeColumns,
  PartNumbers,
  putTicksAfter,
  rowsByKind,
  RowsOfKinds,
  ShapeNumbers,
  type EventColumns,
  type EventFile,
} from "../../events/index.ts";
import type { UniqueIds } from "./ascending-ids.ts";
import { InstantsOfParts, type CollectedEvents } from "./collect-instants.ts";
import { CounterRestarts, type CounterRestart } from "./counter-restarts.ts";
import { IdNumbers, wordsOf } from "./event-ids.ts";
import { FileWritesOfParts, type FileWrites } from "./file-writes.ts";
import { PlacesOfParts, type EventPlaces, type KeptPlaces } from "./event-places.ts";
import { OwnBlockNumbers, type OwnBlocks } from "./own-blocks.ts";
import {
  DatabaseFinder,
  type KnownDatabases,
  type OwnDatabases,
  type VotingEvents,
} from "./own-databases.ts";
import type { OwnInstants } from "./own-instants.ts";
import {
  flagSingle,
  numberSingle,
  SingleEventsOfParts,
  type SingleColumns,
  type SingleEvents,
} from "./single-events.ts";
import { rowsOfTrueTimes } from "./stray-times.ts";
import { UtcSampler, type UtcSample } from "../clocks/utc-sample.ts";

/** All input of a model: plain values and typed arrays, so that a thread can move them to another without a copy. */
export interface PreparedEvents {
  /** How many events there were. */
  readonly length: number;
  /** Publish times of the first and the last one, FILETIME ticks; 0 without any. */
  readonly firstTicks: bigint;
  readonly lastTicks: bigint;
  /** The engine writes no start_timestamp (before KB3173156): all events are single then. */
  readonly withoutCounter: boolean;
  /** Number of skipped events, whose time can't be true (`stray-times.ts`). */
  readonly strays: number;
  /** Where the counter began again and was moved, in order of time. */
  readonly restarts: readonly CounterRestart[];
  /** Number of ids that were removed from events, because damage made them (`possible-ids.ts`). */
  readonly idsLeftOut: number;
  readonly files: readonly EventFile[];
  /** One event of each shape (`shapes.ts`). */
  readonly examples: EventColumns;
  /** Each log_block_id, once and ascending. */
  readonly ids: UniqueIds;
  readonly databases: OwnDatabases;
  readonly blocks: OwnBlocks;
  readonly instants: OwnInstants;
  readonly fileWrites: FileWrites;
  readonly single: SingleEvents;
  readonly utc: UtcSample;
  readonly places: EventPlaces;
}

/** Prepares the events of one replica: a function of its columns alone. @throws ImpossibleIds @param columns the replica's in full, after `mergeColumns` */
export const prepareEvents = (columns: EventColumns, kept: KeptPlaces = {}): PreparedEvents =>
  prepareParts([columns], kept);

/**
 * Prepares the events of one replica from several files. @param parts of a file each, in the order of their first
 * events
 */
export function prepareParts(parts: readonly EventColumns[], kept: KeptPlaces = {}): PreparedEvents {
  const expected = parts.reduce((sum, { length }) => sum + length, 0);
  for (let known: KnownOfEvents = {}; ;) {
    const preparation = new Preparation(expected, kept, known);
    if (!parts.every((part) => preparation.add(part))) return prepareEvents(mergeColumns(parts), kept);
    const prepared = preparation.finish();
    if (prepared !== null) return prepared;
    known = preparation.known;
  }
}

/** Rollover files of one replica, read one after the other. */
export interface FilesInTurn {
  /**
   * Reads each file's events, in one or several pieces (`readEventPieces`): files in the order of their first events, the next while one is
   * prepared, and all again where that is needed.
   */
  readonly files: readonly (() => AsyncIterable<EventColumns>)[];
  /** Approximate number of their events. */
  readonly events: number;
  /** Called when these columns are no longer needed. */
  readonly release?: (columns: EventColumns) => void;
  /** A piece is overwritten by the next one, which is requested when the piece is no longer needed. */
  readonly reusesMemory?: boolean;
  readonly kept?: KeptPlaces;
}

/** Prepares the events of one replica piece by piece, so that no more than two pieces' columns are in memory at once. @throws ImpossibleIds */
export async function prepareInTurn(from: FilesInTurn): Promise<PreparedEvents> {
  return (await prepareInOrder(from)) ?? prepareTogether(from);
}

/** The same, of pieces in the order of publish time; null where one begins before the one before it ended. */
export async function prepareInOrder(from: FilesInTurn): Promise<PreparedEvents | null> {
  const { events, kept = {} } = from;
  for (let known: KnownOfEvents = {}; ;) {
    const preparation = new Preparation(events, kept, known);
    // oxlint-disable-next-line no-await-in-loop -- what one preparation shows is what the next begins with
    if (!(await addInTurn(preparation, from))) return null;
    const prepared = preparation.finish();
    if (prepared !== null) return prepared;
    known = preparation.known;
  }
}

/** @returns false where a piece begins before the one before it ended */
async function addInTurn(preparation: Preparation, from: FilesInTurn): Promise<boolean> {
  const pieces = piecesOf(from.files);
  for await (const columns of from.reusesMemory === true ? pieces : ahead(pieces)) {
    const isInOrder = preparation.add(columns);
    from.release?.(columns);
    if (!isInOrder) return false;
  }
  return true;
}

async function* piecesOf(files: FilesInTurn["files"]): AsyncGenerator<EventColumns> {
  for (const read of files) yield* read();
}

/** The same items; the next one is requested before one is used. */
async function* ahead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let next = items.next();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the purpose
      const { done, value } = await next;
      if (done === true) return;
      next = items.next();
      // The next `await` reports a failure; without this line a failure would be unhandled after the last item is
      // taken.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await items.return(undefined).catch(() => {});
  }
}

async function prepareTogether({ files, release, reusesMemory, kept }: FilesInTurn): Promise<PreparedEvents> {
  const parts: EventColumns[] = [];
  for await (const columns of piecesOf(files))
    parts.push(reusesMemory === true ? joinColumns([columns]) : columns);
  const prepared = prepareEvents(mergeColumns(parts), kept);
  for (const part of parts) release?.(part);
  return prepared;
}

/** Largest number of events per step: the columns that are computed from them stay in the processor's cache. */
const STEP = 16_384;
/** After this many events their mixture shows how much of each kind a capture has. */
const FORESEEN = 8 * STEP;
/** Factor of room beyond the estimate. */
const SPARE = 1.02;

/**
 * Results of one preparation for the next one of the same events: once for ids to skip, and once more for databases.
 */
interface KnownOfEvents {
  readonly databases?: KnownDatabases;
  readonly idsLeftOut?: ReadonlySet<string>;
}

/**
 * Prepares the events of one replica part by part, in the order of publish time. It keeps only the data of a part that
 * the joins need; the part's columns are not needed afterwards.
 */
class Preparation {
  readonly #shapes = new ShapeNumbers();
  readonly #ids = new IdNumbers();
  readonly #databases: DatabaseFinder;
  readonly #blocks = new OwnBlockNumbers();
  readonly #fileWrites = new FileWritesOfParts();
  readonly #single = new SingleEventsOfParts();
  readonly #utc = new UtcSampler();
  readonly #places: PlacesOfParts;
  readonly #step = new StepColumns();
  readonly #numbers: PartNumbers;
  readonly #expected: number;
  readonly #instants = new InstantsOfParts();
  #databaseOfShape: Int16Array = new Int16Array();
  #firstTicks = 0n;
  #lastTicks = 0n;
  #length = 0;
  #hasCounter = false;
  #strays = 0;
  readonly #restarts = new CounterRestarts();
  #idsLeftOut: ReadonlySet<string>;
  /** Whether a preparation that had known the ids to skip would have begun differently. */
  #hasIdsOfDamage = false;

  /** @param expected approximate number of events */
  constructor(expected: number, kept: KeptPlaces, { databases, idsLeftOut = new Set() }: KnownOfEvents) {
    this.#expected = expected;
    this.#places = new PlacesOfParts(kept);
    this.#databases = new DatabaseFinder(databases);
    this.#numbers = new PartNumbers(idsLeftOut);
    this.#idsLeftOut = idsLeftOut;
  }

  /** Results that the next preparation begins with, where this one began with wrong ones. */
  get known(): KnownOfEvents {
    const idsLeftOut = this.#idsLeftOut;
    return this.#hasIdsOfDamage ? { idsLeftOut } : { idsLeftOut, databases: this.#databases.known };
  }

  /**
   * Takes the next events. @throws ImpossibleIds @returns false, and takes none, where the first was published before
   * the last one so far
   */
  add(columns: EventColumns): boolean {
    const { length, ticks } = columns;
    if (this.#length > 0 && length > 0 && ticks[0] < this.#lastTicks) return false;
    const inOwnNumbers = this.#numbers.next(columns);
    if (this.#length === 0) this.#firstTicks = ticks[0] ?? 0n;
    const step = Math.ceil(length / Math.ceil(length / STEP));
    for (let from = 0; from < length; from += step)
      this.#addStep(inOwnNumbers(eventsBetween(columns, from, Math.min(from + step, length))));
    this.#lastTicks = ticks.at(-1) ?? this.#lastTicks;
    return true;
  }

  /** Adds the events of a step; events whose time can't be true are skipped. */
  #addStep(inFile: EventColumns): void {
    const { length } = inFile;
    const { shapeOf, numberOf, blockOf, fire, isSingle, singleOf, published } = this.#step.of(length);
    putFires(inFile, inFile.start, fire);
    putTicksAfter(inFile.ticks, this.#firstTicks, published);
    const trueTimes = rowsOfTrueTimes(fire, published);
    if (trueTimes !== null) {
      this.#strays += length - trueTimes.length;
      return this.#addStep(gatherEvents(inFile, trueTimes));
    }
    const start = this.#restarts.moved(inFile.start, fire, published);
    const columns = start === inFile.start ? inFile : { ...inFile, start };
    this.#shapes.of(columns, shapeOf);
    this.#ids.of(wordsOf(columns.blockId), numberOf);
    const ids = this.#ids.length;
    const examples = this.#shapes.examples();
    if (examples.length > this.#databaseOfShape.length) this.#idsOf(examples);
    this.#databases.add({ columns, examples, rowsOf: new RowsOfKinds(rowsByKind(columns)), numberOf, ids });
    this.#learnShapes();
    if (this.#length >= FORESEEN && this.#length < FORESEEN + STEP) this.#reserve();
    this.#blocks.of(numberOf, ids, shapeOf, this.#databaseOfShape, blockOf);
    this.#fileWrites.add({ columns, examples, published }, blockOf);
    flagSingle(columns, fire, isSingle);
    this.#places.add(blockOf, fire, columns, isSingle);
    numberSingle(isSingle, this.#single.length, singleOf);
    this.#single.add({ columns, shapeOf, blockOf, fire, published }, isSingle);
    const { start: singleStart } = this.#single;
    this.#instants.add(
      { columns, shapeOf, examples, blockOf, start, fire, singleOf, singleStart, published },
      this.#blocks.length,
    );
    this.#utc.add(fire, published);
    this.#hasCounter ||= !start.every((at) => Number.isNaN(at));
    this.#length += length;
  }

  /** @throws ImpossibleIds where the events so far name far more ids than a server can have */
  #idsOf(examples: EventColumns): IdsOfParts {
    const ids = new IdsOfParts();
    ids.add(examples, this.#shapes.events);
    return ids;
  }

  /** Estimated total number, from the number so far. */
  #inAll(soFar: number): number {
    return Math.ceil((SPARE * soFar * this.#expected) / this.#length);
  }

  /** Growing columns are copied, so room is reserved once, as soon as their final length can be estimated. */
  #reserve(): void {
    this.#single.reserve(this.#inAll(this.#single.length));
    const ids = this.#inAll(this.#ids.length);
    this.#ids.reserve(ids);
    this.#blocks.reserve(this.#inAll(this.#blocks.length), ids);
  }

  /** The database of each new shape by the events so far; `finish` detects when later events show another. */
  #learnShapes(): void {
    const examples = this.#shapes.examples();
    const known = this.#databaseOfShape;
    if (examples.length === known.length) return;
    const { ofShape } = this.#databases.databases(examples);
    ofShape.set(known);
    this.#databaseOfShape = ofShape;
  }

  /**
   * Returns the prepared events; null if the preparation has to begin again with `known`, because late events showed
   * that earlier ones belong to another database, or that ids are due to damage.
   * @throws ImpossibleIds
   */
  finish(): PreparedEvents | null {
    const examples = this.#shapes.examples();
    const ofDamage = this.#idsOf(examples).ofDamage();
    if (ofDamage.size > 0) {
      this.#idsLeftOut = new Set([...this.#idsLeftOut, ...ofDamage]);
      this.#hasIdsOfDamage = true;
      return null;
    }
    const databases = this.#databases.databases(examples);
    if (databases.ofShape.some((database, shape) => database !== this.#databaseOfShape[shape])) return null;
    const { high, low, place } = this.#ids.ascending();
    // Examples have no texts of actions from the last parts; these are no part of a shape.
    const single = this.#single.finish(this.#numbers.texts);
    return {
      length: this.#length,
      firstTicks: this.#firstTicks,
      lastTicks: this.#lastTicks,
      withoutCounter: !this.#hasCounter,
      strays: this.#strays,
      restarts: this.#restarts.found,
      idsLeftOut: this.#idsLeftOut.size,
      files: this.#numbers.files,
      examples,
      ids: { high, low },
      databases,
      blocks: this.#blocks.blocks(place),
      instants: this.#instants.finish({ examples, singleStart: this.#single.start }),
      fileWrites: this.#fileWrites.finish(),
      single,
      utc: this.#utc.sample(),
      places: this.#places.finish(),
    };
  }
}

/** Columns that are computed from the events of a step; reused for the next step. */
class StepColumns {
  readonly #shapeOf = new Uint32Array(STEP);
  readonly #numberOf = new Uint32Array(STEP);
  readonly #blockOf = new Int32Array(STEP);
  readonly #fire = new Float64Array(STEP);
  readonly #isSingle = new Uint8Array(STEP);
  readonly #singleOf = new Int32Array(STEP);
  readonly #published = new Float64Array(STEP);

  of(
    length: number,
  ): Pick<CollectedEvents, "shapeOf" | "blockOf" | "fire" | "singleOf" | "published"> &
    Pick<VotingEvents, "numberOf"> & { readonly isSingle: Uint8Array } {
    return {
      shapeOf: this.#shapeOf.subarray(0, length),
      numberOf: this.#numberOf.subarray(0, length),
      blockOf: this.#blockOf.subarray(0, length),
      fire: this.#fire.subarray(0, length),
      isSingle: this.#isSingle.subarray(0, length),
      singleOf: this.#singleOf.subarray(0, length),
      published: this.#published.subarray(0, length),
    };
  }
}

type FiringColumns = Pick<SingleColumns, "kind" | "processing" | "length">;

/** When each event fired, µs of the server's counter; NaN where unknown. @param start of each event */
export function firesOf(columns: FiringColumns, start: Float64Array): Float64Array {
  const fire = new Float64Array(columns.length);
  putFires(columns, start, fire);
  return fire;
}

function putFires(
  { kind, processing, length }: FiringColumns,
  start: Float64Array,
  fire: Float64Array,
): void {
  for (let i = 0; i < length; i++) fire[i] = fireTime(kind[i], start[i], processing[i]);
}
