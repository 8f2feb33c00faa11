/** Durations of the phases of earlier analyses, from which the next one's are estimated. */
import { z } from "./zod.ts";

/** Phases of an analysis that take time, in their order. */
export const TIMED_PHASES = ["decode", "roles", "join", "align", "measure", "verdict", "store"] as const;
export type TimedPhase = (typeof TIMED_PHASES)[number];

/** Pace of one analysis. */
export const AnalysisPace = z.object({
  /**
   * Bytes of its event files. Captures of about the same size have similar paces; in small ones the start of each phase
   * dominates.
   */
  bytes: z.number().positive(),
  /** Decoding in ns per byte, the others in ns per event. */
  ns: z.object({
    decode: z.number().nonnegative(),
    roles: z.number().nonnegative(),
    join: z.number().nonnegative(),
    align: z.number().nonnegative(),
    measure: z.number().nonnegative(),
    verdict: z.number().nonnegative(),
    store: z.number().nonnegative(),
  }),
});
export type AnalysisPace = z.infer<typeof AnalysisPace>;

/** Number of analyses whose paces are kept: their spread is the spread of an estimate. */
export const MOST_PACES = 10;

/** Begin of each observed phase, ms on one clock. */
export type PhaseStarts = Readonly<Partial<Record<TimedPhase, number>>>;

export const isTimedPhase = (phase: string): phase is TimedPhase =>
  (TIMED_PHASES as readonly string[]).includes(phase);

/** The starts, with the start of the phase of a report. */
export function withStart(
  starts: PhaseStarts,
  { phase }: { readonly phase: string },
  nowMs: number,
): PhaseStarts {
  return isTimedPhase(phase) && starts[phase] === undefined ? { ...starts, [phase]: nowMs } : starts;
}

/** The pace of an analysis that was watched from its beginning to its end, phase after phase; null for another. */
export function paceOf(
  starts: PhaseStarts,
  last: { readonly bytesTotal: number; readonly events: number },
  endMs: number,
): AnalysisPace | null {
  const times = TIMED_PHASES.map((phase) => starts[phase] ?? Number.NaN);
  if (times.some(Number.isNaN) || last.bytesTotal === 0 || last.events === 0) return null;
  const nsOf = (phase: TimedPhase): number => {
    const i = TIMED_PHASES.indexOf(phase);
    const ms = (times[i + 1] ?? endMs) - (times[i] ?? endMs);
    return (ms * 1e6) / (phase === "decode" ? last.bytesTotal : last.events);
  };
  const [decode, roles, join, align, measure, verdict, store] = TIMED_PHASES.map(nsOf);
  const pace = AnalysisPace.safeParse({
    bytes: last.bytesTotal,
    ns: { decode, roles, join, align, measure, verdict, store },
  });
  return pace.data ?? null;
}
