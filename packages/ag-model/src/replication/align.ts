/** Moves what every secondary's own counter gave to the primary's clock (docs/model.md 5). */
import { alignSecondary, type Alignment } from "./alignment.ts";
import type { HopAnchors } from "./anchor-columns.ts";
import type { Continuity } from "./continuity.ts";
import type { Joined } from "./join.ts";
import { SECONDARY_ANCHORS } from "./tables.ts";

/** Finds each captured secondary's clock and moves its instants to the primary's. */
export function alignClocks(
  { servers, first, rows, hops, ids }: Joined,
  continuity: Continuity | undefined,
): readonly Alignment[] {
  const alignments = servers.slice(first).map((server, s) =>
    alignSecondary(s, servers[0], server, hops[s], rows, {
      before: (instant) => continuity?.boundsBefore(ids.secondaries[s], instant),
      onBounds: (bounds) => continuity?.onBounds(ids.secondaries[s], bounds),
    }),
  );
  for (const [s, alignment] of alignments.entries()) moveToPrimary(hops[s], alignment);
  return alignments;
}

/**
 * Moves a secondary's instants to the primary's clock, each block as a whole by its receive: what lies between them on
 * the secondary stays as its own counter measured it.
 */
function moveToPrimary(hop: HopAnchors, { toPrimary }: Alignment): void {
  const columns = SECONDARY_ANCHORS.map((name) => hop.at[name]);
  for (let row = 0; row < hop.obtained.length; row++) {
    const first = columns.find((column) => !Number.isNaN(column[row]));
    if (first === undefined) continue;
    const shift = toPrimary(first[row]) - first[row];
    for (const column of columns) column[row] += shift;
  }
}
