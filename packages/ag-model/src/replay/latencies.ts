/** Latencies of all commits, as measured or as predicted, and what is said of them. */
import { oncePerModel } from "../columns/index.ts";
import { BinFinder, firstAtOrAfter, percentilesOf, statisticsOf, type Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";

/** Bins of the distribution per doubling. */
export const BINS_PER_OCTAVE = 6;
/** What is longer than 2^36 µs, some 19 hours, is in the last one. */
const MOST_BIN = 36 * BINS_PER_OCTAVE;
/** Bin b begins at 2^(b / 6) µs, the first one holds what is shorter. */
const BINS = new BinFinder(Array.from({ length: MOST_BIN }, (_, i) => 2 ** ((i + 1) / BINS_PER_OCTAVE)));

const SECOND_US = 1_000_000;
const MOST_STRETCHES = 60;

/** Percentiles and releases by stretches of equal length. */
export interface OverTime {
  readonly binUs: number;
  /** µs, by stretch; NaN for one without commits. */
  readonly p50: readonly number[];
  readonly p95: readonly number[];
  /** Commits by what releases them, then by stretch. */
  readonly releases: readonly (readonly number[])[];
}

/** Each figure is worked out when it is asked for, once. */
export class Latencies {
  readonly #model: CaptureModel;
  /** By row of the commit table, µs; NaN for a commit that is left out because its block is not fully joined. */
  readonly latency: Float64Array;
  /** What releases each: 0 the local log write, r + 1 the acknowledgement of replica r. */
  readonly release: Uint8Array;
  #statistics: Statistics | undefined;
  #counts: Uint32Array | undefined;
  #overTime: OverTime | undefined;

  constructor(model: CaptureModel, latency: Float64Array, release: Uint8Array) {
    this.#model = model;
    this.latency = latency;
    this.release = release;
  }

  get statistics(): Statistics {
    return (this.#statistics ??= statisticsOf(this.latency));
  }

  /** Commits by bin: bin b begins at 2^(b / `BINS_PER_OCTAVE`) µs. */
  get counts(): Uint32Array {
    return (this.#counts ??= countsOf(this.latency));
  }

  get overTime(): OverTime {
    return (this.#overTime ??= overTimeOf(this.#model, this));
  }

  /** Commits by what releases them. */
  get releases(): number[] {
    const { latency, release } = this;
    return [...countReleases(latency, release, 0, latency.length, this.#model.replicas.length + 1)];
  }
}

/**
 * Latencies as measured. Most changes leave out the same commits: what was said of the last ones is kept.
 * @param latency and `release`: may be written to afterwards
 */
export function measuredLatencies(
  model: CaptureModel,
  latency: Float64Array,
  release: Uint8Array,
): Latencies {
  const kept = oncePerModel(model, "replay/measured", (): { last: Latencies | null } => ({ last: null }));
  const { last } = kept;
  if (last !== null && isSame(last.latency, latency) && isSame(last.release, release)) return last;
  return (kept.last = new Latencies(model, latency.slice(), release.slice()));
}

/** NaN is the same as NaN. */
function isSame(column: Float64Array | Uint8Array, other: Float64Array | Uint8Array): boolean {
  for (let i = 0; i < column.length; i++)
    if (column[i] !== other[i] && !(Number.isNaN(column[i]) && Number.isNaN(other[i]))) return false;
  return true;
}

function countsOf(latency: Float64Array): Uint32Array {
  const bins = BINS.bins(latency, new Uint8Array(latency.length));
  const counts = new Uint32Array(MOST_BIN + 1);
  for (let c = 0; c < latency.length; c++) if (!Number.isNaN(latency[c])) counts[bins[c]]++;
  return counts;
}

function overTimeOf(
  { duration, replicas, commits }: CaptureModel,
  { latency, release }: Latencies,
): OverTime {
  const binUs = Math.max(SECOND_US, Math.ceil(duration / MOST_STRETCHES / SECOND_US) * SECOND_US);
  const length = Math.max(1, Math.ceil(duration / binUs));
  const releases = Array.from({ length: replicas.length + 1 }, () => Array.from({ length }, () => 0));
  const [p50, p95]: [number[], number[]] = [[], []];
  // Commits are in the order of their start: those of a bin are one run.
  for (let bin = 0, first = 0; bin < length; bin++) {
    const end = bin === length - 1 ? latency.length : firstAtOrAfter(commits.start, (bin + 1) * binUs);
    const counts = countReleases(latency, release, first, end, releases.length);
    for (const [by, count] of counts.entries()) releases[by][bin] = count;
    const percentiles = percentilesOf(latency.subarray(first, end), [50, 95]);
    p50.push(percentiles[0]);
    p95.push(percentiles[1]);
    first = end;
  }
  return { binUs, p50, p95, releases };
}

function countReleases(
  latency: Float64Array,
  release: Uint8Array,
  first: number,
  end: number,
  candidates: number,
): Uint32Array {
  const counts = new Uint32Array(candidates);
  for (let c = first; c < end; c++) if (!Number.isNaN(latency[c])) counts[release[c]]++;
  return counts;
}
