/** The ids that a server's events carry. */
import type { EventColumns } from "./columns.ts";

/**
 * Ids in a column, lower-case GUIDs in ascending order. A GUID of zeros is none: it is the empty text already (`read.ts`).
 * @param columns one event of each shape (`shapes.ts`) is enough
 * @param kinds only in events of these kinds
 */
export function idsIn(
  columns: EventColumns,
  column: "self" | "partner" | "group" | "database",
  kinds?: readonly number[],
): string[] {
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

/** The ids that events in several parts carry. */
export class IdsOfParts {
  readonly #found = {
    self: new Set<string>(),
    partner: new Set<string>(),
    group: new Set<string>(),
    database: new Set<string>(),
  };

  add(columns: EventColumns): void {
    for (const column of ["self", "partner", "group", "database"] as const)
      for (const id of idsIn(columns, column)) this.#found[column].add(id);
  }

  /** As `idsIn` of all parts together. */
  in(column: "self" | "partner" | "group" | "database"): string[] {
    return [...this.#found[column]].sort();
  }
}
