/** Finds roles that the events contradict: a wrong role in the settings, or one that changed during the capture. */
import { sideOfKind, type EventColumns } from "../events/index.ts";
import type { Role } from "../replication/shapes/tables.ts";

/** More changes than this are no failovers: the server is primary of one group and secondary of another. */
const MOST_CHANGES = 10;

/** A run of events of one role, rows [from, to). */
interface Period {
  readonly role: Role;
  readonly from: number;
  to: number;
  evidence: number;
}

/** The other role, when every event that shows a role shows that one; null when the given one is possible. */
export function contradictedRole(columns: EventColumns, given: Role): Role | null {
  let other: Role | null = null;
  for (const kind of columns.kind) {
    const side = sideOfKind(kind);
    if (side === given) return null;
    other = side ?? other;
  }
  return other;
}

/**
 * The other role, when the newest events show only that one, at least `evidence` of them: the roles changed and no poll
 * has reported it yet. Null otherwise.
 */
export function changedRole(columns: EventColumns, given: Role, evidence: number): Role | null {
  let count = 0;
  for (let i = columns.length - 1; i >= 0 && count < evidence; i--) {
    const side = sideOfKind(columns.kind[i]);
    if (side === given) return null;
    if (side !== null) count++;
  }
  if (count < evidence) return null;
  return given === "primary" ? "secondary" : "primary";
}

/**
 * The events of the period in which the replica had the given role; if there are several, of the one with most of them.
 * `changed` when others were excluded. A server that is primary and secondary at once keeps all.
 */
export function eventsInRole(
  columns: EventColumns,
  given: Role,
): { readonly columns: EventColumns; readonly changed: boolean } {
  const periods = eventRunsOf(columns);
  if (periods.length < 2 || periods.length - 1 > MOST_CHANGES) return { columns, changed: false };
  const own = periods.filter(({ role }) => role === given);
  const kept = own.reduce((a, b) => (b.evidence > a.evidence ? b : a));
  return { columns: sliceOf(columns, kept.from, kept.to), changed: true };
}

function eventRunsOf({ kind, ticks, length }: EventColumns): Period[] {
  const periods: Period[] = [];
  let lastEvidence = 0;
  for (let i = 0; i < length; i++) {
    const role = sideOfKind(kind[i]);
    if (role === null) continue;
    const last = periods.at(-1);
    if (last?.role === role) {
      last.evidence++;
    } else {
      const from = last ? afterLongestPause(ticks, lastEvidence, i) : 0;
      if (last) last.to = from;
      periods.push({ role, from, to: length, evidence: 1 });
    }
    lastEvidence = i;
  }
  return periods;
}

/** A failover takes its time: events that belong to neither role are separated at the longest pause. */
function afterLongestPause(ticks: BigInt64Array, from: number, to: number): number {
  let longest = -1n;
  let after = to;
  for (let i = from + 1; i <= to; i++) {
    const pause = ticks[i] - ticks[i - 1];
    if (pause <= longest) continue;
    longest = pause;
    after = i;
  }
  return after;
}

/** Rows [from, to) without a copy. */
export function sliceOf(columns: EventColumns, from: number, to: number): EventColumns {
  return {
    length: to - from,
    kind: columns.kind.subarray(from, to),
    ticks: columns.ticks.subarray(from, to),
    start: columns.start.subarray(from, to),
    processing: columns.processing.subarray(from, to),
    blockId: columns.blockId.subarray(from, to),
    mode: columns.mode.subarray(from, to),
    size: columns.size.subarray(from, to),
    databaseId: columns.databaseId.subarray(from, to),
    database: columns.database.subarray(from, to),
    self: columns.self.subarray(from, to),
    partner: columns.partner.subarray(from, to),
    group: columns.group.subarray(from, to),
    action: columns.action.subarray(from, to),
    texts: columns.texts,
    file: columns.file.subarray(from, to),
    offset: columns.offset.subarray(from, to),
    files: columns.files,
  };
}
