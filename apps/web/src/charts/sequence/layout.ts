/**
 * Positions in the classic picture: pure geometry in CSS pixels, no drawing. Times in are µs on the primary's clock.
 */
import type { Sequence } from "@aglens/contract";
import { scaleLinear } from "d3-scale";

type Hop = Sequence["hops"][number];

/** Turns an instant into a horizontal position. */
export type Position = (time: number) => number;

/** Known instants of the block towards one secondary, ascending and without repeats. */
export function instantsOf(sequence: Sequence, hop: Hop | undefined): number[] {
  const values = [
    ...Object.values(sequence.local),
    ...Object.values(hop?.anchors ?? {}),
    ...sequence.commits.flatMap((commit) => [commit.start, commit.end]),
  ].filter((value): value is number => value !== null);
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Range that the picture shows: from the first instant to the last. */
export function pictureRange(sequence: Sequence, hop: Hop | undefined): [number, number] {
  const instants = instantsOf(sequence, hop);
  const from = instants[0] ?? sequence.time;
  const to = instants.at(-1) ?? from;
  return [from, Math.max(to, from + 1)];
}

/** Position to scale: length is time. */
export const toScale = (range: readonly [number, number], left: number, right: number): Position =>
  scaleLinear().domain(range).range([left, right]);

/** Position in even steps: each known instant gets one step; between two instants it is linear. */
export function evenSteps(instants: readonly number[], left: number, right: number): Position {
  if (instants.length < 2) return () => left;
  const step = (right - left) / (instants.length - 1);
  return scaleLinear()
    .domain(instants)
    .range(instants.map((_, i) => left + i * step))
    .clamp(true);
}

/** Box positions of lenses in a row, each as near to its place as the neighbors and the edges allow. */
export function placeLenses(
  wanted: readonly number[],
  width: number,
  left: number,
  right: number,
  gap = 12,
): number[] {
  const placed = wanted.map((center) => Math.min(Math.max(center - width / 2, left), right - width));
  for (let i = 1; i < placed.length; i++) placed[i] = Math.max(placed[i], placed[i - 1] + width + gap);
  for (let i = placed.length - 1; i >= 0; i--) {
    const limit = i === placed.length - 1 ? right - width : placed[i + 1] - width - gap;
    placed[i] = Math.min(placed[i], limit);
  }
  return placed;
}
