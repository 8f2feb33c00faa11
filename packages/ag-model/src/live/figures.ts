/** Percentiles and shares of what is in view, by lane and by secondary. */
import { durationKey, remoteSharesOf, STRETCH_IDS } from "../columns/index.ts";
import type { rangeStatistics } from "../query/range-statistics.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { REMOTE_STAGE_IDS, STAGE_IDS } from "../replication/stages.ts";
import type { LiveModelFigures, StageShares } from "./picture.ts";
import type { Secondaries } from "./secondaries.ts";

type Statistics = ReturnType<typeof rangeStatistics>;
type Present = Secondaries["present"];

/** Index in `present` of the secondary the readouts are about: the slowest of those that are attached; -1 for none. */
export function mainSecondary({ stages }: Statistics, present: Present): number {
  const harden = (s: number): number => stages[s]["remoteHarden"].mean ?? -1;
  const attached = [...present.keys()].filter((s) => present[s].replica >= 0);
  const among = attached.length > 0 ? attached : [...present.keys()];
  return among.reduce((best, s) => (best < 0 || harden(s) > harden(best) ? s : best), -1);
}

/** Percentiles (µs) by lane key. */
export function figuresOf(
  { commitLatency, stages }: Statistics,
  present: Present,
): Record<string, LiveModelFigures> {
  const figures: Record<string, LiveModelFigures> = { commit: figureOf(commitLatency) };
  for (const [s, { number }] of present.entries()) {
    for (const id of [...STAGE_IDS, ...STRETCH_IDS])
      figures[durationKey(id, number)] = figureOf(stages[s][id]);
  }
  return figures;
}

/**
 * Share (0..1) of each stage of the remote path, by the secondaries' numbers in the run.
 * @param rows the blocks in view
 */
export function sharesOf(
  model: CaptureModel,
  rows: Uint32Array,
  present: Present,
  count: number,
): StageShares[] {
  const shares = Array.from({ length: count }, (): StageShares => ({}));
  for (const [s, { number }] of present.entries()) {
    const known = remoteSharesOf(model, s, rows);
    for (const id of REMOTE_STAGE_IDS) if (!Number.isNaN(known[id])) shares[number][id] = known[id];
  }
  return shares;
}

function figureOf({ n, p50, p95, max }: Statistics["commitLatency"]): LiveModelFigures {
  return { n, p50: p50 ?? Number.NaN, p95: p95 ?? Number.NaN, max: max ?? Number.NaN };
}
