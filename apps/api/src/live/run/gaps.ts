/** Periods of a run in which a replica could not be read, with their reasons. */
import type { LiveGap } from "@aglens/contract";
import type { Moment, RunClock } from "./run-clock.ts";

export type GapReason = LiveGap["reason"];

interface Gap {
  readonly replica: number;
  readonly reason: GapReason;
  readonly from: Moment;
  to: Moment | null;
  message: string;
}

/** Losses that follow each other this closely are one gap. */
const ONE_GAP_MS = 3_000;
const MOST_GAPS = 500;

export class Gaps {
  readonly #gaps: Gap[] = [];

  /** Begins a gap unless one of that reason is open. @returns whether it began */
  open(replica: number, reason: GapReason, from: Moment, message: string): boolean {
    if (this.#isOpen(replica, reason)) return false;
    this.#gaps.push({ replica, reason, from, to: null, message });
    if (this.#gaps.length > MOST_GAPS) this.#gaps.shift();
    return true;
  }

  /** Ends the replica's gaps of these reasons. */
  close(replica: number, reasons: readonly GapReason[], to: Moment): void {
    for (const gap of this.#gaps) {
      if (gap.replica === replica && gap.to === null && reasons.includes(gap.reason)) gap.to = to;
    }
  }

  /** Adds a gap that has ended; it lengthens the gap just before it. */
  add(replica: number, reason: GapReason, from: Moment, to: Moment, message: string): void {
    const last = this.#gaps.findLast((gap) => gap.replica === replica && gap.reason === reason);
    if (last?.to != null && from.wallMs - last.to.wallMs <= ONE_GAP_MS) {
      last.to = to;
      last.message = message;
      return;
    }
    this.open(replica, reason, from, message);
    this.close(replica, [reason], to);
  }

  /** All, in the run's time. */
  asLiveGaps(clock: RunClock): LiveGap[] {
    return this.#gaps.map(({ replica, reason, from, to, message }) => ({
      replica,
      reason,
      message,
      from: from.in(clock),
      to: to === null ? null : to.in(clock),
    }));
  }

  #isOpen(replica: number, reason: GapReason): boolean {
    return this.#gaps.some((gap) => gap.replica === replica && gap.reason === reason && gap.to === null);
  }
}
