/** What a file's events say about the server that wrote it (docs/model.md 2.5). */
import { fireTime, idsIn, OTHER_EVENT, ownIdsOf, type EventColumns } from "../events/index.ts";
import { databaseEvidence, type DatabaseEvidence } from "./role-stretches.ts";

/** Who wrote a file, as far as its events name it. Every list is in ascending order, every id a lower-case GUID. */
export interface FileIdentity {
  /** availability_replica_ids of the server itself: one per availability group it is in. */
  readonly ownIds: readonly string[];
  /** availability_replica_ids at the other end. */
  readonly partnerIds: readonly string[];
  /** availability_group_ids. */
  readonly groupIds: readonly string[];
  readonly databases: readonly DatabaseEvidence[];
  readonly events: number;
  /** Events of the data movement path, used or not for a role. */
  readonly logEvents: number;
  /** FILETIME ticks of the first and last event; 0 when there is none. */
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
  /**
   * FILETIME ticks at which the server's µs counter was 0, the same in all its files but for steps of a clock; null
   * when no event has a start_timestamp.
   */
  readonly counterZeroTicks: bigint | null;
  /** What the engine writes: events with start_timestamp, or those of 2012 without it. */
  readonly engine: "start_timestamp" | "2012";
}

/** The identity of a file's events; rows are in publish order. */
export function identityOf(columns: EventColumns): FileIdentity {
  const { length, ticks } = columns;
  const ownIds = ownIdsOf(columns);
  const counterZeroTicks = counterZero(columns);
  return {
    ownIds,
    partnerIds: idsIn(columns, "partner").filter((id) => !ownIds.includes(id)),
    groupIds: idsIn(columns, "group"),
    databases: databaseEvidence(columns),
    events: length,
    logEvents: countLogEvents(columns),
    fromTicks: length > 0 ? ticks[0] : 0n,
    toTicks: length > 0 ? ticks[length - 1] : 0n,
    counterZeroTicks,
    engine: counterZeroTicks === null ? "2012" : "start_timestamp",
  };
}

function countLogEvents({ kind, length }: EventColumns): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (kind[row] !== OTHER_EVENT) count++;
  return count;
}

/** Enough events for a median that no late publication moves. */
const COUNTER_SAMPLES = 401;

/** Median, over events all along the file, of the publish time minus the counter's µs when the event fired. */
function counterZero({ kind, start, processing, ticks, length }: EventColumns): bigint | null {
  const step = Math.max(1, Math.floor(length / COUNTER_SAMPLES));
  const zeros: bigint[] = [];
  let next = 0;
  for (let row = 0; row < length; row++) {
    if (row < next || Number.isNaN(start[row])) continue;
    next = row - (row % step) + step;
    zeros.push(ticks[row] - BigInt(Math.round(fireTime(kind[row], start[row], processing[row]) * 10)));
  }
  zeros.sort((a, b) => (a < b ? -1 : 1));
  return zeros[zeros.length >> 1] ?? null;
}
