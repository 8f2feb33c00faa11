/** Replays a log writer's recorded arrivals faster and slower against its measured writes. */
import { inChunks, type RowRange } from "../numbers/index.ts";
import type { LogWriter } from "./log-writer.ts";
import { durationsOf } from "./write-durations.ts";

/** One replay. */
export interface RatePoint {
  /** How many times as fast as recorded. */
  readonly times: number;
  /** Share of the time with a write running, 0 to 1. */
  readonly busy: number;
  /** Mean wait for other writes per block, µs. */
  readonly waitUs: number;
}

/** Least share of the time with a write running from which a log writer counts as full. */
export const FULL_BUSY = 0.9;

const SPEEDS = [
  0.1, 0.16, 0.25, 0.4, 0.63, 1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8, 10, 12.8, 16, 20, 25.6, 32, 40,
] as const;

/** Replays at several speeds, slowest first; empty for a writer that does not queue or has fewer than two blocks. */
export function replayAtSpeeds(writer: LogWriter): RatePoint[] {
  if (writer.policy === "atOnce" || writer.start.length < 2) return [];
  return replayed(writer, SPEEDS, durationsOf(writer));
}

/** @param writeUs duration of every write, µs; as measured when absent */
export function replayAtSpeed(writer: LogWriter, times: number, writeUs?: number): RatePoint {
  const durations = durationsOf(writer);
  return replayed(writer, [times], writeUs === undefined ? durations : durations.fill(writeUs))[0];
}

function replayed(writer: LogWriter, speeds: readonly number[], writeUs: Float64Array): RatePoint[] {
  const replays = speeds.map((times) => new SpeedReplay(writer, writeUs, times));
  inChunks(writer.start.length, (chunk) => {
    for (const replay of replays) replay.play(chunk);
  });
  return replays.map((replay) => replay.point);
}

/**
 * Replay at one speed. The queue is that of `WriteQueue` for a writer that queues, in plain numbers: it processes all
 * blocks 22 times.
 */
class SpeedReplay {
  readonly #writer: LogWriter;
  readonly #writeUs: Float64Array;
  readonly #times: number;
  /** When the first write starts, µs. */
  #from = 0;
  /** The write that runs or runs next, µs. */
  #start = -Infinity;
  #end = -Infinity;
  #busy = 0;
  #waited = 0;

  constructor(writer: LogWriter, writeUs: Float64Array, times: number) {
    this.#writer = writer;
    this.#writeUs = writeUs;
    this.#times = times;
  }

  /** Replays the blocks of a chunk, which follow those of the last one. */
  play({ first, end: beyond }: RowRange): void {
    const { entered, ready, turnaround, policy } = this.#writer;
    const writeUs = this.#writeUs;
    const times = this.#times;
    const origin = entered[0];
    const isShared = policy === "together";
    let [start, end, busy, waited] = [this.#start, this.#end, this.#busy, this.#waited];
    for (let i = first; i < beyond; i++) {
      const arrival = (entered[i] - origin) / times + ready[i] - entered[i];
      if (!isShared || arrival > start) {
        start = Math.max(arrival, end + turnaround);
        end = start + Math.max(writeUs[i], 0);
        busy += end - start;
        if (i === 0) this.#from = start;
      }
      waited += Math.max(0, start - arrival);
    }
    [this.#start, this.#end, this.#busy, this.#waited] = [start, end, busy, waited];
  }

  get point(): RatePoint {
    return {
      times: this.#times,
      busy: this.#busy / (this.#end - this.#from),
      waitUs: this.#waited / this.#writer.start.length,
    };
  }
}

/**
 * Factor of the recorded rate that keeps the writer 90 % busy, interpolated between the replays; NaN when none of them
 * reaches it.
 */
export function timesUntilFull(points: readonly RatePoint[]): number {
  const above = points.findIndex(({ busy }) => busy >= FULL_BUSY);
  if (above < 0) return Number.NaN;
  if (above === 0) return points[0].times;
  const [low, high] = [points[above - 1], points[above]];
  return low.times + ((high.times - low.times) * (FULL_BUSY - low.busy)) / (high.busy - low.busy);
}
