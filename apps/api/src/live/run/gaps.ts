/** Stretches of a run in which a replica could not be read, with their reasons. Instants are ms of this machine's clock. */
import type { LiveGap } from "@aglens/contract";

export type GapReason = LiveGap["reason"];

interface Gap {
  readonly replica: number;
  readonly reason: GapReason;
  readonly fromMs: number;
  toMs: number | null;
  message: string;
}

/** Losses that follow each other this closely are one gap. */
const ONE_GAP_MS = 3_000;
const MOST_GAPS = 500;

export class Gaps {
  readonly #gaps: Gap[] = [];

  /** Begins a gap unless one of that reason is open. @returns whether it began */
  open(replica: number, reason: GapReason, fromMs: number, message: string): boolean {
    if (this.#isOpen(replica, reason)) return false;
    this.#gaps.push({ replica, reason, fromMs, toMs: null, message });
    if (this.#gaps.length > MOST_GAPS) this.#gaps.shift();
    return true;
  }

  /** Ends the replica's gaps of these reasons. */
  close(replica: number, reasons: readonly GapReason[], toMs: number): void {
    for (const gap of this.#gaps) {
      if (gap.replica === replica && gap.toMs === null && reasons.includes(gap.reason)) gap.toMs = toMs;
    }
  }

  /** A gap that is over; it lengthens the one just before it. */
  add(replica: number, reason: GapReason, fromMs: number, toMs: number, message: string): void {
    const last = this.#gaps.findLast((gap) => gap.replica === replica && gap.reason === reason);
    if (last?.toMs != null && fromMs - last.toMs <= ONE_GAP_MS) {
      last.toMs = toMs;
      last.message = message;
      return;
    }
    this.open(replica, reason, fromMs, message);
    this.close(replica, [reason], toMs);
  }

  /** All, in the run's time. @param at µs of an instant */
  asLiveGaps(at: (wallMs: number) => number): LiveGap[] {
    return this.#gaps.map(({ replica, reason, fromMs, toMs, message }) => ({
      replica,
      reason,
      message,
      from: at(fromMs),
      to: toMs === null ? null : at(toMs),
    }));
  }

  #isOpen(replica: number, reason: GapReason): boolean {
    return this.#gaps.some((gap) => gap.replica === replica && gap.reason === reason && gap.toMs === null);
  }
}
