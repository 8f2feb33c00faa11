/** Blocks that a filter or a time finds. */
import {
  type BlockFilter,
  firstView,
  type Hits,
  type Sequence,
  type ShownRange,
  type SlowBlocks,
} from "@aglens/contract";
import { type CaptureSource, MOST_SLOWEST, type TimeRange } from "../../data/capture-source.ts";
import { type Answer, type Question, useAnswer } from "../../data/use-answer.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import type { View } from "../../state/view.ts";
import { useCapture } from "./capture-context.ts";
import { rangeOfView, shownRange } from "./shown-range.ts";

/** A filter's hits. While the hits of a new filter are loaded, the old hits stay together with their filter. */
export interface FoundHits extends Hits {
  readonly where: BlockFilter;
}

/** The blocks of the current filter. */
export interface HitList {
  /** Number and cost of the hits; null without a filter. */
  readonly hits: Answer<FoundHits>;
  /** The first MOST_SLOWEST in the view's order. */
  readonly list: Answer<SlowBlocks>;
  /** Place of the selected block in the list; -1 when the list does not contain it. */
  readonly position: number;
  /** Selects a hit; the view only moves where the hit is outside of it. */
  readonly select: (index: number) => void;
  /** Selects the next or the previous block of the list; without a selection, its first or last one. */
  readonly step: (by: 1 | -1) => void;
  /** Makes the view as long as all hits. */
  readonly fit: () => void;
}

/** Free space on either side of all hits, as a share of their length. */
const FIT_MARGIN = 0.02;

/** The hits of the view's filter: counted, listed, and stepped through in the order of their list. */
export function useHits(): HitList {
  const { source, summary, view, setView } = useCapture();
  const { where, hitOrder, range, block } = view;
  const duration = Math.max(1, summary.durationUs);
  const whole: TimeRange = { from: 0, to: duration };
  const shown = shownRange(view, summary);
  const hits = useAnswer(where && foundHits(source, where, { from: shown[0], to: shown[1] }));
  const list = useAnswer(
    where &&
      source.slowest({
        range: whole,
        sort: hitOrder === "slowest" ? "matched" : hitOrder,
        secondary: view.secondary,
        descending: hitOrder !== "time",
        limit: MOST_SLOWEST,
        where,
      }),
  );
  const rows = list.value?.rows ?? [];
  const position = block === null ? -1 : rows.findIndex(({ row }) => row === block);
  const select = (index: number): void => {
    const hit = rows[index];
    if (hit !== undefined)
      setView(
        { block: hit.row, selected: null, range: rangeWith(range, shown, hit.time, duration) },
        "replace",
      );
  };
  const step = (by: 1 | -1): void => {
    if (position >= 0) select(position + by);
    else select(by > 0 ? 0 : rows.length - 1);
  };
  const fit = (): void => {
    const { first, last } = hits.value ?? { first: null, last: null };
    if (first !== null && last !== null)
      setView({ range: rangeOfView(firstView(summary), rangeAround(first, last, duration)) });
  };
  return { hits, list, position, select, step, fit };
}

function foundHits(source: CaptureSource, where: BlockFilter, shown: TimeRange): Question<FoundHits> {
  const { key, ask } = source.hits(where, shown);
  return { key: `found ${key}`, ask: async (signal) => ({ ...(await ask(signal)), where }) };
}

/**
 * The view's own range, or the range that is shown without one, where it contains the instant; else a range of the same
 * length around the instant.
 */
function rangeWith(
  range: View["range"],
  [begin, end]: ShownRange,
  at: number,
  duration: number,
): View["range"] {
  if (at >= begin && at < end) return range;
  const span = end - begin;
  const from = Math.min(Math.max(0, at - span / 2), Math.max(0, duration - span));
  return [from, from + span];
}

function rangeAround(first: number, last: number, duration: number): ShownRange {
  const margin = Math.max(1_000, (last - first) * FIT_MARGIN);
  return [Math.max(0, first - margin), Math.min(duration, last + margin)];
}

/** The blocks before and after a period without blocks; null where the capture has no block on that side. */
export interface Neighbors {
  readonly previous: Sequence | null;
  readonly next: Sequence | null;
}

/** Row of the last block that begins before an instant (µs); null when no block does. */
export function rowBefore(source: CaptureSource, instant: number): Question<number | null> {
  const found = source.findAt(instant);
  return {
    key: `row before ${found.key}`,
    ask: async (signal) => {
      const [block] = (await found.ask(signal)).rows;
      if (block === undefined) return null;
      // After the last block, the last one is found.
      const row = block.time < instant ? block.row : block.row - 1;
      return row < 0 ? null : row;
    },
  };
}

/** Row of the first block that begins at or after an instant (µs); null when no block does. */
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

/** The blocks before and after a period without blocks. */
export function neighborsOf(source: CaptureSource, { from, to }: TimeRange): Question<Neighbors> {
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

/** Within one VLF, a block ends where the next one begins: blocks between them were never written, or are lost. */
export function joint({ previous, next }: Neighbors): "gapless" | "hole" | "unknown" {
  if (!previous || !next || previous.size === null || previous.database !== next.database) return "unknown";
  const end = BigInt(previous.blockId) + BigInt(previous.size / 512);
  const begin = BigInt(next.blockId);
  if (end === begin) return "gapless";
  return begin > end && end >> 32n === begin >> 32n ? "hole" : "unknown";
}

/** Text for a period without blocks where the block ids have a hole. */
export const HOLE_WORDS = texts.blockIds;
