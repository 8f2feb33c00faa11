/** The ids that a server's events carry. */
import type { EventColumns } from "./columns.ts";

/**
 * Ids in a column, lower-case GUIDs in ascending order. A GUID of zeros is none: it is the empty text already (`read.ts`).
 * @param kinds only in events of these kinds
 */
export function idsIn(
  columns: EventColumns,
  column: "self" | "partner" | "group" | "database",
  kinds?: readonly number[],
): string[] {
  const { kind, length, texts } = columns;
  const numbers = columns[column];
  const counts = Uint8Array.from({ length: 256 }, (_, k) =>
    kinds === undefined || kinds.includes(k) ? 1 : 0,
  );
  const seen = new Uint8Array(texts.length);
  for (let row = 0; row < length; row++) if (counts[kind[row]] === 1) seen[numbers[row]] = 1;
  return texts.filter((text, number) => text !== "" && seen[number] === 1).sort();
}

/** The kinds that occur in a server's events. */
export function kindsIn({ kind, length }: EventColumns): number[] {
  const seen = new Uint8Array(256);
  for (let row = 0; row < length; row++) seen[kind[row]] = 1;
  return [...seen.keys()].filter((each) => seen[each] === 1);
}

/** availability_replica_ids by which a server's own events name it: one per availability group it is in. */
export const ownIdsOf = (columns: EventColumns): string[] => idsIn(columns, "self");
