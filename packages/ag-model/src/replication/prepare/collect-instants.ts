/**
 * Speed: decision 130: one pass of 22 to 40 ns per event. Without it the simple way is a pass per kind of event.
 *
 * Collects the instants of one server's blocks from its events, in one pass over the events in the order of the file.
 */
import { EventKind, type EventColumns } from "../../events/index.ts";
import { allRows, gatherFloat64, gatherInt32, gatherUint32, keepRows } from "../../numbers/index.ts";
import { earlierEvent } from "./acknowledgments.ts";
import { addTo, keepEarlier, keepLater, unknownColumn } from "../shapes/anchor-columns.ts";
import {
  ABSENT,
  OnPrimary,
  packInstants,
  PART_BLOCKS,
  unpackInstants,
  type InstantColumns,
  type InstantsOfBlocks,
  type OwnInstants,
  type PartnerColumns,
} from "./own-instants.ts";
import { NAMES_END, type SingleEvents } from "./single-events.ts";

/** Kinds of event that name the other replica as their partner; their instants are kept for each partner. */
const PARTNER_KINDS: readonly number[] = [EventKind.capture, EventKind.compression, EventKind.receiveHarden];

/** Events of one server with all columns that are needed to collect their instants. */
export interface CollectedEvents {
  readonly columns: Pick<EventColumns, "processing" | "size">;
  readonly shapeOf: Uint32Array;
  /** One event of each shape. */
  readonly examples: EventColumns;
  /** Number of each event's own block; -1 for none. */
  readonly blockOf: Int32Array;
  /** When each began and fired, µs of the server's counter; NaN where unknown. */
  readonly start: Float64Array;
  readonly fire: Float64Array;
  /** Number of each single event. */
  readonly singleOf: Int32Array;
  /** When single events began, by their numbers. */
  readonly singleStart: Float64Array;
  /** Publish time of each event, ticks after some fixed instant. */
  readonly published: Float64Array;
}

/**
 * Largest number of open blocks: a block's events arrive near each other, so that few belong to a block that is packed
 * already.
 */
const MOST_OPEN = 3 * PART_BLOCKS;
/** Number of events of packed blocks that may wait. */
const MOST_WAITING = 1 << 16;

/** Columns that all steps share. */
type Known = Pick<CollectedEvents, "examples" | "singleStart">;

/** Collects the instants of one server's events, which arrive in one or several parts. */
export class InstantsOfParts {
  readonly #parts: ReturnType<typeof packInstants>[] = [];
  #open: InstantsOfBlocks = roomFor(0, []);
  /** Number of the first open block; those before it are packed. */
  #first = 0;
  #blocks = 0;
  #waiting: CollectedEvents[] = [];
  #waitingEvents = 0;

