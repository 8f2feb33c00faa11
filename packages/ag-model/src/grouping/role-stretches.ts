/** Which role a server had for each availability database, and when, from the events that only one side has. */
import { EventKind, type EventColumns } from "../events/index.ts";
import type { Role } from "../replication/index.ts";

/** Events of one side that name the database (docs/model.md 1.2); those of 2012 are among them. */
const SIDE_OF_KIND = new Map<number, Role>([
  [EventKind.capture, "primary"],
  [EventKind.vlfHeader, "primary"],
  [EventKind.filestreamWait, "primary"],
  [EventKind.receiveHarden, "primary"],
  [EventKind.commitManagerHarden, "primary"],
  [EventKind.transportReceive, "secondary"],
  [EventKind.apply, "secondary"],
  [EventKind.sendHarden, "secondary"],
]);

/** Fewer log blocks than this make no role: events of the role before may still be written after a failover. */
export const LEAST_BLOCKS = 3;

/** A stretch in which a server had one role for a database. */
export interface RoleStretch {
  readonly role: Role;
  /** FILETIME ticks of its first and last event. */
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
  /** Changes of log_block_id between its events, about the number of log blocks. */
  readonly blocks: number;
}

/** What the events of a file say about one availability database. */
export interface DatabaseEvidence {
  /** group_database_id, lower-case GUID. */
  readonly id: string;
  /** Events that only a primary, and only a secondary, of the database has. */
  readonly primaryEvents: number;
  readonly secondaryEvents: number;
  /** Roles in the order of time. */
  readonly stretches: readonly RoleStretch[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The databases that a file's events name, in the order of their ids. */
export function databaseEvidence(columns: EventColumns): DatabaseEvidence[] {
  const tracks = new Map<number, Track>();
  for (let row = 0; row < columns.length; row++) {
    const database = columns.database[row];
    if (database === 0) continue;
    let track = tracks.get(database);
    if (track === undefined) tracks.set(database, (track = new Track()));
    const role = SIDE_OF_KIND.get(columns.kind[row]);
    if (role !== undefined) track.take(role, columns.ticks[row], columns.blockId[row]);
  }
  return [...tracks]
    .map(([text, track]) => ({ id: columns.texts[text], ...track.evidence() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Follows the role of one database; it changes once the other role has shown `LEAST_BLOCKS` blocks in a row. */
class Track {
  readonly #events = { primary: 0, secondary: 0 };
  readonly #stretches: Mutable<RoleStretch>[] = [];
  #next: Mutable<RoleStretch> | null = null;
  #lastBlock = 0n;

  take(role: Role, ticks: bigint, block: bigint): void {
    this.#events[role]++;
    const isNew = block !== this.#lastBlock ? 1 : 0;
    this.#lastBlock = block;
    const now = this.#stretches.at(-1);
    if (now?.role === role) {
      now.toTicks = ticks;
      now.blocks += isNew;
      this.#next = null;
      return;
    }
    this.#next ??= { role, fromTicks: ticks, toTicks: ticks, blocks: 0 };
    this.#next.toTicks = ticks;
    this.#next.blocks += isNew;
    if (now !== undefined && this.#next.blocks < LEAST_BLOCKS) return;
    this.#stretches.push(this.#next);
    this.#next = null;
  }

  evidence(): Omit<DatabaseEvidence, "id"> {
    return {
      primaryEvents: this.#events.primary,
      secondaryEvents: this.#events.secondary,
      stretches: this.#stretches,
    };
  }
}

/**
 * The roles of one database over all files of a server: stretches of one role that follow each other become one, and a
 * stretch of fewer than `LEAST_BLOCKS` blocks is left out where there is a longer one.
 */
export function joinedStretches(parts: readonly (readonly RoleStretch[])[]): RoleStretch[] {
  const inOrder = parts.flat().sort((a, b) => (a.fromTicks < b.fromTicks ? -1 : 1));
  const merged = mergeNeighbours(inOrder);
  const long = merged.filter(({ blocks }) => blocks >= LEAST_BLOCKS);
  return long.length > 0 ? mergeNeighbours(long) : merged;
}

function mergeNeighbours(stretches: readonly RoleStretch[]): RoleStretch[] {
  const merged: Mutable<RoleStretch>[] = [];
  for (const stretch of stretches) {
    const last = merged.at(-1);
    if (last?.role !== stretch.role) {
      merged.push({ ...stretch });
      continue;
    }
    if (stretch.toTicks > last.toTicks) last.toTicks = stretch.toTicks;
    last.blocks += stretch.blocks;
  }
  return merged;
}
