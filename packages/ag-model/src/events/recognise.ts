import { EVENTS, sideOfKind } from "./catalogue.ts";
import type { EventColumns } from "./columns.ts";
import { idsIn } from "./ids.ts";

/** What a file's events say about where it was captured. */
export interface Recognition {
  readonly role: "primary" | "secondary" | "unknown";
  /** A sentence with event names and counts. */
  readonly evidence: string;
  /** The replica that captured it, lower-case GUID; null when no event names it. */
  readonly replicaId: string | null;
  /** Replicas at the other end, lower-case GUIDs. */
  readonly partnerIds: readonly string[];
  /** group_database_id of each availability database seen. */
  readonly databases: readonly string[];
  readonly events: number;
  /** FILETIME ticks of the first and last event; 0 when there is none. */
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
}

/** Role, own replica, partners and databases of a file or replica from its events (docs/model.md 1.3 and 2.2). */
export function recognise(columns: EventColumns): Recognition {
  const shown = roleOfKinds(countKinds(columns));
  return {
    ...shown,
    replicaId: ownReplica(columns, shown.role),
    partnerIds: idsIn(columns, "partner"),
    databases: idsIn(columns, "database"),
    events: columns.length,
    fromTicks: columns.length > 0 ? columns.ticks[0] : 0n,
    toTicks: columns.length > 0 ? columns.ticks[columns.length - 1] : 0n,
  };
}

/** The role that events show. @param counts of events by kind */
export function roleOfKinds(counts: Uint32Array): Pick<Recognition, "role" | "evidence"> {
  const primary = evidence(counts, "primary");
  const secondary = evidence(counts, "secondary");
  if (primary.events === 0 && secondary.events === 0)
    return { role: "unknown", evidence: unknownEvidence(counts.reduce((sum, count) => sum + count, 0)) };
  const role = primary.events >= secondary.events ? "primary" : "secondary";
  return { role, evidence: { primary, secondary }[role].text };
}

/** How many events there are by kind. */
export function countKinds({ kind, length }: EventColumns): Uint32Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < length; i++) counts[kind[i]]++;
  return counts;
}

function evidence(counts: Uint32Array, side: "primary" | "secondary"): { events: number; text: string } {
  const seen = EVENTS.flatMap((e, kind) =>
    e.evidenceOf === side && counts[kind] > 0 ? [{ name: e.name, n: counts[kind] }] : [],
  );
  return {
    events: seen.reduce((sum, e) => sum + e.n, 0),
    text: seen.map((e) => `${e.name}, ${e.n.toLocaleString("en-US")} events`).join("; "),
  };
}

const unknownEvidence = (events: number): string =>
  events === 0
    ? "The file holds no events of an availability group."
    : "No event of the file is one that only a primary or only a secondary has.";

/** The replica that captured the file, by the first event of its side that names it; null when none does. */
function ownReplica(columns: EventColumns, role: Recognition["role"]): string | null {
  if (role === "unknown") return null;
  for (let i = 0; i < columns.length; i++) {
    if (sideOfKind(columns.kind[i]) === role && columns.self[i] > 0) return columns.texts[columns.self[i]];
  }
  return null;
}
