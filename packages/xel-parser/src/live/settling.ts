/** What decides when blocks settle, and what is booked of them when they do. */
import type { Piece } from "./block-pieces.ts";
import type { laneColumns } from "./lanes.ts";
import type { LogPyramid } from "./log-pyramid.ts";

/** Takes what began before an instant into the bins of the whole run. */
export function book(
  pyramid: LogPyramid,
  lanes: ReturnType<typeof laneColumns>,
  blockTimes: Float64Array,
  before: number,
): void {
  for (const [key, { times, durations }] of lanes) {
    for (let row = 0; row < times.length && times[row] < before; row++)
      pyramid.add(key, times[row], durations[row]);
  }
  for (let row = 0; row < blockTimes.length && blockTimes[row] < before; row++)
    pyramid.addBlock(blockTimes[row]);
}

/** The longest time from a block's or commit's first event to its last, µs. */
export function longestOf({ blocks, commits }: Piece): number {
  let longest = 0;
  for (let row = 0; row < blocks.length; row++)
    longest = Math.max(longest, blocks.timeEnd[row] - blocks.time[row]);
  for (let row = 0; row < commits.length; row++)
    longest = Math.max(longest, commits.end[row] - commits.start[row] || 0);
  return longest;
}

/** The last block with an answer, and the first one behind it that was sent and has none; NaN and Infinity for none. */
export function firstAfterLast(
  time: Float64Array,
  sent: Float64Array,
  answer: Float64Array,
): { readonly answered: number; readonly waiting: number } {
  let last = time.length - 1;
  while (last >= 0 && Number.isNaN(answer[last])) last--;
  let row = last + 1;
  while (row < time.length && Number.isNaN(sent[row])) row++;
  return { answered: last < 0 ? Number.NaN : time[last], waiting: row < time.length ? time[row] : Infinity };
}
