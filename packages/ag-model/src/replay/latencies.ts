/** Latencies of all commits, as measured or as predicted, and their figures. */
import { perModel } from "../columns/index.ts";
import { firstAtOrAfter, stepFor, type BinnedValues, type Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { binned, DISTRIBUTION_BINS } from "./latency-bins.ts";

const SECOND_US = 1_000_000;
const MOST_STRETCHES = 60;

/** Percentiles and releases by periods of equal length. */
export interface OverTime {
  readonly binUs: number;
  /** µs, by period; NaN for one without commits. */
  readonly p50: readonly number[];
  readonly p95: readonly number[];
  /** Commits by their release, then by period. */
  readonly releases: readonly (readonly number[])[];
}

/** Release of a commit that is excluded, because its block is not fully joined. */
export const LEFT_OUT = 255;

/** Each figure is computed once, on its first use. */
export class Latencies {
  readonly #model: CaptureModel;
  /** µs, by row of the commit table; NaN for a commit that is excluded. */
  readonly binned: BinnedValues;
  /** Release of each commit: 0 the local log write, r + 1 the acknowledgment of replica r, `LEFT_OUT`. */
  readonly release: Uint8Array;
  /** By period, then by bin among all edges. */
  #counts: readonly Uint32Array[] | undefined;
  #statistics: Statistics | undefined;
  #overTime: OverTime | undefined;

  constructor(model: CaptureModel, latency: Float64Array, release: Uint8Array) {
    this.#model = model;
    this.binned = binned(latency);
    this.release = release;
  }

  /** µs, by row of the commit table. */
  get latency(): Float64Array {
    return this.binned.values;
  }

  get statistics(): Statistics {
    return (this.#statistics ??= this.binned.statistics(this.#countsOfAll()));
  }

  /** Commits by bin of the distribution. */
  get counts(): Uint32Array {
    const { length, of } = DISTRIBUTION_BINS;
    const counts = new Uint32Array(length);
    for (const [bin, count] of this.#countsOfAll().entries()) counts[of[bin]] += count;
    return counts;
  }

  get overTime(): OverTime {
    return (this.#overTime ??= this.#findOverTime());
  }

  /** Commits by their release. */
  get releases(): number[] {
    return this.overTime.releases.map((byPeriod) => byPeriod.reduce((sum, count) => sum + count, 0));
  }

  #countsByStretch(): readonly Uint32Array[] {
    return (this.#counts ??= eventRunsOf(this.#model).rows.map(([first, end]) =>
      this.binned.count(first, end),
    ));
  }

  #countsOfAll(): Uint32Array {
    const [first, ...others] = this.#countsByStretch();
    const all = first.slice();
    for (const counts of others) for (let bin = 0; bin < all.length; bin++) all[bin] += counts[bin];
    return all;
  }

  #findOverTime(): OverTime {
    const { binUs, rows } = eventRunsOf(this.#model);
    const counts = this.#countsByStretch();
    const percentiles = rows.map(([first, end], i) =>
      this.binned.percentiles(first, end, counts[i], [50, 95]),
    );
    const releases = rows.map(([first, end]) => countReleases(this.release, first, end));
    return {
      binUs,
      p50: percentiles.map(([p50]) => p50),
      p95: percentiles.map(([, p95]) => p95),
      releases: Array.from({ length: this.#model.replicas.length + 1 }, (_, by) =>
        releases.map((ofPeriod) => ofPeriod[by]),
      ),
    };
  }
}

const lastMeasured = perModel((): { last: Latencies | null } => ({ last: null }));

/**
 * Latencies as measured. Most changes exclude the same commits: the last result is kept.
 * @param release as `Latencies` has it; may be written to afterwards
 */
export function measuredLatencies(model: CaptureModel, release: Uint8Array): Latencies {
  const kept = lastMeasured(model);
  const { last } = kept;
  if (last !== null && isSame(last.release, release)) return last;
  return (kept.last = new Latencies(model, latenciesOf(model, release), release.slice()));
}

function latenciesOf({ commits: { start, end } }: CaptureModel, release: Uint8Array): Float64Array {
  const latency = new Float64Array(release.length);
  for (let c = 0; c < latency.length; c++)
    latency[c] = release[c] === LEFT_OUT ? Number.NaN : end[c] - start[c];
  return latency;
}

function isSame(column: Uint8Array, other: Uint8Array): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] !== other[i]) return false;
  return true;
}

/**
 * Periods of equal length over the capture, and the commits of each: the first one's row, and the row after the last.
 */
const eventRunsOf = perModel((model: CaptureModel) => {
  const { duration, commits } = model;
  const binUs = stepFor(duration, SECOND_US, MOST_STRETCHES);
  const length = Math.max(1, Math.ceil(duration / binUs));
  // Commits are in the order of their start: those of a period are one run.
  const firsts = Array.from({ length }, (_, i) => (i === 0 ? 0 : firstAtOrAfter(commits.start, i * binUs)));
  const rows = firsts.map((first, i) => [first, firsts[i + 1] ?? commits.length] as const);
  return { binUs, rows };
});

function countReleases(release: Uint8Array, first: number, end: number): Uint32Array {
  const counts = new Uint32Array(LEFT_OUT + 1);
  for (let c = first; c < end; c++) counts[release[c]]++;
  return counts;
}
