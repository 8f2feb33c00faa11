import { EVENTS, sideOfKind } from "./catalog.ts";
import type { EventColumns } from "./columns.ts";
import { IdsOfParts } from "./ids.ts";
import { SpanOfParts, type EventSpan } from "./span-of-parts.ts";

/** Facts about where a file was captured, from its events. */
export interface Recognition extends EventSpan {
  readonly role: "primary" | "secondary" | "unknown";
  /** A sentence with event names and counts. */
  readonly evidence: string;
  /** The replica that captured it, lower-case GUID; null when no event names it. */
  readonly replicaId: string | null;
  /** Replicas at the other end, lower-case GUIDs. */
  readonly partnerIds: readonly string[];
  /** group_database_id of each availability database seen. */
  readonly databases: readonly string[];
}

/** Role, own replica, partners and databases of a file or replica from its events (docs/contribute/model/events.md 1.3 and docs/contribute/model/attribution.md 2.2). */
export function recognise(columns: EventColumns): Recognition {
  const found = new RecognitionOfParts();
  found.add(columns);
  return found.recognition();
}

/** The same from events in several parts, in the order of publish time. No part is kept. */
export class RecognitionOfParts {
  readonly #counts = new Uint32Array(256);
  readonly #ids = new IdsOfParts();
  readonly #span = new SpanOfParts();
  /** The replica that captured the file, as the first event of each side names it. */
  readonly #self: Record<"primary" | "secondary", string | null> = { primary: null, secondary: null };

  /** @throws ImpossibleIds where the events name far more ids than a server can have */
  add(columns: EventColumns): void {
    this.#ids.add(columns);
    this.#span.add(columns);
    countKinds(columns, this.#counts);
    for (const side of ["primary", "secondary"] as const) this.#self[side] ??= firstSelf(columns, side);
  }

  /** @throws ImpossibleIds where the events name ids that no server has */
  recognition(): Recognition {
    const shown = roleOfKinds(this.#counts);
    const damage = this.#ids.ofDamage();
    const idsIn = (column: "self" | "partner" | "database"): string[] =>
      this.#ids.in(column).filter((id) => !damage.has(id));
    const self = shown.role === "unknown" ? null : this.#self[shown.role];
    return {
      ...shown,
      replicaId: self !== null && damage.has(self) ? (idsIn("self")[0] ?? null) : self,
      partnerIds: idsIn("partner"),
      databases: idsIn("database"),
      ...this.#span.span(),
    };
  }
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

/** How many events there are by kind. @param counts to which they are added */
export function countKinds({ kind, length }: EventColumns, counts = new Uint32Array(256)): Uint32Array {
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

/** The replica that captured the file, by the first event of a side that names it; null when none does. */
function firstSelf(
  { length, kind, self, texts }: EventColumns,
  side: "primary" | "secondary",
): string | null {
  for (let i = 0; i < length; i++) if (self[i] > 0 && sideOfKind(kind[i]) === side) return texts[self[i]];
  return null;
}
