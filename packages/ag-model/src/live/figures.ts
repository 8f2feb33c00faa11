/** Percentiles and shares of the range in view, by lane and by secondary. */
import { durationKey, remoteSharesOf, SPAN_IDS } from "../columns/index.ts";
import type { rangeStatistics } from "../query/range-statistics.ts";
import type { CaptureModel, CommitMode } from "../replication/shapes/tables.ts";
import { REMOTE_STAGE_IDS, STAGE_IDS } from "../replication/shapes/stages.ts";
import type { LiveModelFigures, StageShares } from "./picture.ts";
import type { Secondaries } from "./secondaries.ts";

type Statistics = ReturnType<typeof rangeStatistics>;
type Present = Secondaries["present"];

/**
 * Index in `present` of the secondary that the readouts are about: the slowest one, if possible of the attached ones
 * and of those that commits wait for; -1 for none.
 * @param modes commit mode of each of `present`
 */
export function mainSecondary(
  { stages }: Statistics,
  present: Present,
  modes: readonly CommitMode[],
): number {
  const harden = (s: number): number => stages[s]["remoteHarden"].mean ?? -1;
  const attached = ofThese([...present.keys()], (s) => present[s].replica >= 0);
  const among = ofThese(attached, (s) => modes[s] !== "async");
  return among.reduce((best, s) => (best < 0 || harden(s) > harden(best) ? s : best), -1);
}

/** The wanted indexes, or all if none is wanted. */
function ofThese(indexes: readonly number[], isWanted: (index: number) => boolean): readonly number[] {
  const wanted = indexes.filter(isWanted);
  return wanted.length > 0 ? wanted : indexes;
}

/** Percentiles (µs) by lane key. */
export function figuresOf(
  { commitLatency, stages }: Statistics,
  present: Present,
): Record<string, LiveModelFigures> {
  const figures: Record<string, LiveModelFigures> = { commit: figureOf(commitLatency) };
  for (const [s, { number }] of present.entries()) {
    for (const id of [...STAGE_IDS, ...SPAN_IDS]) figures[durationKey(id, number)] = figureOf(stages[s][id]);
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
