import type { CaptureBrief } from "@aglens/contract";

/** The list with captures that were deleted since, each where it was, newest first: they can be restored there. */
export function withDeleted(
  captures: readonly CaptureBrief[],
  deleted: readonly CaptureBrief[],
): readonly CaptureBrief[] {
  const gone = new Set(deleted.map(({ id }) => id));
  // As the API sorts them: by the time, then by the id.
  return [...captures.filter(({ id }) => !gone.has(id)), ...deleted].toSorted(
    (a, b) => compare(b.created, a.created) || compare(a.id, b.id),
  );
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