  /**
   * Takes the next events. `withFires` adds an event with an unknown instant later, when its instant is known.
   * @param blocks number of blocks so far
   */
  add(events: CollectedEvents, blocks: number): void {
    this.#makeRoom(blocks, events.examples);
    const passed = collectInstants(events, this.#open, this.#first);
    if (passed.length === 0) return;
    this.#waiting.push(pickEvents(events, Uint32Array.from(passed)));
    this.#waitingEvents += passed.length;
    if (this.#waitingEvents >= MOST_WAITING) this.#takeWaiting(events);
  }

  finish(known: Known): OwnInstants {
    this.#takeWaiting(known);
    while (this.#blocks > this.#first) this.#packFirst();
    return { partners: this.#open.partners.map(({ text }) => text), parts: this.#parts };
  }

  #makeRoom(blocks: number, examples: EventColumns): void {
    while (blocks - this.#first > MOST_OPEN && this.#blocks - this.#first >= PART_BLOCKS) this.#packFirst();
    const has = this.#open.own.exists.length;
    const wanted = blocks - this.#first;
    const partners = partnerTexts(examples);
    this.#blocks = blocks;
    if (wanted <= has && partners.length === this.#open.partners.length) return;
    this.#open = withRoom(this.#open, wanted <= has ? has : Math.max(wanted, 2 * has), partners);
  }

  #packFirst(): void {
    const used = this.#blocks - this.#first;
    const packed = Math.min(PART_BLOCKS, used);
    this.#parts.push(packInstants(this.#open, packed));
    for (const columns of [this.#open.own, ...this.#open.partners.map((partner) => partner.columns)])
      for (const [name, column] of Object.entries(columns) as [keyof typeof ABSENT, Float64Array][]) {
        column.copyWithin(0, packed, used);
        column.fill(ABSENT[name], used - packed, used);
      }
    this.#first += packed;
  }

  /** Unpacks the blocks of each part for the events that arrived late, in the order of their arrival. */
  #takeWaiting(known: Known): void {
    const partOf = (block: number): number => Math.floor(block / PART_BLOCKS);
    const late = new Set(this.#waiting.flatMap(({ blockOf }) => Array.from(blockOf, partOf)));
    const partners = partnerTexts(known.examples);
    for (const part of late) {
      const room = roomFor(PART_BLOCKS, partners);
      unpackInstants(this.#parts[part], room);
      for (const events of this.#waiting) {
        const own = keepRows(allRows(events.blockOf.length), (i) => partOf(events.blockOf[i]) === part);
        collectInstants({ ...pickEvents(events, own), ...pickKnown(known) }, room, part * PART_BLOCKS);
      }
      this.#parts[part] = packInstants(room, PART_BLOCKS);
    }
    this.#waiting = [];
    this.#waitingEvents = 0;
  }
}

const pickKnown = ({ examples, singleStart }: Known): Known => ({ examples, singleStart });

const pickEvents = (events: CollectedEvents, rows: Uint32Array): CollectedEvents => ({
  ...events,
  columns: {
    processing: gatherFloat64(events.columns.processing, rows),
    size: gatherFloat64(events.columns.size, rows),
  },
  shapeOf: gatherUint32(events.shapeOf, rows),
  blockOf: gatherInt32(events.blockOf, rows),
  start: gatherFloat64(events.start, rows),
  fire: gatherFloat64(events.fire, rows),
  singleOf: gatherInt32(events.singleOf, rows),
  published: gatherFloat64(events.published, rows),
});

/**
 * Collects the instants of blocks from their events.
 * @param first number of the first block in `own` and `partners`, which have room for those after it
 * @returns the events of blocks before that
 */
function collectInstants(
  events: CollectedEvents,
  { own: to, partners }: InstantsOfBlocks,
  first: number,
): number[] {
  const { columns, shapeOf, examples, blockOf, start, fire, singleOf, singleStart, published } = events;
  const { processing, size } = columns;
  const { exists, onPrimary, seen, captured, uncompressed, primary } = to;
  const { flushStart, flushEnd, flushDuration, logPool, commitStart, commitEnd, groupStart } = to;
  const { commits, groupCommits, hardens, received, receivedInner, decompression } = to;
  const acksOfMode = [undefined, to.ackBuilt, to.ackInner, to.ackLeft];
  const { kind: kindOf, mode: modeOf } = examples;
  const isOfEnd = Uint8Array.from(kindOf, (kind) => NAMES_END[kind]);
  const partnerOf = Array.from(
    examples.partner,
    (named) => partners.find(({ text }) => text === named)?.columns,
  );
  const passed: number[] = [];
  for (let i = 0; i < blockOf.length; i++) {
    const block = blockOf[i] - first;
    if (block < 0) {
      if (blockOf[i] >= 0) passed.push(i);
      continue;
    }
    const shape = shapeOf[i];
    const began = start[i];
    if (isOfEnd[shape] === 0) keepEarlier(to.published, block, published[i]);
    switch (kindOf[shape]) {
      case EventKind.commit:
        onPrimary[block] |= OnPrimary.commit;
        keepEarlier(commitStart, block, began);
        keepLater(commitEnd, block, fire[i]);
        commits[block]++;
        break;
      case EventKind.groupCommit:
        keepEarlier(groupStart, block, began);
        groupCommits[block]++;
        break;
      case EventKind.commitManagerHarden:
        hardens[block]++;
        break;
      case EventKind.pushedToLogPool:
        exists[block] = 1;
        keepEarlier(logPool, block, began);
        break;
      case EventKind.flushStart:
        exists[block] = 1;
        seen[block] = 1;
        keepLater(flushStart, block, began);
        break;
      case EventKind.flushComplete:
        if (flushEnd[block] >= began || Number.isNaN(began)) break;
        flushEnd[block] = began;
        flushDuration[block] = processing[i];
        break;
      case EventKind.compression:
        if (!Number.isNaN(size[i])) uncompressed[block] = size[i];
        addCompression(partnerOf[shape], block, began, processing[i]);
        break;
      case EventKind.capture:
        if (modeOf[shape] === 2) exists[block] = 1;
        onPrimary[block] |= OnPrimary.capture;
        if (!Number.isNaN(size[i])) captured[block] = size[i];
        addCapture(partnerOf[shape], modeOf[shape], block, began, fire[i]);
        break;
      case EventKind.receiveHarden:
        onPrimary[block] |= OnPrimary.receiveHarden;
        addArrival(partnerOf[shape], modeOf[shape], block, singleOf[i], singleStart);
        break;
      case EventKind.transportReceive:
        exists[block] = 1;
        seen[block] = 1;
        if (modeOf[shape] === 2) keepLater(received, block, began);
        if (modeOf[shape] === 1) keepLater(receivedInner, block, began);
        if (primary[block] === 0) primary[block] = examples.partner[shape];
        break;
      case EventKind.decompression:
        if (!Number.isNaN(size[i])) uncompressed[block] = size[i];
        addTo(decompression, block, processing[i]);
        if (primary[block] === 0) primary[block] = examples.partner[shape];
        break;
      case EventKind.sendHarden:
        keepEarliestEvent(acksOfMode[modeOf[shape]], block, singleOf[i], singleStart);
        break;
    }
  }
  return passed;
}

function addCompression(to: PartnerColumns | undefined, block: number, began: number, took: number): void {
  if (to === undefined) return;
  keepLater(to.compressed, block, began);
  addTo(to.compression, block, took);
}

function addCapture(
  to: PartnerColumns | undefined,
  mode: number,
  block: number,
  began: number,
  fired: number,
): void {
  if (to === undefined) return;
  if (mode === 2) keepLater(to.copied, block, began);
  else if (mode === 4) keepLater(to.handedOn, block, began);
  else if (mode === 1) {
    keepLater(to.begin, block, began);
    keepLater(to.begun, block, fired);
  }
}

function addArrival(
  to: PartnerColumns | undefined,
  mode: number,
  block: number,
  event: number,
  start: Float64Array,
): void {
  if (to === undefined) return;
  if (mode === 2) keepEarliestEvent(to.ackOuter, block, event, start);
  else if (mode === 1) keepEarliestEvent(to.ackInner, block, event, start);
}

function keepEarliestEvent(
  column: Int32Array | undefined,
  block: number,
  event: number,
  start: Float64Array,
): void {
  if (column !== undefined) column[block] = earlierEvent(start, column[block], event);
}

/**
 * Adds the values that depend on when events fired, for events whose instant was unknown when instants were collected.
 * @param late these events, and `fire` when each of them fired, µs of the server's counter
 */
export function withFires(
  instants: OwnInstants,
  {
    examples,
    shapeOf,
    blockOf,
  }: Pick<CollectedEvents, "examples" | "blockOf"> & Pick<SingleEvents, "shapeOf">,
  late: Uint32Array,
  fire: Float64Array,
): OwnInstants {
  const isCommit = (shape: number): boolean => examples.kind[shape] === EventKind.commit;
  const isBegin = (shape: number): boolean =>
    examples.kind[shape] === EventKind.capture && examples.mode[shape] === 1;
  const shown = keepRows(allRows(late.length), (k) => {
    const shape = shapeOf[late[k]];
    return blockOf[late[k]] >= 0 && (isCommit(shape) || isBegin(shape));
  });
  const ofPart = Map.groupBy(shown, (k) => Math.floor(blockOf[late[k]] / PART_BLOCKS));
  const parts = instants.parts.map((part, index) => {
    const events = ofPart.get(index);
    if (events === undefined) return part;
    const room = roomFor(part.length, instants.partners);
    unpackInstants(part, room);
    for (const k of events) {
      const shape = shapeOf[late[k]];
      const block = blockOf[late[k]] - index * PART_BLOCKS;
      if (isCommit(shape)) keepLater(room.own.commitEnd, block, fire[k]);
      const partner = room.partners.find(({ text }) => text === examples.partner[shape]);
      if (isBegin(shape) && partner !== undefined) keepLater(partner.columns.begun, block, fire[k]);
    }
    return packInstants(room, part.length);
  });
  return { ...instants, parts };
}

function partnerTexts({ kind, partner }: EventColumns): number[] {
  const texts = new Set<number>();
  for (let i = 0; i < kind.length; i++)
    if (PARTNER_KINDS.includes(kind[i]) && partner[i] > 0) texts.add(partner[i]);
  return [...texts];
}

const emptyInstants = (blocks: number): InstantColumns => ({
  exists: new Uint8Array(blocks),
  onPrimary: new Uint8Array(blocks),
  seen: new Uint8Array(blocks),
  published: unknownColumn(blocks),
  primary: new Uint16Array(blocks),
  captured: unknownColumn(blocks),
  uncompressed: unknownColumn(blocks),
  flushStart: unknownColumn(blocks),
  flushEnd: unknownColumn(blocks),
  flushDuration: unknownColumn(blocks),
  logPool: unknownColumn(blocks),
  commitStart: unknownColumn(blocks),
  commitEnd: unknownColumn(blocks),
  groupStart: unknownColumn(blocks),
  commits: new Uint16Array(blocks),
  groupCommits: new Uint16Array(blocks),
  hardens: new Uint16Array(blocks),
  received: unknownColumn(blocks),
  receivedInner: unknownColumn(blocks),
  decompression: unknownColumn(blocks),
  ackBuilt: noEvents(blocks),
  ackInner: noEvents(blocks),
  ackLeft: noEvents(blocks),
});

const emptyPartner = (blocks: number): PartnerColumns => ({
  begin: unknownColumn(blocks),
  begun: unknownColumn(blocks),
  copied: unknownColumn(blocks),
  handedOn: unknownColumn(blocks),
  compressed: unknownColumn(blocks),
  compression: unknownColumn(blocks),
  ackOuter: noEvents(blocks),
  ackInner: noEvents(blocks),
});

const noEvents = (blocks: number): Int32Array => new Int32Array(blocks).fill(-1);

const roomFor = (blocks: number, partners: readonly number[]): InstantsOfBlocks => ({
  own: emptyInstants(blocks),
  partners: partners.map((text) => ({ text, columns: emptyPartner(blocks) })),
});

/** The same columns with room for more blocks, and with those of more partners. */
function withRoom(old: InstantsOfBlocks, blocks: number, partners: readonly number[]): InstantsOfBlocks {
  const room = roomFor(blocks, partners);
  putColumns(old.own, room.own);
  for (const { text, columns } of old.partners)
    putColumns(columns, room.partners.find((each) => each.text === text)!.columns);
  return room;
}

function putColumns<Columns extends InstantColumns | PartnerColumns>(from: Columns, to: Columns): void {
  for (const name of Object.keys(from) as (keyof Columns)[])
    (to[name] as Float64Array).set(from[name] as Float64Array);
}
