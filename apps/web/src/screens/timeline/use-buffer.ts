import { useEffect, useMemo, useRef, useState } from "react";
import type { BinWindow, BlockWindow, CommitWindow } from "@aglens/contract";
import type { Lane } from "../../lanes/lanes.ts";
import { buildBuffer, type Buffer, type ClockShift } from "../../charts/timeline/spans.ts";
import type { CaptureSource, TimeRange } from "../../data/capture-source.ts";
import type { Viewport } from "./viewport.ts";

/** Up to so many blocks come one by one; the whole capture at once when it has no more. */
export const MOST_BLOCKS = 60_000;
const BINS = 6_000;
/** The buffer is this many views wide. */
const BUFFER_VIEWS = 3;
const SETTLE_MS = 120;

interface Loaded {
  readonly window: BlockWindow | BinWindow;
  readonly commits: CommitWindow;
}

/** True when what is loaded still serves the view: it covers it, and bins are not much coarser than wanted. */
function serves(loaded: Loaded | null, [from, to]: readonly [number, number]): boolean {
  if (!loaded) return false;
  const { window } = loaded;
  if (window.from > from || window.to < to) return false;
  return window.detail === "blocks" || window.to - window.from <= (to - from) * (BUFFER_VIEWS + 1);
}

function around([from, to]: readonly [number, number], duration: number, whole: boolean): TimeRange {
  if (whole) return { from: 0, to: duration };
  const margin = ((to - from) * (BUFFER_VIEWS - 1)) / 2;
  return { from: Math.max(0, from - margin), to: Math.min(duration, to + margin) };
}

const NO_COMMITS: CommitWindow = {
  from: 0,
  to: 0,
  commits: {
    length: 0,
    block: new Int32Array(),
    database: new Uint16Array(),
    start: new Float64Array(),
    end: new Float64Array(),
    gate: new Uint8Array(),
    timeToCommit: new Float64Array(),
  },
};

/** A window with its commits. Bins bring their own commits, so those of a large capture are asked for only after its blocks. */
async function read(
  source: CaptureSource,
  range: TimeRange,
  totalBlocks: number,
  signal: AbortSignal,
): Promise<[BlockWindow | BinWindow, CommitWindow]> {
  const blocks = source.window(range, MOST_BLOCKS, BINS, signal);
  const commits = () => source.commits(range, MOST_BLOCKS, signal);
  if (totalBlocks <= MOST_BLOCKS) return Promise.all([blocks, commits()]);
  const window = await blocks;
  return [window, window.detail === "bins" ? NO_COMMITS : await commits()];
}

export interface BufferState {
  readonly buffer: Buffer | null;
  readonly error: Error | null;
}

/** Keeps one window of the capture loaded around what the viewport shows; the old one stays until the new one is there. */
export function useBuffer(
  source: CaptureSource,
  viewport: Viewport,
  lanes: readonly Lane[],
  shift: ClockShift,
  duration: number,
  totalBlocks: number,
): BufferState {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const current = useRef<Loaded | null>(null);

  useEffect(() => {
    let abort: AbortController | null = null;
    let timer = 0;
    const load = async () => {
      const view = viewport.get();
      if (serves(current.current, view)) return;
      abort?.abort();
      const mine = (abort = new AbortController());
      const range = around(view, duration, totalBlocks <= MOST_BLOCKS);
      try {
        const [window, commits] = await read(source, range, totalBlocks, mine.signal);
        if (mine.signal.aborted) return;
        current.current = { window, commits };
        setLoaded(current.current);
        setError(null);
      } catch (failure) {
        if (!mine.signal.aborted) setError(failure as Error);
      }
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void load(), SETTLE_MS);
    };
    void load();
    const unsubscribe = viewport.subscribe(schedule);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      abort?.abort();
      current.current = null;
    };
  }, [source, viewport, duration, totalBlocks]);

  const buffer = useMemo(
    () => (loaded ? buildBuffer(loaded.window, loaded.commits, lanes, shift) : null),
    [loaded, lanes, shift],
  );
  return { buffer, error };
}
