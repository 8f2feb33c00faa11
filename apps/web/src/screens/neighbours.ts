/** Blocks beside an instant, found by their times. */
import type { Sequence } from "@aglens/contract";
import type { CaptureSource, TimeRange } from "../data/capture-source.ts";
import type { Question } from "../data/use-answer.ts";

/** The blocks on either side of a stretch without any; null where the capture has none. */
export interface Neighbours {
  readonly previous: Sequence | null;
  readonly next: Sequence | null;
}

/** Row of the last block that begins before an instant (µs); null when there is none. */
export function rowBefore(source: CaptureSource, instant: number): Question<number | null> {
  const found = source.findAt(instant);
  return {
    key: `row before ${found.key}`,
    ask: async (signal) => {
      const [block] = (await found.ask(signal)).rows;
      if (block === undefined) return null;
      // Past the last block the last one is what is found.
      const row = block.time < instant ? block.row : block.row - 1;
      return row < 0 ? null : row;
    },
  };
}

/** Row of the first block that begins at or after an instant (µs); null when there is none. */
export function rowFrom(source: CaptureSource, instant: number): Question<number | null> {
  const found = source.findAt(instant);
  return {
    key: `row from ${found.key}`,
    ask: async (signal) => {
      const [block] = (await found.ask(signal)).rows;
      return block === undefined || block.time < instant ? null : block.row;
    },
  };
}

/** The blocks before and after a stretch that has none. */
export function neighboursOf(source: CaptureSource, { from, to }: TimeRange): Question<Neighbours> {
  const before = rowBefore(source, from);
  const after = rowFrom(source, to);
  return {
    key: `${before.key} ${after.key}`,
    ask: async (signal) => {
      const read = async (row: Question<number | null>): Promise<Sequence | null> => {
        const found = await row.ask(signal);
        return found === null ? null : source.sequence(found).ask(signal);
      };
      const [previous, next] = await Promise.all([read(before), read(after)]);
      return { previous, next };
    },
  };
}

/** A block ends where the next one begins, within one VLF: what lies between them was never written, or is lost. */
export function joint({ previous, next }: Neighbours): "gapless" | "hole" | "unknown" {
  if (!previous || !next || previous.size === null || previous.database !== next.database) return "unknown";
  const end = BigInt(previous.blockId) + BigInt(previous.size / 512);
  const begin = BigInt(next.blockId);
  if (end === begin) return "gapless";
  return begin > end && end >> 32n === begin >> 32n ? "hole" : "unknown";
}

/** What a hole in the ids says of a time without blocks. */
export const HOLE_WORDS = "Block ids have a hole here: log blocks of this time are missing in the files.";
