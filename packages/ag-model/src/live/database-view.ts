/**
 * Keeps lanes, figures and a verdict for one database of a run, in addition to those of all, while a user watches it.
 */
import { between, ofDatabase } from "../columns/index.ts";
import { judgeNow, type Judgement } from "../diagnosis/now.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { bytesOfModel } from "./held.ts";
import { laneColumns } from "./lane-columns.ts";
import { LogPyramid } from "./log-pyramid.ts";
import type { LiveModelBins, LiveModelPeriod } from "./picture.ts";
import { RecentBins } from "./recent-bins.ts";
import { book } from "./settling.ts";
import type { Verdict } from "../diagnosis/verdict.ts";

/** The recent blocks of a run, of all databases, after a step. */
export interface RecentPart {
  readonly model: CaptureModel;
  /** Number in the run of each of the model's secondaries. */
  readonly secondaries: readonly number[];
  /** Blocks before this instant had settled before the step, µs of the run. */
  readonly settledBefore: number;
  /** Later limit; Infinity when no more events of these roles follow. */
  readonly settledTo: number;
  /** The newest instant with any data, µs of the run. */
  readonly end: number;
}

export class DatabaseView {
  readonly #bins: RecentBins;
  readonly #pyramid = new LogPyramid();
  /** Blocks before this instant are in the bins of the complete run, µs of the run. */
  #bookedTo = 0;
  #overviewWidth = 0;
  #isNew = true;
  #model: CaptureModel | null = null;
  #judgement: Judgement | null = null;

  /** @param binWidth µs @param binsKept as of the lanes of all databases */
  constructor(binWidth: number, binsKept: number) {
    this.#bins = new RecentBins(binWidth, binsKept);
  }

  /** Bytes of memory that it takes. */
  get bytes(): number {
    return this.#bins.bytes + this.#pyramid.bytes + (this.#model === null ? 0 : bytesOfModel(this.#model));
  }

  /** True until the first blocks are shown to it. */
  get isEmpty(): boolean {
    return this.#isNew;
  }
  /** Its part of the recent blocks; null before the first, and from a change of roles until the first of the new ones. */
  get model(): CaptureModel | null {
    return this.#model;
  }
  get verdict(): Verdict | null {
    return this.#judgement?.verdict ?? null;
  }
  get judged(): LiveModelPeriod | null {
    return this.#judgement?.judged ?? null;
  }

  /** Takes the result of a step. @param database index in the model; -1 while the run has no block of it */
  take({ model, secondaries, settledBefore, settledTo, end }: RecentPart, database: number): void {
    const own = ofDatabase(model, database);
    const lanes = laneColumns(own, secondaries);
    const { width } = this.#bins;
    // At first all remaining blocks are new.
    const from = this.#isNew ? 0 : settledBefore;
    const { time } = own.blocks;
    this.#bins.rewrite(Math.floor(from / width), Math.floor(end / width) + 1, time, lanes);
    const fresh = new Map(
      [...lanes].map(([key, { times, durations }]) => {
        const first = firstAtOrAfter(times, this.#bookedTo);
        return [key, { times: times.subarray(first), durations: durations.subarray(first) }];
      }),
    );
    book(this.#pyramid, fresh, time.subarray(firstAtOrAfter(time, this.#bookedTo)), settledTo);
    this.#bookedTo = Math.max(this.#bookedTo, Number.isFinite(settledTo) ? settledTo : end);
    this.#isNew = false;
    this.#model = own;
  }

  /**
   * Judges the database as the complete run is judged.
   * @param covered range that all servers cover whose events are judged, µs of the run
   * @param heardOf removes the data of replicas that no longer send events
   */
  judge(covered: LiveModelPeriod, heardOf: (model: CaptureModel) => CaptureModel): void {
    const { model } = this;
    if (model === null || model.blocks.length === 0) return;
    this.#judgement = judgeNow(
      (from, to, fewest) => heardOf(between(model, from, to, fewest)),
      covered,
      this.#judgement,
    );
  }

  /** Takes a judgment on the complete run, such as one without events of its primary. */
  takeJudgement(judgement: Judgement): void {
    this.#judgement = judgement;
  }

  /** Roles changed: earlier judgments are about other paths. */
  restart(): void {
    this.#judgement = null;
    this.#model = null;
  }

  /** Its bins that may have changed since an instant, µs of the run. */
  binsFrom(settledBefore: number): { bins: LiveModelBins; overview: LiveModelBins } {
    const overview = this.#pyramid.bins(settledBefore, this.#overviewWidth);
    this.#overviewWidth = overview.width;
    return { bins: this.#bins.from(Math.floor(settledBefore / this.#bins.width)), overview };
  }

  /** All bins that are kept. */
  allBins(): { bins: LiveModelBins; overview: LiveModelBins } {
    return { bins: this.#bins.from(0), overview: this.#pyramid.bins(0, 0) };
  }
}
