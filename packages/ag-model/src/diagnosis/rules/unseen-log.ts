/**
 * Time in which log was written that no server has an event of. By their ids, blocks are missing between two others,
 * and as much log is missing as was written before or after it in a period of the same length. Where few blocks are
 * missing in a long time it is not known for how long they were lost: most of it may well have been idle.
 */
import { firstAtOrAfter } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { missingBlocks, WHOLE_BLOCKS, type Hole } from "./loss.ts";

/**
 * Least size of the missing log, as a part of the log that was written in as long a time before or after it, the larger
 * of both.
 */
const BESIDE_PART = 0.5;

/** Holes that are such a time, of a model with one primary, in order of time. */
export const unseenLog = (model: CaptureModel): readonly Hole[] =>
  missingBlocks(model).holes.filter((hole) => isUnseen(model, hole));

function isUnseen({ blocks }: CaptureModel, { from, to, before, bytes, blocks: count }: Hole): boolean {
  if (count < WHOLE_BLOCKS || !(to > from)) return false;
  const { time, size, database } = blocks;
  const bytesBetween = (start: number, end: number): number => {
    let sum = 0;
    for (let row = firstAtOrAfter(time, start); row < time.length && time[row] < end; row++)
      if (database[row] === database[before] && size[row] > 0) sum += size[row];
    return sum;
  };
  const beside = Math.max(bytesBetween(2 * from - to, from), bytesBetween(to, 2 * to - from));
  return bytes >= BESIDE_PART * beside;
}
