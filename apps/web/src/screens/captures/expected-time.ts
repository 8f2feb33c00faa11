/** How far an analysis is by time, and how long the rest takes: from the pace of the analysis watched last, or a built-in one. */
import type { Progress } from "@aglens/contract";

export const TIMED_PHASES = ["decode", "roles", "join", "align", "measure", "verdict", "store"] as const;
export type TimedPhase = (typeof TIMED_PHASES)[number];

/** Time that phases take: decoding in ns per byte, the others in ns per event. */
export type Pace = Readonly<Record<TimedPhase, number>>;

/** Of 8 M events in 613 MB on two cores. */
export const BUILT_IN_PACE: Pace = {
  decode: 5,
  roles: 5,
  join: 500,
  align: 60,
  measure: 170,
  verdict: 280,
  store: 100,
};

/** When each phase began as far as it was seen, ms on one clock. */
export type PhaseStarts = Readonly<Partial<Record<TimedPhase, number>>>;

export interface ExpectedTime {
  /** Of the work by time, 0..1; below 1 while it runs. */
  readonly share: number;
  readonly leftS: number;
  /** By how much the running phase exceeds what was expected of it. */
  readonly overS: number;
  /** Expected time of each phase, and how much of it is over, 0..1. */
  readonly phases: readonly {
    readonly phase: TimedPhase;
    readonly seconds: number;
    readonly share: number;
  }[];
}

const isTimed = (phase: Progress["phase"]): phase is TimedPhase =>
  (TIMED_PHASES as readonly string[]).includes(phase);

/** An event file has some 77 bytes per event, before the first events are counted. */
const BYTES_PER_EVENT = 77;

function eventsIn({ bytesDone, bytesTotal, events }: Progress): number {
  return bytesDone > 0 && events > 0 ? (events * bytesTotal) / bytesDone : bytesTotal / BYTES_PER_EVENT;
}

/** ms that a phase is expected to take at a pace. */
function expectedMs(progress: Progress, pace: Pace, phase: TimedPhase): number {
  return (pace[phase] * (phase === "decode" ? progress.bytesTotal : eventsIn(progress))) / 1e6;
}

/** The starts with that of the phase that a report is about. */
export function withStart(
  starts: PhaseStarts,
  { phase }: Pick<Progress, "phase">,
  nowMs: number,
): PhaseStarts {
  return isTimed(phase) && starts[phase] === undefined ? { ...starts, [phase]: nowMs } : starts;
}

/** The pace of an analysis that was watched from its beginning to its end; null for another. */
export function paceOf(starts: PhaseStarts, last: Progress, endMs: number): Pace | null {
  const times = TIMED_PHASES.map((phase) => starts[phase] ?? Number.NaN);
  const units = (phase: TimedPhase): number => (phase === "decode" ? last.bytesTotal : last.events);
  if (times.some(Number.isNaN) || last.bytesTotal === 0 || last.events === 0) return null;
  const entries = TIMED_PHASES.map((phase, i): [TimedPhase, number] => [
    phase,
    (((times[i + 1] ?? endMs) - (times[i] ?? endMs)) * 1e6) / units(phase),
  ]);
  return Object.fromEntries(entries) as Record<TimedPhase, number>;
}

/** Of fewer ms nothing follows for the rest. */
const LEAST_MS = 500;
/** The first bytes take longer than those that follow: threads begin. A share of all. */
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

/** @returns null while the analysis waits or nothing was reported */
export function expectedTime(
  progress: Progress | null,
  starts: PhaseStarts,
  nowMs: number,
  pace: Pace,
): ExpectedTime | null {
  if (progress === null || !isTimed(progress.phase) || progress.bytesTotal === 0) return null;
  const current = TIMED_PHASES.indexOf(progress.phase);
  const slower = slowness(progress, starts, pace, current);
  const runsMs = nowMs - (starts[progress.phase] ?? nowMs);
  const phases = TIMED_PHASES.map((phase, i) => {
    const expected = expectedMs(progress, pace, phase) * (phase === "decode" ? 1 : slower);
    if (i > current) return { phase, ms: expected, doneMs: 0 };
    const next = starts[TIMED_PHASES[i + 1] ?? "store"];
    const begin = starts[phase];
    if (i < current) {
      const ms = begin === undefined || next === undefined ? expected : next - begin;
      return { phase, ms, doneMs: ms };
    }
    if (phase !== "decode")
      return { phase, ms: Math.max(expected, runsMs), doneMs: Math.min(expected, runsMs) };
    const read = progress.bytesDone / progress.bytesTotal;
    const ms = read >= LEAST_READ && runsMs >= LEAST_MS ? runsMs / read : Math.max(expected, runsMs);
    return { phase, ms, doneMs: ms * read };
  });
  const wholeMs = phases.reduce((sum, { ms }) => sum + ms, 0);
  const doneMs = phases.reduce((sum, part) => sum + part.doneMs, 0);
  const now = phases[current];
  const overMs =
    progress.phase === "decode"
      ? 0
      : Math.max(0, runsMs - expectedMs(progress, pace, progress.phase) * slower);
  return {
    share: wholeMs === 0 ? 0 : Math.min(0.99, doneMs / wholeMs),
    leftS: Math.max(0, wholeMs - doneMs - overMs) / 1000,
    overS: now === undefined ? 0 : overMs / 1000,
    phases: phases.map(({ phase, ms, doneMs: done }) => ({
      phase,
      seconds: ms / 1000,
      share: ms === 0 ? 0 : done / ms,
    })),
  };
}
