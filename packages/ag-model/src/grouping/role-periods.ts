/** Finds the role of a server for each availability database over time, from the events that only one side has. */
import { EventKind, sideOfKind, type EventColumns } from "../events/index.ts";
import type { Role } from "../replication/index.ts";
import { ForwardedBlocks } from "./forwarded-blocks.ts";
import { BlockRangeOfEvents, type BlockRange } from "./block-range.ts";

/** Fewer log blocks than this make no role: events of the earlier role may still be written after a failover. */
export const LEAST_BLOCKS = 3;

/** A period in which a server had one role for a database. */
export interface RolePeriod {
  readonly role: Role;
  /** FILETIME ticks of its first and last event. */
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
  /** Changes of log_block_id between its events, about the number of log blocks. */
  readonly blocks: number;
}

/** Evidence in the events of a file about one availability database. */
export interface DatabaseEvidence {
  /** group_database_id, lower-case GUID. */
  readonly id: string;
  /** Events that only a primary, and only a secondary, of the database has. */
  readonly primaryEvents: number;
  readonly secondaryEvents: number;
  /** Roles in the order of time. */
  readonly stretches: readonly RolePeriod[];
  /** Its log blocks; null for almost no block, absent in data of an earlier version. */
  readonly range?: BlockRange | null;
  /** Log blocks that the server both received and sent on; absent as `range`. */
  readonly forwarded?: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const ROLES = ["primary", "secondary"] as const;
const NO_SIDE = 255;

/** Index into `ROLES` by kind of event. */
const SIDES = Uint8Array.from({ length: 256 }, (_, kind) => {
  const role = sideOfKind(kind);
  return role === null ? NO_SIDE : ROLES.indexOf(role);
});

/** 1 for the kinds that send or receive a block; others of one side name the end of a range. */
const NAMES_BLOCK = Uint8Array.from({ length: 256 }, (_, kind) =>
  kind === EventKind.capture || kind === EventKind.transportReceive ? 1 : 0,
);

/** The databases that a file's events name, from parts in the order of publish time. No part is kept. */
export class DatabasesOfParts {
  /** By the database's id. */
  readonly #tracks = new Map<string, Track>();

  add({ length, kind, database, texts, blockId, ticks }: EventColumns): void {
    const tracks: (Track | undefined)[] = Array.from({ length: texts.length });
    const words = new Uint32Array(blockId.buffer, blockId.byteOffset, length * 2);
    for (let row = 0; row < length; row++) {
      const text = database[row];
      if (text === 0) continue;
      const track = (tracks[text] ??= this.#trackOf(texts[text]));
      const side = SIDES[kind[row]];
      if (side === NO_SIDE) continue;
      track.take(side, row, words[2 * row], words[2 * row + 1]);
      if (NAMES_BLOCK[kind[row]] === 1) track.forwarded.take(side, words[2 * row], words[2 * row + 1]);
    }
    for (const track of tracks) track?.endPart(ticks);
  }

  /** In the order of their ids. */
  evidence(): DatabaseEvidence[] {
    return [...this.#tracks]
      .map(([id, track]) => ({ id, ...track.evidence() }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #trackOf(id: string): Track {
    const track = this.#tracks.get(id) ?? new Track();
    this.#tracks.set(id, track);
    return track;
  }
}

/** No event of the present part. */
const NO_ROW = -1;

/** A period by the rows of its first and last event in the present part, and by their time once that part is over. */
interface RowPeriod {
  readonly side: number;
  from: number;
  to: number;
  fromTicks: bigint;
  toTicks: bigint;
  blocks: number;
}

/** Follows the role of one database; it changes once the other role has shown `LEAST_BLOCKS` blocks in a row. */
class Track {
  readonly #events: [number, number] = [0, 0];
  readonly #stretches: RowPeriod[] = [];
  #now: RowPeriod | null = null;
  #next: RowPeriod | null = null;
  readonly #range = new BlockRangeOfEvents();
  readonly forwarded = new ForwardedBlocks();
  #lastLow = 0;
  #lastHigh = 0;

  /** @param low and `high`, the words of log_block_id */
  take(side: number, row: number, low: number, high: number): void {
    this.#events[side]++;
    const isNew = low !== this.#lastLow || high !== this.#lastHigh ? 1 : 0;
    this.#lastLow = low;
    this.#lastHigh = high;
    if (isNew === 1) this.#range.take(low, high);
    if (this.#now?.side === side) {
      this.#now.to = row;
      this.#now.blocks += isNew;
      this.#next = null;
      return;
    }
    this.#next ??= { side, from: row, to: row, fromTicks: 0n, toTicks: 0n, blocks: 0 };
    this.#next.to = row;
    this.#next.blocks += isNew;
    if (this.#now !== null && this.#next.blocks < LEAST_BLOCKS) return;
    this.#stretches.push(this.#next);
    this.#now = this.#next;
    this.#next = null;
  }

  /** @param ticks of the part's events */
  endPart(ticks: BigInt64Array): void {
    for (const period of [...this.#stretches, ...(this.#next === null ? [] : [this.#next])]) {
      if (period.from !== NO_ROW) period.fromTicks = ticks[period.from];
      if (period.to !== NO_ROW) period.toTicks = ticks[period.to];
      period.from = NO_ROW;
      period.to = NO_ROW;
    }
  }

  /** Called after the last part. */
  evidence(): Omit<DatabaseEvidence, "id"> {
    const [primaryEvents, secondaryEvents] = this.#events;
    const periods = this.#stretches.map(({ side, fromTicks, toTicks, blocks }) => ({
      role: ROLES[side],
      fromTicks,
      toTicks,
      blocks,
    }));
    return {
      primaryEvents,
      secondaryEvents,
      stretches: periods,
      range: this.#range.range(),
      forwarded: this.forwarded.count(),
    };
  }
}

/**
 * The roles of one database over all files of a server: periods of one role that follow each other become one, and a
 * period of fewer than `LEAST_BLOCKS` blocks is skipped if a longer one exists.
 */
export function joinedRolePeriods(parts: readonly (readonly RolePeriod[])[]): RolePeriod[] {
  const inOrder = parts.flat().sort((a, b) => (a.fromTicks < b.fromTicks ? -1 : 1));
  const merged = mergeNeighbors(inOrder);
  const long = merged.filter(({ blocks }) => blocks >= LEAST_BLOCKS);
  return long.length > 0 ? mergeNeighbors(long) : merged;
}

function mergeNeighbors(periods: readonly RolePeriod[]): RolePeriod[] {
  const merged: Mutable<RolePeriod>[] = [];
  for (const period of periods) {
    const last = merged.at(-1);
    if (last?.role !== period.role) {
      merged.push({ ...period });
      continue;
    }
    if (period.toTicks > last.toTicks) last.toTicks = period.toTicks;
    last.blocks += period.blocks;
  }
  return merged;
}
