/**
 * What one server's events show of each of its blocks (`own-blocks.ts`), collected in one pass over the events in the order of the file. It needs
 * no other server's events: which of it counts, as the primary's or as a secondary's, is for the joins to say, which then work by block
 * and look at few events one by one (`single-events.ts`).
 */
import { EventKind, type EventColumns } from "../events/index.ts";
import { earlierEvent } from "./acknowledgements.ts";
import { widened } from "../numbers/index.ts";
import { addTo, keepEarlier, keepLater, unknownColumn } from "./anchor-columns.ts";
import { NAMES_END, type SingleEvents } from "./single-events.ts";

/** By own block; instants are µs of the server's counter, NaN for none, single events (`single-events.ts`) -1 for none. */
export interface OwnInstants {
  /** 1 where an event shows that the block exists (docs/model.md 2.4). */
  readonly exists: Uint8Array;
  /** Kinds that only the block's primary has, as bits of `OnPrimary`. */
  readonly onPrimary: Uint8Array;
  /** 1 for a block that was received or written. */
  readonly seen: Uint8Array;
  /** Publish time of the first event that names the block by its beginning, ticks after some fixed instant; NaN for none. */
  readonly published: Float64Array;
  /** Text by which the first receive or decompression names the block's primary; 0 for none. */
  readonly from: Uint16Array;
  /** Bytes by the last capture, and by the last event of compression or decompression; NaN for none. */
  readonly captured: Float64Array;
  readonly uncompressed: Float64Array;
  /** Latest log_flush_start; latest log_flush_complete with its duration, and the earliest log_block_pushed_to_logpool. */
  readonly flushStart: Float64Array;
  readonly flushEnd: Float64Array;
  readonly flushDuration: Float64Array;
  readonly logPool: Float64Array;
  /** Earliest start and latest end of a commit, the earliest start of a group commit, and how many events of each kind there are. */
  readonly commitStart: Float64Array;
  readonly commitEnd: Float64Array;
  readonly groupStart: Float64Array;
  readonly commits: Uint16Array;
  readonly groupCommits: Uint16Array;
  readonly hardens: Uint16Array;
  /** First receive of mode 2, and of mode 1. */
  readonly received: Float64Array;
  readonly receivedInner: Float64Array;
  /** Sum of processing_time. */
  readonly decompression: Float64Array;
  /** Earliest hadr_send_harden_lsn_message of modes 1, 2 and 3. */
  readonly ackBuilt: Int32Array;
  readonly ackInner: Int32Array;
  readonly ackLeft: Int32Array;
  /** What concerns one other replica, by the text in the `partner` column. */
  readonly partners: readonly OwnPartner[];
}

/** What a server's events show of its blocks on the way to one other replica and back. */
export interface OwnPartner {
  /** Number of its text. */
  readonly text: number;
  /** Earliest capture of mode 1, and the earliest end of one. */
  readonly begin: Float64Array;
  readonly begun: Float64Array;
  /** Earliest capture of mode 2, latest of mode 4. */
  readonly copied: Float64Array;
  readonly handedOn: Float64Array;
  /** Earliest compression, and the sum of processing_time. */
  readonly compressed: Float64Array;
  readonly compression: Float64Array;
  /** Earliest hadr_receive_harden_lsn_message of modes 2 and 1. */
  readonly ackOuter: Int32Array;
  readonly ackInner: Int32Array;
}

/** Kinds of event that a server only has of blocks of which it is the primary. */
export const OnPrimary = { capture: 1, commit: 2, receiveHarden: 4 } as const;

/** Kinds of event that name the other replica as their partner, of which instants are kept for each. */
const PARTNER_KINDS: readonly number[] = [EventKind.capture, EventKind.compression, EventKind.receiveHarden];

/** Events of one server with all that is needed to collect what they show. */
export interface CollectedEvents {
  readonly columns: Pick<EventColumns, "processing" | "size">;
  readonly shapeOf: Uint32Array;
  /** One event of each shape. */
  readonly examples: EventColumns;
  /** Number of each event's own block; -1 for none. */
  readonly blockOf: Int32Array;
  /** When each began and fired, µs of the server's counter; NaN where that is not known. */
  readonly start: Float64Array;
  readonly fire: Float64Array;
  /** 1 for each single event. */
  readonly isSingle: Uint8Array;
  /** Number of the first single event among these. */
  readonly firstSingle: number;
  /** When single events began, by their numbers. */
  readonly singleStart: Float64Array;
  /** Publish time of each event, ticks after some fixed instant. */
  readonly published: Float64Array;
}

/**
 * Collects what events show of their blocks. An event of which it is not known when it fired is added by `addFires` when it is.
 * @param to what the events before showed, with room for the blocks of these (`roomForInstants`)
 */
