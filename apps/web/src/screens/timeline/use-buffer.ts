import { useEffect, useMemo, useRef, useState } from "react";
import type { BinWindow, BlockFilter, BlockWindow, CommitWindow } from "@aglens/contract";
import type { CaptureScope } from "@aglens/ag-model/query";
import {
  buildBuffer,
  type BinsOf,
  type Buffer,
  type ClockShift,
  NO_COMMITS,
} from "../../charts/timeline/spans.ts";
import {
  type CaptureSource,
  LANE_BINS,
  MOST_LANE_BLOCKS,
  type TimeRange,
} from "../../data/capture-source.ts";
import { type Answer, type Question, useAnswer } from "../../data/use-answer.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { databasesOf } from "../../lanes/split-lanes.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import type { Range, Viewport } from "./viewport.ts";

/** The buffer is this many views wide. */
const BUFFER_VIEWS = 3;
const SETTLE_MS = 120;

interface Loaded {
  readonly window: BlockWindow | BinWindow;
  readonly commits: CommitWindow;
  readonly binsOf: BinsOf;
}

/**
 * True when a window over `asked` still serves the view: it covers the view, and its bins are not much coarser than
 * needed.
 * @param isBlocks the window is known to have every block, so that no zoom makes it coarse
 */
export function servesView(asked: TimeRange, isBlocks: boolean, [from, to]: Range): boolean {
  if (asked.from > from || asked.to < to) return false;
  return isBlocks || asked.to - asked.from <= (to - from) * (BUFFER_VIEWS + 1);
}

/**
 * The range to request around a view, µs; the complete capture where that is small enough. It begins and ends at
 * multiples of a quarter to half a view: users who look at about the same time send the same request, and the API has
 * its answer.
 */
export function bufferRange([from, to]: Range, duration: number, isComplete: boolean): TimeRange {
  if (isComplete) return { from: 0, to: duration };
  const view = to - from;
  const margin = (view * (BUFFER_VIEWS - 1)) / 2;
  const step = 2 ** Math.floor(Math.log2(view / 2));
  return {
    from: Math.max(0, Math.floor((from - margin) / step) * step),
    to: Math.min(duration, Math.ceil((to + margin) / step) * step),
  };
}

/**
 * A window with its commits. Bins contain their own commits, so the commits of a large capture are only requested after
 * its blocks.
 */
function windowWithCommits(
  source: CaptureSource,
  range: TimeRange,
  isComplete: boolean,
  where: BlockFilter | null,
  split: readonly CaptureScope[],
): Question<Loaded> {
  const blocks = source.window(range, MOST_LANE_BLOCKS, LANE_BINS, where);
  const commits = source.commits(range, MOST_LANE_BLOCKS, where);
  return {
    key: `${blocks.key} ${commits.key} ${split.map(({ database }) => database).join("_")}`,
    ask: async (signal) => {
      const binsWithin = (scope: CaptureScope): Promise<BlockWindow | BinWindow> =>
        source.scoped(scope).window(range, 0, LANE_BINS, where).ask(signal);
      if (isComplete) {
        const [window, all] = await Promise.all([blocks.ask(signal), commits.ask(signal)]);
        return { window, commits: all, binsOf: await binsOfEach(split, binsWithin, window) };
      }
      const window = await blocks.ask(signal);
      return {
        window,
        commits: window.detail === "bins" ? NO_COMMITS : await commits.ask(signal),
        binsOf: await binsOfEach(split, binsWithin, window),
      };
    },
  };
}

const noBins = (from: number, to: number): BinWindow => ({
  detail: "bins",
  from,
  to,
  length: 0,
  count: new Uint32Array(),
  slowest: new Uint32Array(),
  max: {},
  p50: {},
});

/** Bins of each database alone; blocks contain their database, so they need no further request. */
async function binsOfEach(
  split: readonly CaptureScope[],
  binsWithin: (scope: CaptureScope) => Promise<BlockWindow | BinWindow>,
  { detail, from, to }: Loaded["window"],
): Promise<BinsOf> {
  const binsOf = new Map<number, BinWindow>();
  if (detail === "blocks") return binsOf;
  await Promise.all(
    split.map(async (scope) => {
      const bins = await binsWithin(scope);
      // A database without a block in this range has the answer "no blocks", so that its lane is empty and not that of
      // all databases.
      if (scope.database !== null)
        binsOf.set(scope.database, bins.detail === "bins" ? bins : noBins(from, to));
    }),
  );
  return binsOf;
}

interface Wanted {
  readonly viewport: Viewport;
  readonly lanes: readonly Lane[];
  readonly shift: ClockShift;
  /** Length of the capture, µs. */
  readonly duration: number;
  /** Only these blocks; null for all. */
  readonly where: BlockFilter | null;
  /** False sends no request. */
  readonly isWanted: boolean;
}

/** Keeps one window of the capture around the viewport loaded; the old window stays until the new one is loaded. */
export function useBuffer({ viewport, lanes, shift, duration, where, isWanted }: Wanted): Answer<Buffer> {
  const { source, summary, view } = useCapture();
  const split = useMemo(() => {
    const phase = phaseIndex(summary, view.phase);
    return databasesOf(lanes).map((database) => ({ database, phase }));
  }, [lanes, summary, view.phase]);
  const isComplete = summary.blocks.total <= MOST_LANE_BLOCKS;
  const [asked, setAsked] = useState(() => bufferRange(viewport.get(), duration, isComplete));
  const answer = useAnswer(isWanted ? windowWithCommits(source, asked, isComplete, where, split) : null);
  const { value: loaded, isStale } = answer;
  const isBlocks = !isStale && loaded?.window.detail === "blocks";
  const period = useRef({ asked, isBlocks });
  useEffect(() => {
    period.current = { asked, isBlocks };
  });
  useEffect(() => {
    let timer = 0;
    const settle = (): void => {
      const view = viewport.get();
      if (!servesView(period.current.asked, period.current.isBlocks, view))
        setAsked(bufferRange(view, duration, isComplete));
    };
    const unsubscribe = viewport.subscribe(() => {
      clearTimeout(timer);
      timer = window.setTimeout(settle, SETTLE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [viewport, duration, isComplete]);
  const buffer = useMemo(
    () =>
      loaded
        ? buildBuffer(loaded.window, loaded.commits, lanes, shift, {
            binsOf: loaded.binsOf,
            standing: summary,
          })
        : null,
    [loaded, lanes, shift, summary],
  );
  return useMemo(() => ({ ...answer, value: buffer }), [answer, buffer]);
}
