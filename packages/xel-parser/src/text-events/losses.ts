import { DEFAULT_LIMITS, type FileGap, type ReadLimits } from "../format/index.ts";

/** Losses while a text was read, as gaps of its report; gaps beyond the limit are only counted. */
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
