import type { CaptureModel } from "../replication/shapes/tables.ts";
import { microsecondsToTicks, ticksToMicroseconds } from "../replication/clocks/time.ts";

/** If a counter falls by more than this, its server was restarted, µs. */
const RESTART_US = 1_000_000;

/**
 * Time of a run: µs since the first event, counted by the primary's counter as long as there is one and it is the same
 * server's; at a change of server it continues by UTC.
 */
export class RunClock {
  /** UTC of time 0, FILETIME ticks; 0 before the first model. */
  originTicks = 0n;
  #reference: number | undefined;
  #counter = Number.NaN;
  #run = 0;
  /** UTC of the present primary minus that of the first one, which dates the run, µs. */
  #utcAheadUs = 0;
  #newest = -Infinity;

  /**
   * Returns the shift to add to a model's instants, and whether the count restarted.
   * @param counter the reference server's counter at the model's time 0, µs; NaN without one
   * @param to its newest event, µs of the model
   * @param reference the replica whose counter it is
   * @param utcAhead UTC of a replica minus that of another, µs; NaN without a measurement
   */
  place(
    model: CaptureModel,
    counter: number,
    to: number,
    reference: number,
    utcAhead: (replica: number, of: number) => number = () => Number.NaN,
  ): { shift: number; isNew: boolean } {
    if (this.originTicks === 0n) this.originTicks = model.origin;
    const before = this.#reference;
    const isNew = reference !== before || counter + to < this.#newest - RESTART_US;
    if (before !== undefined && reference !== before) this.#utcAheadUs += utcAhead(reference, before) || 0;
    const byUtc = this.atTicks(model.origin);
    if (isNew || Number.isNaN(this.#counter)) {
      this.#reference = reference;
      this.#counter = counter;
      this.#run = byUtc;
    }
    this.#newest = Number.isNaN(counter) ? -Infinity : counter + to;
    return { shift: Number.isNaN(counter) ? byUtc : counter - this.#counter + this.#run, isNew };
  }

  /** Index of the replica whose counter counts; -1 before the first model. */
  get reference(): number {
    return this.#reference ?? -1;
  }

  /** The reference's counter at an instant of the run, µs. */
  counterAt(run: number): number {
    return run - this.#run + this.#counter;
  }

  /** An instant of the primary's UTC as time of the run, µs. */
  atTicks(ticks: bigint): number {
    return ticksToMicroseconds(ticks - this.originTicks) - this.#utcAheadUs;
  }

  /** Time of the run as the primary's UTC, FILETIME ticks. */
  ticksAt(run: number): bigint {
    return this.originTicks + microsecondsToTicks(run + this.#utcAheadUs);
  }
}
