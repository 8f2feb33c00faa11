import { DEFAULT_LIMITS, type FileGap, type ReadLimits } from "../format/index.ts";

/** What the reading of a text lost, as gaps of its report; those beyond the limit are counted only. */
export class Losses {
  readonly gaps: FileGap[] = [];
  unlistedGaps = 0;
  readonly #most: number;

  constructor(limits: Partial<ReadLimits> = {}) {
    this.#most = limits.gaps ?? DEFAULT_LIMITS.gaps;
  }

  add(gap: FileGap): void {
    if (this.gaps.length < this.#most) this.gaps.push(gap);
    else this.unlistedGaps++;
  }
}
