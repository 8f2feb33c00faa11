/** The ids that a server's events carry. */
import type { EventColumns } from "./columns.ts";
import { expectPossible, FEW_EVENTS, idsOfDamage, type NamedIds } from "./possible-ids.ts";

const ID_COLUMNS = ["self", "partner", "group", "database"] as const;
type IdColumn = (typeof ID_COLUMNS)[number];

/**
 * Ids in a column, lower-case GUIDs in ascending order. A GUID of zeros is no id: it is the empty text already
 * (`read.ts`).
 * @param columns one event of each shape (`shapes.ts`) is enough
 * @param kinds only in events of these kinds
 */
export function idsIn(columns: EventColumns, column: IdColumn, kinds?: readonly number[]): string[] {
  const { kind, texts, length } = columns;
  const numbers = columns[column];
  const seen = new Uint8Array(texts.length);
  if (kinds === undefined) for (let i = 0; i < length; i++) seen[numbers[i]] = 1;
  else {
    const counts = Uint8Array.from({ length: 256 }, (_, k) => (kinds.includes(k) ? 1 : 0));
    for (let i = 0; i < length; i++) if (counts[kind[i]] === 1) seen[numbers[i]] = 1;
  }
  return texts.filter((text, number) => text !== "" && seen[number] === 1).sort();
}

/** availability_replica_ids by which a server's own events name it: one per availability group it is in. @param columns as for `idsIn` */
export const ownIdsOf = (columns: EventColumns): string[] => idsIn(columns, "self");

/** Counts of events end here: a count above `FEW_EVENTS` is not rare. */
const ENOUGH = FEW_EVENTS + 1;

/** The ids that events in several parts carry. */
export class IdsOfParts {
  /** How many events name each id, up to `ENOUGH`. */
  readonly #events: Readonly<Record<IdColumn, Map<string, number>>> = {
    self: new Map(),
    partner: new Map(),
    group: new Map(),
    database: new Map(),
  };

  /**
   * @param events number that each row represents, up to `ENOUGH`; one by default
   * @throws ImpossibleIds where they name far more than a server can have
   */
  add(columns: EventColumns, events?: Uint8Array): void {
    for (const column of ID_COLUMNS) {
      const counts = events === undefined ? countsOf(columns, column) : sumsOf(columns, column, events);
      addTo(this.#events[column], columns.texts, counts);
    }
    const { self, partner, group, database } = this.#events;
    expectPossible(Math.max(self.size, partner.size), group.size, database.size);
  }

  /** As `idsIn` of all parts together. */
  in(column: IdColumn): string[] {
    return [...this.#events[column].keys()].sort();
  }

  /** As `idsOfDamage`. @throws ImpossibleIds */
  ofDamage(): ReadonlySet<string> {
    return idsOfDamage(this.#named());
  }

  #named(): NamedIds {
    const { self, partner, group, database } = this.#events;
    const replicas = new Map(self);
    for (const [id, events] of partner) replicas.set(id, (replicas.get(id) ?? 0) + events);
    return { replicas, groups: group, databases: database };
  }
}

/** Events by number of the text, up to `ENOUGH`. */
function countsOf({ texts, length, ...columns }: EventColumns, column: IdColumn): Uint8Array {
  const numbers = columns[column];
  const counts = new Uint8Array(texts.length);
  for (let i = 0; i < length; i++) if (counts[numbers[i]] < ENOUGH) counts[numbers[i]]++;
  return counts;
}

function sumsOf(
  { texts, length, ...columns }: EventColumns,
  column: IdColumn,
  events: Uint8Array,
): Uint8Array {
  const numbers = columns[column];
  const sums = new Uint8Array(texts.length);
  for (let i = 0; i < length; i++) sums[numbers[i]] = Math.min(ENOUGH, sums[numbers[i]] + events[i]);
  return sums;
}

function addTo(events: Map<string, number>, texts: readonly string[], counts: Uint8Array): void {
  for (const [number, count] of counts.entries())
    if (count > 0 && texts[number] !== "")
      events.set(texts[number], Math.min(ENOUGH, count + (events.get(texts[number]) ?? 0)));
}
