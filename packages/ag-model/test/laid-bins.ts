import type { LiveModelBins } from "../src/live/picture.ts";

/** Counts of bins of one width in a client: each piece replaces the ones before it from its first bin on. */
export function laid(pieces: readonly (LiveModelBins | null)[]): number[] {
  const counts: number[] = [];
  for (const piece of pieces) {
    if (piece === null) continue;
    counts.length = Math.min(counts.length, piece.firstBin);
    while (counts.length < piece.firstBin) counts.push(0);
    counts.push(...piece.count);
  }
  return counts;
}
