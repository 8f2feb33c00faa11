/**
 * Memory: decision 130: 4 bytes per event. Without it the simple way is plain columns, 183 bytes per block and replica.
 *
 * Instants of one server's events for each of its blocks (`own-blocks.ts`), in packed parts. They need no other
 * server's events: the joins decide which of them count, as the primary's or as a secondary's. The joins then work by
 * block and read few events one by one (`single-events.ts`) (decision 130).
 */
import { GrowingColumn, packSparse, readSparse, type SparseParts } from "../../numbers/index.ts";

/** A row for each own block; instants are µs of the server's counter, NaN for none, single events (`single-events.ts`) -1 for none. */
export interface InstantColumns {
  /** 1 where an event shows that the block exists (docs/contribute/model/attribution.md 2.4). */
  readonly exists: Uint8Array;
  /** Kinds that only the block's primary has, as bits of `OnPrimary`. */
  readonly onPrimary: Uint8Array;
  /** 1 for a block that was received or written. */
  readonly seen: Uint8Array;
  /** Publish time of the first event that names the block by its beginning, ticks after some fixed instant; NaN for none. */
  readonly published: Float64Array;
  /** Text by which the first receive or decompression names the block's primary; 0 for none. */
  readonly primary: Uint16Array;
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
  /** Last receive of mode 2, and of mode 1: a block that was lost before it was hardened is received again. */
  readonly received: Float64Array;
  readonly receivedInner: Float64Array;
  /** Sum of processing_time. */
  readonly decompression: Float64Array;
  /** Earliest hadr_send_harden_lsn_message of modes 1, 2 and 3. */
  readonly ackBuilt: Int32Array;
  readonly ackInner: Int32Array;
  readonly ackLeft: Int32Array;
}

/** Instants in a server's events of its blocks on the way to one other replica and back. */
export interface PartnerColumns {
  /**
   * Instants of the last sending, the one that arrived where a block was sent again. Capture of mode 1, and its end.
   */
  readonly begin: Float64Array;
  readonly begun: Float64Array;
  /** Captures of modes 2 and 4. */
  readonly copied: Float64Array;
  readonly handedOn: Float64Array;
  /** Compression, and the sum of processing_time of all sendings. */
  readonly compressed: Float64Array;
  readonly compression: Float64Array;
  /** Earliest hadr_receive_harden_lsn_message of modes 2 and 1. */
  readonly ackOuter: Int32Array;
  readonly ackInner: Int32Array;
}

/** Kinds of event that a server has only as the primary of a block. */
export const OnPrimary = { capture: 1, commit: 2, receiveHarden: 4 } as const;

/** Values of a row before an event shows anything. */
export const ABSENT: Readonly<Record<keyof InstantColumns | keyof PartnerColumns, number>> = {
  exists: 0,
  onPrimary: 0,
  seen: 0,
  published: Number.NaN,
  primary: 0,
  captured: Number.NaN,
  uncompressed: Number.NaN,
  flushStart: Number.NaN,
  flushEnd: Number.NaN,
  flushDuration: Number.NaN,
  logPool: Number.NaN,
  commitStart: Number.NaN,
  commitEnd: Number.NaN,
  groupStart: Number.NaN,
  commits: 0,
  groupCommits: 0,
  hardens: 0,
  received: Number.NaN,
  receivedInner: Number.NaN,
  decompression: Number.NaN,
  ackBuilt: -1,
  ackInner: -1,
  ackLeft: -1,
  begin: Number.NaN,
  begun: Number.NaN,
  copied: Number.NaN,
  handedOn: Number.NaN,
  compressed: Number.NaN,
  compression: Number.NaN,
  ackOuter: -1,
};

/** Columns of blocks after each other. */
export interface InstantsOfBlocks {
  readonly own: InstantColumns;
  /** Columns for one other replica, by the text in the `partner` column. */
  readonly partners: readonly { readonly text: number; readonly columns: PartnerColumns }[];
}

/** By own block: instants of all events of the server. */
export interface OwnInstants {
  /** Texts of the other replicas that its events name as their partners. */
  readonly partners: readonly number[];
  /** Blocks after each other. */
  readonly parts: readonly InstantsPart[];
}

