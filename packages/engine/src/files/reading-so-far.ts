/** Progress of reading a file that is still arriving, for display before it is complete. */
import { filetimeText } from "xel-parser/format";
import type { DecodeOptions } from "xel-parser/format";
import type { ReadSoFar } from "@aglens/contract";

/** A picture has no more than a few hundred columns: further points would not be visible. */
const MOST_POINTS = 256;

interface Point {
  readonly ticks: bigint;
  readonly events: number;
}

/**
 * Collects the decoder's report after each buffer, in a memory that does not grow with the file: the count of events at
 * some hundred moments of its time. Counts are cumulative, so the mean between any two points is true even if points
 * between them were skipped.
 */
export class ReadingSoFar {
  #bytes = 0;
  #kept: Point[] = [];
  #last: Point | null = null;
  /** One of this number of buffers with progress in time is kept. */
  #step = 1;
  #passed = 0;

  /** Handler for `DecodeOptions.onProgress`; fewer bytes than before mean a second reading, which starts over. */
  readonly add: NonNullable<DecodeOptions["onProgress"]> = (bytes, events, lastTicks) => {
    if (bytes <= this.#bytes) this.#startOver();
    this.#bytes = bytes;
    // A buffer that was written late: its events count with the next one's.
    if (lastTicks === null || (this.#last !== null && lastTicks <= this.#last.ticks)) return;
    this.#last = { ticks: lastTicks, events };
    if (this.#passed++ % this.#step !== 0) return;
    this.#kept.push(this.#last);
    if (this.#kept.length < MOST_POINTS) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#step *= 2;
  };

  /** The points kept, and the one where the reading is. */
  soFar(): ReadSoFar {
    const points =
      this.#last === null || this.#kept.at(-1) === this.#last ? this.#kept : [...this.#kept, this.#last];
    return {
      bytes: this.#bytes,
      points: points.map(({ ticks, events }) => ({ at: filetimeText(ticks), events })),
    };
  }

  #startOver(): void {
    this.#kept = [];
    this.#last = null;
    this.#step = 1;
    this.#passed = 0;
  }
}
