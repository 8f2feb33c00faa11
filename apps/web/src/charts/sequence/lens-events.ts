/** Chooses the events that the lenses of the classic picture show: those of the periods that are too short to see. */
import { EventName } from "@aglens/ag-model/events";
import type { Sequence, SequenceEvent } from "@aglens/contract";
import { isKnown } from "./frame.ts";

type Hop = Sequence["hops"][number];

export interface Lens {
  /** `ack` in place of `release` where another replica or the local write released the commits. */
  readonly key: "send" | "receive" | "acknowledge" | "release" | "ack";
  readonly events: readonly SequenceEvent[];
  /** First and last instant that it magnifies, µs. */
  readonly from: number;
  readonly to: number;
  /** Length of the lens's period, µs, as in the stage table; null where only one of its ends is known. */
  readonly length: number | null;
  /** Events that found no row. */
  readonly hidden: number;
}

const LENS_ROWS = 8;
/**
 * Time before the block's own work that still belongs to its first lens, µs; a longer wait for the group is drawn to
 * scale.
 */
const BEFORE_WORK = 200;
/** Half a microsecond: instants of one server are whole microseconds, moved by a fraction when clocks are aligned. */
const SLACK = 0.5;

/**
 * At most eight rows: the first seven and the last; null without events. `about` is the period of the path, if known.
 */
function lens(
  key: Lens["key"],
  events: readonly SequenceEvent[],
  about: readonly [number | null | undefined, number | null | undefined],
): Lens | null {
  if (events.length === 0) return null;
  const shown = events.length <= LENS_ROWS ? events : [...events.slice(0, LENS_ROWS - 1), events.at(-1)!];
  const fires = shown.map((event) => event.fire!);
  const [begin, end] = [about[0] ?? Math.min(...fires), about[1] ?? Math.max(...fires)];
  return {
    key,
    events: shown,
    from: Math.min(begin, ...fires),
    to: Math.max(...fires),
    length: shown.length > 1 || about.every(isKnown) ? end - begin : null,
    hidden: events.length - shown.length,
  };
}

/**
 * Events whose instant comes from the server's counter. An event without start_timestamp is placed at its publish time,
 * some milliseconds off: magnified to microseconds that would be wrong. Where no event has one, all are equally good.
 */
function timed(sequence: Sequence): SequenceEvent[] {
  const fired = sequence.events.filter((event) => event.fire !== null);
  const counted = fired.filter((event) => !event.byPublish);
  return counted.length > 0 ? counted : fired;
}

/**
 * Events of the primary that concern one hop; a send_complete names no replica, but its end shows which hop it belongs
 * to.
 */
function ofHop(events: readonly SequenceEvent[], secondary: number, hop: Hop | undefined): SequenceEvent[] {
  const sendEnd = hop?.anchors["sendEnd"];
  return events.filter((event) => {
    if (event.replica !== 0) return false;
    if (isKnown(event.secondary)) return event.secondary === secondary;
    const foreign = event.name === EventName.sendComplete && isKnown(sendEnd);
    return !foreign || Math.abs(event.fire! - sendEnd) <= SLACK;
  });
}

/**
 * Splits the secondary's events at its log write; by their names, because drift moves them against the path's instants.
 */
function partedByWrite(
  events: readonly SequenceEvent[],
  hop: Hop | undefined,
): [SequenceEvent[], SequenceEvent[]] {
  const written = events.findLastIndex(({ name }) => name === EventName.flushComplete);
  const end = hop?.anchors["secondaryFlushEnd"] ?? Number.NaN;
  const after = written >= 0 ? events.slice(written) : events.filter(({ fire }) => fire! >= end - SLACK);
  const start = (hop?.anchors["secondaryFlushStart"] ?? Number.NaN) + SLACK;
  const before = events.filter((event) => !after.includes(event) && (event.begin ?? event.fire!) <= start);
  return [before, after];
}

/** When the primary began to work on the block, after commits had waited to be grouped. */
function firstWork(sequence: Sequence, hop: Hop | undefined): number {
  const { pushedToLogPool, localFlushStart } = sequence.local;
  return Math.min(...[pushedToLogPool, localFlushStart, hop?.anchors["sendStart"]].filter(isKnown));
}

/** The four lenses over the periods that are too short to see (docs/contribute/design.md 4). */
export function lensesOf(sequence: Sequence, secondary: number): Lens[] {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const { sendEnd, received, secondaryFlushStart, secondaryFlushEnd, ackSent, ackReceived, ackProcessed } =
    hop?.anchors ?? {};
  const events = timed(sequence);
  const primary = ofHop(events, secondary, hop);
  const within = (from: number, to: number): SequenceEvent[] =>
    primary.filter(({ fire }) => fire! >= from && fire! <= to);
  const [receives, acknowledges] = partedByWrite(
    events.filter(({ replica }) => replica === secondary + 1),
    hop,
  );
  const releases = sequence.gate === secondary + 2;
  const first = within(firstWork(sequence, hop) - BEFORE_WORK, (sendEnd ?? Number.NaN) + SLACK);
  const last = within(
    (ackReceived ?? Number.NaN) - SLACK,
    releases ? Number.POSITIVE_INFINITY : (ackProcessed ?? Number.NaN) + SLACK,
  );
  return [
    lens("send", first, [first[0]?.fire, sendEnd]),
    lens("receive", receives, [received, secondaryFlushStart]),
    lens("acknowledge", acknowledges, [secondaryFlushEnd, ackSent]),
    releases
      ? lens("release", last, [ackReceived, sequence.local["commitEnd"]])
      : lens("ack", last, [ackReceived, ackProcessed]),
  ].filter((candidate): candidate is Lens => candidate !== null);
}