type Packed<Columns> = { readonly [Name in keyof Columns]: SparseParts | null };

interface InstantsPart {
  readonly length: number;
  readonly own: Packed<InstantColumns>;
  readonly partners: readonly { readonly text: number; readonly columns: Packed<PartnerColumns> }[];
}

/** Blocks of a part, but for the last one. */
export const PART_BLOCKS = 1 << 16;

/** Packs the first `length` rows of some columns. */
export const packInstants = ({ own, partners }: InstantsOfBlocks, length: number): InstantsPart => ({
  length,
  own: packedOf(own, length),
  partners: partners.map(({ text, columns }) => ({ text, columns: packedOf(columns, length) })),
});

const packedOf = <Columns extends InstantColumns | PartnerColumns>(
  columns: Columns,
  length: number,
): Packed<Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]: [string, Float64Array]) => [
      name,
      packSparse(column.subarray(0, length), ABSENT[name as keyof typeof ABSENT]),
    ]),
  ) as Packed<Columns>;

/** Writes a packed part to columns that have room for it. */
export function unpackInstants({ own, partners, length }: InstantsPart, to: InstantsOfBlocks): void {
  unpack(own, to.own, length);
  for (const { text, columns } of partners)
    unpack(columns, to.partners.find((each) => each.text === text)!.columns, length);
}

function unpack<Columns extends InstantColumns | PartnerColumns>(
  packed: Packed<Columns>,
  to: Columns,
  length: number,
): void {
  const room = new Float64Array(length);
  for (const name of Object.keys(packed) as (keyof Columns & keyof typeof ABSENT)[]) {
    readSparse(packed[name], ABSENT[name], room);
    (to[name] as Float64Array).set(room);
  }
}

/** Some columns of consecutive blocks; the first block has the number `from`. */
export type InstantRun<Name extends string> = { readonly from: number; readonly length: number } & {
  readonly [Column in Name]: Float64Array;
};

/** Yields some columns of all blocks in batches; each batch overwrites the one before it. */
export const instantsOf = <Name extends keyof InstantColumns>(
  { parts }: OwnInstants,
  names: readonly Name[],
): Generator<InstantRun<Name>> =>
  ranges(
    parts.map(({ length, own }) => ({ length, columns: own })),
    names,
  );

/** The same for one other replica. @param partner its text */
export const partnerInstantsOf = <Name extends keyof PartnerColumns>(
  { parts }: OwnInstants,
  partner: number,
  names: readonly Name[],
): Generator<InstantRun<Name>> =>
  ranges(
    parts.map(({ length, partners }) => ({
      length,
      columns: partners.find(({ text }) => text === partner)?.columns ?? {},
    })),
    names,
  );

function* ranges<Name extends keyof typeof ABSENT>(
  parts: readonly {
    readonly length: number;
    readonly columns: { readonly [Column in Name]?: SparseParts | null };
  }[],
  names: readonly Name[],
): Generator<InstantRun<Name>> {
  const most = Math.max(0, ...parts.map(({ length }) => length));
  const room = names.map((name) => [name, new Float64Array(most)] as const);
  let from = 0;
  for (const { length, columns } of parts) {
    const read = room.map(([name, column]) => {
      const values = column.subarray(0, length);
      readSparse(columns[name] ?? null, ABSENT[name], values);
      return [name, values] as const;
    });
    yield { from, length, ...Object.fromEntries(read) } as InstantRun<Name>;
    from += length;
  }
}

/** The single events that a column names, block by block. */
export const eventsIn = <Name extends string>(column: Iterable<InstantRun<Name>>, name: Name): Int32Array => {
  const events = new GrowingColumn(Int32Array);
  for (const range of column) addKnown(range[name], events);
  return events.values();
};

function addKnown(column: Float64Array, to: GrowingColumn<Int32Array>): void {
  let known = 0;
  for (let k = 0; k < column.length; k++) if (column[k] >= 0) known++;
  let at = to.more(known);
  const { room } = to;
  for (let k = 0; k < column.length; k++) if (column[k] >= 0) room[at++] = column[k];
}
