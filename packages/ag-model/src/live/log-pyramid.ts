import { largest } from "../numbers/index.ts";
import { bytesOf } from "./held.ts";
import type { LiveModelBins } from "./picture.ts";

/** No screen can show more bins. */
const MOST_BINS = 1024;
const FIRST_WIDTH_US = 1_000_000;
/** Classes of length from 8 µs to over 100 s, each 13 % longer than the one before: a median is precise to 7 %. */
const CLASSES = 128;
const FIRST_CLASS_LOG2 = 3;
const CLASSES_PER_OCTAVE = 5.4;
const MOST_PER_CLASS = 0xffff;

interface Lane {
  /** Durations per class, CLASSES entries per bin. */
  readonly classes: Uint16Array;
  readonly max: Float64Array;
}

/**
 * The complete run in equal bins of at first one second: per lane a histogram with classes of equal ratio. When the
 * bins are used up, each two become one, so that a run of days takes as much memory as one of an hour.
 */
export class LogPyramid {
  width = FIRST_WIDTH_US;
  readonly #count = new Uint32Array(MOST_BINS);
  readonly #lanes = new Map<string, Lane>();
  #length = 0;

  /** Bytes of memory that it takes. */
  get bytes(): number {
    return this.#count.byteLength + bytesOf(...this.#lanes.values());
  }

  /** A log block at an instant of the run, µs. */
  addBlock(time: number): void {
    if (isTime(time)) this.#count[this.#binOf(time)]++;
  }

  /** Adds a duration in a lane, µs; NaN is skipped. */
  add(key: string, time: number, duration: number): void {
    if (Number.isNaN(duration) || !isTime(time)) return;
    const lane = this.#lane(key);
    const bin = this.#binOf(time);
    const slot = bin * CLASSES + classOf(duration);
    if (lane.classes[slot] === MOST_PER_CLASS) halve(lane.classes, bin);
    lane.classes[slot]++;
    if (!(lane.max[bin] >= duration)) lane.max[bin] = duration;
  }

  /**
   * The bins from the one that contains an instant on; all of them when the width is not the one that the reader has.
   */
  bins(from: number, knownWidth: number): LiveModelBins {
    const { width } = this;
    const firstBin = width === knownWidth ? Math.max(0, Math.floor(from / width)) : 0;
    const length = Math.max(0, Math.ceil(this.#length) - firstBin);
    const bins = Array.from({ length }, (_, i) => firstBin + i);
    const p50: Record<string, number[]> = {};
    const max: Record<string, number[]> = {};
    for (const [key, lane] of this.#lanes) {
      p50[key] = bins.map((bin) => medianOf(lane, bin));
      max[key] = bins.map((bin) => lane.max[bin]);
    }
    return { width, firstBin, count: bins.map((bin) => this.#count[bin]), p50, max };
  }

  #lane(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = {
        classes: new Uint16Array(MOST_BINS * CLASSES),
        max: new Float64Array(MOST_BINS).fill(Number.NaN),
      };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #binOf(time: number): number {
    while (time >= this.width * MOST_BINS) this.#merge();
    const bin = Math.floor(time / this.width);
    this.#length = Math.max(this.#length, bin + 1);
    return bin;
  }

  #merge(): void {
    for (const { classes, max } of this.#lanes.values()) {
      for (let bin = 0; bin < MOST_BINS; bin++) {
        const [a, b] = [2 * bin, 2 * bin + 1];
        const isThere = b < MOST_BINS;
        joinClasses(classes, bin);
        max[bin] = isThere ? largest(max, a, a + 2) : Number.NaN;
      }
    }
    for (let bin = 0; bin < MOST_BINS; bin++)
      this.#count[bin] = 2 * bin + 1 < MOST_BINS ? this.#count[2 * bin] + this.#count[2 * bin + 1] : 0;
    this.width *= 2;
    // The rounding of a half does not matter: the bin that made this necessary is after all others.
    this.#length /= 2;
  }
}

/** A century: a later time is no time of a run, and no width of bins would reach it. */
const LATEST_US = 3.2e15;

const isTime = (time: number): boolean => time >= 0 && time < LATEST_US;

function classOf(duration: number): number {
  if (!(duration > 8)) return 0;
  return Math.min(CLASSES - 1, Math.floor((Math.log2(duration) - FIRST_CLASS_LOG2) * CLASSES_PER_OCTAVE));
}

const middleOfClass = (index: number): number => 2 ** (FIRST_CLASS_LOG2 + (index + 0.5) / CLASSES_PER_OCTAVE);

/** Makes room in a bin's classes; their shape, and so the median, stays. */
function halve(classes: Uint16Array, bin: number): void {
  for (let slot = bin * CLASSES; slot < (bin + 1) * CLASSES; slot++) classes[slot] >>= 1;
}

/** Makes a bin's classes the sums of those of the two bins that it replaces; their shape, and so the median, stays. */
function joinClasses(classes: Uint16Array, bin: number): void {
  const slot = bin * CLASSES;
  const first = 2 * slot;
  if (first >= classes.length) {
    classes.fill(0, slot, slot + CLASSES);
    return;
  }
  const sumOf = (c: number): number => classes[first + c] + classes[first + CLASSES + c];
  let most = 0;
  for (let c = 0; c < CLASSES; c++) most = Math.max(most, sumOf(c));
  const shift = most > MOST_PER_CLASS ? 1 : 0;
  for (let c = 0; c < CLASSES; c++) classes[slot + c] = sumOf(c) >> shift;
}

function medianOf({ classes, max }: Lane, bin: number): number {
  const from = bin * CLASSES;
  let total = 0;
  for (let c = 0; c < CLASSES; c++) total += classes[from + c];
  if (total === 0) return Number.NaN;
  let seen = 0;
  let index = 0;
  while ((seen += classes[from + index]) * 2 < total) index++;
  return Math.min(middleOfClass(index), max[bin]);
}