export function collectInstants(events: CollectedEvents, to: OwnInstants): void {
  const { columns, shapeOf, examples, blockOf, start, fire, isSingle, singleStart, published } = events;
  const { processing, size } = columns;
  const { exists, onPrimary, seen, captured, uncompressed, from } = to;
  const { flushStart, flushEnd, flushDuration, logPool, commitStart, commitEnd, groupStart } = to;
  const { commits, groupCommits, hardens, received, receivedInner, decompression } = to;
  const acksOfMode = [undefined, to.ackBuilt, to.ackInner, to.ackLeft];
  const { kind: kindOf, mode: modeOf } = examples;
  const isOfEnd = Uint8Array.from(kindOf, (kind) => NAMES_END[kind]);
  const partnerOf = Array.from(examples.partner, (named) => to.partners.find(({ text }) => text === named));
  let single = events.firstSingle - 1;
  for (let i = 0; i < blockOf.length; i++) {
    single += isSingle[i];
    const block = blockOf[i];
    if (block < 0) continue;
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
        addArrival(partnerOf[shape], modeOf[shape], block, single, singleStart);
        break;
      case EventKind.transportReceive:
        exists[block] = 1;
        seen[block] = 1;
        if (modeOf[shape] === 2 && Number.isNaN(received[block])) received[block] = began;
        if (modeOf[shape] === 1 && Number.isNaN(receivedInner[block])) receivedInner[block] = began;
        if (from[block] === 0) from[block] = examples.partner[shape];
        break;
      case EventKind.decompression:
        if (!Number.isNaN(size[i])) uncompressed[block] = size[i];
        addTo(decompression, block, processing[i]);
        if (from[block] === 0) from[block] = examples.partner[shape];
        break;
      case EventKind.sendHarden:
        keepEarliestEvent(acksOfMode[modeOf[shape]], block, single, singleStart);
        break;
    }
  }
}

function addCompression(to: OwnPartner | undefined, block: number, began: number, took: number): void {
  if (to === undefined) return;
  keepEarlier(to.compressed, block, began);
  addTo(to.compression, block, took);
}

function addCapture(
  to: OwnPartner | undefined,
  mode: number,
  block: number,
  began: number,
  fired: number,
): void {
  if (to === undefined) return;
  if (mode === 2) keepEarlier(to.copied, block, began);
  else if (mode === 4) keepLater(to.handedOn, block, began);
  else if (mode === 1) {
    keepEarlier(to.begin, block, began);
    keepEarlier(to.begun, block, fired);
  }
}

function addArrival(
  to: OwnPartner | undefined,
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
 * Adds what depends on when events fired, for those of which that was not known when instants were collected.
 * @param late these events, and `fire` when each of them fired, µs of the server's counter
 */
export function addFires(
  to: OwnInstants,
  {
    examples,
    shapeOf,
    blockOf,
  }: Pick<CollectedEvents, "examples" | "blockOf"> & Pick<SingleEvents, "shapeOf">,
  late: Uint32Array,
  fire: Float64Array,
): void {
  for (let k = 0; k < late.length; k++) {
    const block = blockOf[late[k]];
    if (block < 0) continue;
    const shape = shapeOf[late[k]];
    const kind = examples.kind[shape];
    if (kind === EventKind.commit) keepLater(to.commitEnd, block, fire[k]);
    if (kind !== EventKind.capture || examples.mode[shape] !== 1) continue;
    const partner = to.partners.find(({ text }) => text === examples.partner[shape]);
    if (partner !== undefined) keepEarlier(partner.begun, block, fire[k]);
  }
}

/** What no event has shown yet. */
export const noInstants = (): OwnInstants => ({ ...emptyInstants(0), partners: [] });

/**
 * The same instants with room for more blocks, and for the partners that more shapes of events name.
 * @param examples one event of each shape
 * @param wanted room for so many, where it has to grow
 */
export function roomForInstants(
  instants: OwnInstants,
  blocks: number,
  examples: EventColumns,
  wanted = 0,
): OwnInstants {
  const has = instants.exists.length;
  const partners = partnerTexts(examples);
  if (blocks <= has && partners.length === instants.partners.length) return instants;
  const room = blocks <= has ? has : Math.max(blocks, wanted, has + (has >> 1));
  return {
    ...withValues<OwnColumns>(emptyInstants(room), instants),
    partners: partners.map((text) => {
      const old = instants.partners.find((each) => each.text === text);
      const empty = emptyPartner(room);
      return { ...(old === undefined ? empty : withValues<PartnerColumns>(empty, old)), text };
    }),
  };
}

function partnerTexts({ kind, partner }: EventColumns): number[] {
  const texts = new Set<number>();
  for (let i = 0; i < kind.length; i++)
    if (PARTNER_KINDS.includes(kind[i]) && partner[i] > 0) texts.add(partner[i]);
  return [...texts];
}

const emptyInstants = (blocks: number): OwnColumns => ({
  exists: new Uint8Array(blocks),
  onPrimary: new Uint8Array(blocks),
  seen: new Uint8Array(blocks),
  published: unknownColumn(blocks),
  from: new Uint16Array(blocks),
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

type OwnColumns = Omit<OwnInstants, "partners">;
type PartnerColumns = Omit<OwnPartner, "text">;

/** Empty columns with the values of narrower ones of the same names. */
function withValues<T extends OwnColumns | PartnerColumns>(empty: T, old: T): T {
  for (const name of Object.keys(empty) as (keyof T)[])
    widened(old[name] as Float64Array, empty[name] as Float64Array);
  return empty;
}
