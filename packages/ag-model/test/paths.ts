/** Events of log blocks that go from a primary to secondaries and back, with every step written by hand. */
import type { EventSpec } from "./events.ts";

/** Bytes of a unit of log_block_id. */
export const UNIT = 512;

export const PRIMARY = "primary-id";
export const DATABASE = "sales-id";

/** A log_block_id. */
export const blockId = (vlf: number, offset: number): bigint => (BigInt(vlf) << 32n) | BigInt(offset);

/** A log block on the primary. Every instant is µs of the primary's counter; NaN leaves no event. */
export interface BlockPath {
  readonly block: bigint;
  /** Length in units of 512 bytes; default 2. */
  readonly units?: number;
  /** When its commits begin. */
  readonly at: number;
  readonly database?: string;
  /** database_id on the primary; default 6. */
  readonly local?: number;
  /** Commits of the block, each with its start after `at`; default one. */
  readonly commits?: readonly number[];
  /** After `at`, like all of these. */
  readonly commitEnd?: number;
  readonly pushedToLogPool?: number;
  readonly localFlushStart?: number;
  readonly localFlushEnd?: number;
}

/** The way of a block to one secondary and back, µs of the primary's counter after the block's `at`. */
export interface HopPath {
  readonly secondary?: string;
  readonly sendStart?: number;
  readonly departed?: number;
  readonly sendEnd?: number;
  readonly received?: number;
  readonly secondaryFlushStart?: number;
  readonly secondaryFlushEnd?: number;
  readonly ackBuilt?: number;
  readonly ackDeparted?: number;
  readonly ackSent?: number;
  readonly ackReceived?: number;
  readonly ackProcessed?: number;
  /** Last unit that its acknowledgment covers beyond the block's own end; default 0. */
  readonly covers?: number;
}

const LOCAL = {
  commitEnd: 5_000,
  pushedToLogPool: 112,
  localFlushStart: 123,
  localFlushEnd: 2_835,
} as const;

const HOP = {
  sendStart: 60,
  departed: 66,
  sendEnd: 236,
  received: 500,
  secondaryFlushStart: 586,
  secondaryFlushEnd: 3_500,
  ackBuilt: 3_545,
  ackDeparted: 3_566,
  ackSent: 3_644,
  // As long on the way as the message was, so that the middle of the clock's band is the truth.
  ackReceived: 4_000,
  ackProcessed: 4_050,
} as const;

const known = (events: readonly EventSpec[]): EventSpec[] =>
  events.filter(({ at, published }) => !Number.isNaN(published ?? at));

const endOf = ({ block, units = 2 }: BlockPath, { covers = 0 }: HopPath = {}): bigint =>
  block + BigInt(units + covers);

/** Events of the block on the primary that concern no secondary, of an engine from 2016 on. */
export function localEvents(path: BlockPath): EventSpec[] {
  const { block, at, local = 6, commits = [0] } = path;
  const t = { ...LOCAL, ...path };
  const ids = { block, local } as const;
  return known([
    ...commits.flatMap((start): EventSpec[] => [
      { ...ids, kind: "commit", at: at + start, took: t.commitEnd - start },
      { ...ids, kind: "groupCommit", at: at + start + 1, took: 50 },
      { ...ids, kind: "groupCommit", at: at + start + 52, took: 4_000 },
    ]),
    { ...ids, kind: "pushedToLogPool", at: at + t.pushedToLogPool, took: 2 },
    { ...ids, kind: "flushStart", at: at + t.localFlushStart },
    {
      ...ids,
      kind: "flushComplete",
      at: at + t.localFlushEnd,
      took: 1_000 * Math.round((t.localFlushEnd - t.localFlushStart) / 1_000),
    },
  ]);
}

/** Events of the block's capture, its send and its acknowledgment's arrival on the primary. */
export function hopEvents(path: BlockPath, hop: HopPath = {}): EventSpec[] {
  const { block, at, units = 2, database = DATABASE } = path;
  const t = { ...HOP, ...hop };
  const partner = hop.secondary ?? "secondary-id";
  const captured = { kind: "capture", block, database, partner, size: units * UNIT, took: 0 } as const;
  const ack = { kind: "receiveHarden", block: endOf(path, hop), database, partner, self: PRIMARY } as const;
  return known([
    { ...captured, mode: 1, at: at + t.sendStart },
    { ...captured, mode: 2, at: at + t.departed },
    { kind: "sendComplete", block, at: at + t.sendEnd, took: t.sendEnd - t.sendStart },
    { ...ack, mode: 1, at: at + t.ackReceived + 5, took: t.ackProcessed - t.ackReceived - 13 },
    { ...ack, mode: 2, at: at + t.ackReceived, took: t.ackProcessed - t.ackReceived },
  ]);
}

/**
 * Events of the block on one secondary.
 * @param theta what its counter shows more than the primary's at an instant of the primary's counter, µs
 */
export function secondaryEvents(
  path: BlockPath,
  hop: HopPath = {},
  theta: (primary: number) => number = () => 0,
): EventSpec[] {
  const { block, at, database = DATABASE } = path;
  const t = { ...HOP, ...hop };
  const self = hop.secondary ?? "secondary-id";
  const local = 5;
  const on = (instant: number): number => at + instant + theta(at + instant);
  const message = { kind: "transportReceive", block, database, self, partner: PRIMARY } as const;
  const ack = { kind: "sendHarden", block: endOf(path, hop), database, partner: PRIMARY } as const;
  return known([
    { ...message, mode: 1, at: on(t.received) + 5, took: 7 },
    { ...message, mode: 2, at: on(t.received), took: 39 },
    { kind: "pushedToLogPool", block, local, at: on(t.secondaryFlushStart) - 9, took: 3 },
    { kind: "flushStart", block, local, at: on(t.secondaryFlushStart) },
    {
      kind: "flushComplete",
      block,
      local,
      at: on(t.secondaryFlushEnd),
      took: 1_000 * Math.round((t.secondaryFlushEnd - t.secondaryFlushStart) / 1_000),
    },
    { ...ack, mode: 1, at: on(t.ackBuilt), took: 0 },
    { ...ack, mode: 2, at: on(t.ackDeparted) + 1, took: 16 },
    { ...ack, mode: 3, at: on(t.ackDeparted), took: 20 },
    { kind: "ackSendComplete", block: endOf(path, hop), at: on(t.ackSent), took: t.ackSent - t.received },
  ]);
}

/** `count` blocks one after the other in VLF 0x22, `everyUs` apart. */
export const blocksInARow = (count: number, everyUs = 10_000, more: Partial<BlockPath> = {}): BlockPath[] =>
  Array.from({ length: count }, (_, i) => ({ block: blockId(0x22, 16 + 2 * (i + 8)), at: 1_000_000 + i * everyUs, ...more })); // prettier-ignore
