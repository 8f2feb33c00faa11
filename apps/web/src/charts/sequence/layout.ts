/**
 * Where things of the classic picture stand: pure geometry in CSS pixels, no drawing.
 * Times in are µs on the primary's clock.
 */
import type { Sequence, SequenceEvent } from "xel-parser/contract";

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

/** First instant to last, the stretch that the picture shows. */
export function span(sequence: Sequence, hop: Hop | undefined): [number, number] {
  const instants = instantsOf(sequence, hop);
  const from = instants[0] ?? sequence.time;
  const to = instants.at(-1) ?? from;
  return [from, Math.max(to, from + 1)];
}

/** Position to scale: length is time. */
export function toScale([from, to]: readonly [number, number], left: number, right: number): Position {
  return (time) => left + ((time - from) / (to - from)) * (right - left);
}

/** Position in even steps: each known instant takes one step; between two instants it is linear. */
export function evenSteps(instants: readonly number[], left: number, right: number): Position {
  const step = (right - left) / Math.max(1, instants.length - 1);
  return (time) => {
    if (instants.length < 2 || time <= instants[0]) return left;
    const next = instants.findIndex((instant) => instant >= time);
    if (next < 0) return right;
    const before = instants[next - 1];
    return left + (next - 1 + (time - before) / (instants[next] - before)) * step;
  };
}

export interface Lens {
  readonly key: "send" | "receive" | "acknowledge" | "release";
  readonly events: readonly SequenceEvent[];
  readonly from: number;
  readonly to: number;
  readonly hidden: number;
}

const LENS_ROWS = 8;

/** A magnified group of events, at most eight rows: the first seven and the last; null when the capture holds none. */
function lens(key: Lens["key"], events: readonly SequenceEvent[]): Lens | null {
  if (events.length === 0) return null;
  const shown = events.length <= LENS_ROWS ? events : [...events.slice(0, LENS_ROWS - 1), events.at(-1)!];
  const from = Math.min(...shown.map((event) => event.fire ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...shown.map((event) => event.fire ?? Number.NEGATIVE_INFINITY));
  return { key, events: shown, from, to, hidden: events.length - shown.length };
}

/** µs before the block's own work that still belong to its first lens; a longer wait for the group is drawn to scale. */
const BEFORE_WORK = 200;

/** When the primary began to work on the block, after commits had waited to be grouped. */
function firstWork(sequence: Sequence, hop: Hop | undefined): number {
  const { pushedToLogPool, localFlushStart } = sequence.local;
  const known = [pushedToLogPool, localFlushStart, hop?.anchors.sendStart].filter((value) => value != null);
  return Math.min(...known);
}

/** The four lenses over the stretches that are too short to see (design: sequence). */
export function lensesOf(sequence: Sequence, secondary: number): Lens[] {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const at = (name: string): number => hop?.anchors[name] ?? Number.NaN;
  const timed = sequence.events.filter((event) => event.fire !== null);
  const about = (event: SequenceEvent): boolean => event.secondary == null || event.secondary === secondary;
  const primary = timed.filter((event) => event.replica === 0 && about(event));
  const remote = timed.filter((event) => event.replica === secondary + 1);
  const within = (events: readonly SequenceEvent[], from: number, to: number): SequenceEvent[] =>
    events.filter((event) => event.fire! >= from && event.fire! <= to);
  // Half a microsecond: instants of one server are whole microseconds, moved by a fraction when clocks are aligned.
  const slack = 0.5;
  return [
    lens("send", within(primary, firstWork(sequence, hop) - BEFORE_WORK, at("sendEnd") + slack)),
    lens("receive", within(remote, Number.NEGATIVE_INFINITY, at("secondaryFlushStart") + slack)),
    lens("acknowledge", within(remote, at("secondaryFlushEnd") - slack, Number.POSITIVE_INFINITY)),
    lens("release", within(primary, at("ackReceived") - slack, Number.POSITIVE_INFINITY)),
  ].filter((candidate): candidate is Lens => candidate !== null);
}

/** Box positions of lenses in a row, each as near to its place as the neighbours and the edges allow. */
export function placeLenses(
  wanted: readonly number[],
  width: number,
  left: number,
  right: number,
  gap = 12,
): number[] {
  const placed = wanted.map((centre) => Math.min(Math.max(centre - width / 2, left), right - width));
  for (let i = 1; i < placed.length; i++) placed[i] = Math.max(placed[i], placed[i - 1] + width + gap);
  for (let i = placed.length - 1; i >= 0; i--) {
    const limit = i === placed.length - 1 ? right - width : placed[i + 1] - width - gap;
    placed[i] = Math.min(placed[i], limit);
  }
  return placed;
}
