/** The ids that a server's events carry. */
import { allRows } from "../numbers/index.ts";
import type { EventColumns } from "./columns.ts";

/**
 * Ids in a column, lower-case GUIDs in ascending order. A GUID of zeros is none: it is the empty text already (`read.ts`).
 * @param kinds only in events of these kinds
 * @param events of those to look at, one of each shape (`shapes.ts`) is enough; all when absent
 */
export function idsIn(
  columns: EventColumns,
  column: "self" | "partner" | "group" | "database",
  kinds?: readonly number[],
  events: Uint32Array = allRows(columns.length),
): string[] {
  const { kind, texts } = columns;
  const numbers = columns[column];
  const counts = Uint8Array.from({ length: 256 }, (_, k) =>
    kinds === undefined || kinds.includes(k) ? 1 : 0,
  );
  const seen = new Uint8Array(texts.length);
  for (let k = 0; k < events.length; k++) if (counts[kind[events[k]]] === 1) seen[numbers[events[k]]] = 1;
  return texts.filter((text, number) => text !== "" && seen[number] === 1).sort();
}

/** availability_replica_ids by which a server's own events name it: one per availability group it is in. @param events as for `idsIn` */
export const ownIdsOf = (columns: EventColumns, events?: Uint32Array): string[] =>
  idsIn(columns, "self", undefined, events);
