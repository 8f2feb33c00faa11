/** How far an analysis is by time, and how long the rest takes: from the pace of analyses before, or a built-in one. */
import { isTimedPhase, TIMED_PHASES } from "@aglens/contract";
import type { AnalysisPace, PhaseStarts, Progress, TimedPhase } from "@aglens/contract";

/** Decoding in ns per byte, the others in ns per event. */
type Pace = AnalysisPace["ns"];

/** Measured with 8 M events in 613 MB on two cores. */
const BUILT_IN_PACE: Pace = {
  decode: 5,
  roles: 5,
  join: 500,
  align: 60,
  measure: 170,
  verdict: 280,
  store: 100,
};

export interface ExpectedTime {
  /** Completed share of the work by time, 0..1; below 1 while it runs. */
  readonly share: number;
  readonly leftS: number;
  /** By how much the running phase exceeds what was expected of it. */
  readonly overS: number;
  /**
   * Possible error of the remaining time, from the differences between earlier analyses, s; null where fewer than two
   * are known.
   */
  readonly spreadS: number | null;
  /** The estimate is only based on the built-in pace. */
  readonly isRough: boolean;
  readonly phases: readonly ExpectedPhase[];
}

export interface ExpectedPhase {
  readonly phase: TimedPhase;
  /** Its time: as it was where it is over and was seen from its beginning, else as expected. */
  readonly seconds: number;
  /** How much of it is over, 0..1. */
  readonly share: number;
  readonly state: "done" | "now" | "later";
  /** Its time was seen, not expected. */
  readonly isSeen: boolean;
}

/** An event file has some 77 bytes per event, before the first events are counted. */
const BYTES_PER_EVENT = 77;

function eventsIn({ bytesDone, bytesTotal, events }: Progress): number {
  return bytesDone > 0 && events > 0 ? (events * bytesTotal) / bytesDone : bytesTotal / BYTES_PER_EVENT;
}

/** ms that a phase is expected to take at a pace. */
function expectedMs(progress: Progress, pace: Pace, phase: TimedPhase): number {
  return (pace[phase] * (phase === "decode" ? progress.bytesTotal : eventsIn(progress))) / 1e6;
}

/** A shorter time, in ms, does not predict the rest. */
const LEAST_MS = 500;
/** Minimum share of the bytes before the pace is estimated: the first bytes take longer, because threads start. */
const LEAST_READ = 0.05;

/** How much slower than its pace the analysis has been, over the phases that are done and the bytes that are read. */
function slowness(progress: Progress, starts: PhaseStarts, pace: Pace, current: number): number {
  let taken = 0;
  let expected = 0;
  for (const [i, phase] of TIMED_PHASES.slice(1, current).entries()) {
    const [begin, end] = [starts[phase], starts[TIMED_PHASES[i + 2] ?? "store"]];
    if (begin === undefined || end === undefined) continue;
    taken += end - begin;
    expected += expectedMs(progress, pace, phase);
  }
  return taken < LEAST_MS || expected === 0 ? 1 : taken / expected;
}

/** Captures up to this factor larger or smaller have about the same pace. */
const ALIKE = 4;

/**
 * Paces of analyses of about this size. Others don't predict it: most of a small capture's time is startup time, ten
 * times as much per event as in a large one.
 */
const alikePaces = (bytes: number, paces: readonly AnalysisPace[]): readonly Pace[] =>
  paces.filter((pace) => pace.bytes <= ALIKE * bytes && bytes <= ALIKE * pace.bytes).map(({ ns }) => ns);

/** The median pace of each phase. */
function middlePace(paces: readonly Pace[]): Pace {
  const middle = (phase: TimedPhase): number => {
    const sorted = paces.map((pace) => pace[phase]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? BUILT_IN_PACE[phase];
  };
  return Object.fromEntries(TIMED_PHASES.map((phase) => [phase, middle(phase)])) as Record<
    TimedPhase,
    number
  >;
}

/**
 * @param paces of earlier analyses in the same place; without one of about its size the estimate is rough
 * @returns null while the analysis waits or nothing was reported
 */
export function expectedTime(
  progress: Progress | null,
  starts: PhaseStarts,
  nowMs: number,
  paces: readonly AnalysisPace[],
): ExpectedTime | null {
  if (progress === null || !isTimedPhase(progress.phase) || progress.bytesTotal === 0) return null;
  const alike = alikePaces(progress.bytesTotal, paces);
  const time = timeAtPace(progress, progress.phase, starts, nowMs, middlePace(alike));
  const rests = alike.map(
    (pace) => timeAtPace(progress, progress.phase as TimedPhase, starts, nowMs, pace).leftS,
  );
  const spreadS = rests.length < 2 ? null : (Math.max(...rests) - Math.min(...rests)) / 2;
  return { ...time, spreadS, isRough: alike.length === 0 };
}

function timeAtPace(
  progress: Progress,
  phaseNow: TimedPhase,
  starts: PhaseStarts,
  nowMs: number,
  pace: Pace,
): Pick<ExpectedTime, "share" | "leftS" | "overS" | "phases"> {
  const current = TIMED_PHASES.indexOf(phaseNow);
  const slower = slowness(progress, starts, pace, current);
  const runsMs = nowMs - (starts[phaseNow] ?? nowMs);
  const phases = TIMED_PHASES.map((phase, i) => {
    const expected = expectedMs(progress, pace, phase) * (phase === "decode" ? 1 : slower);
    if (i > current) return { phase, ms: expected, doneMs: 0, isSeen: false };
    const next = starts[TIMED_PHASES[i + 1] ?? "store"];
    const begin = starts[phase];
    if (i < current) {
      const isSeen = begin !== undefined && next !== undefined;
      const ms = isSeen ? next - begin : expected;
      return { phase, ms, doneMs: ms, isSeen };
    }
    if (phase !== "decode")
      return { phase, ms: Math.max(expected, runsMs), doneMs: Math.min(expected, runsMs), isSeen: false };
    const read = progress.bytesDone / progress.bytesTotal;
    const ms = read >= LEAST_READ && runsMs >= LEAST_MS ? runsMs / read : Math.max(expected, runsMs);
    return { phase, ms, doneMs: ms * read, isSeen: false };
  });
  const wholeMs = phases.reduce((sum, { ms }) => sum + ms, 0);
  const doneMs = phases.reduce((sum, part) => sum + part.doneMs, 0);
  const overMs =
    phaseNow === "decode" ? 0 : Math.max(0, runsMs - expectedMs(progress, pace, phaseNow) * slower);
  return {
    share: wholeMs === 0 ? 0 : Math.min(0.99, doneMs / wholeMs),
    leftS: Math.max(0, wholeMs - doneMs - overMs) / 1000,
    overS: overMs / 1000,
    phases: phases.map(({ phase, ms, doneMs: done, isSeen }, i) => ({
      phase,
      seconds: ms / 1000,
      share: ms === 0 ? 0 : done / ms,
      state: i < current ? "done" : i === current ? "now" : "later",
      isSeen,
    })),
  };
}
