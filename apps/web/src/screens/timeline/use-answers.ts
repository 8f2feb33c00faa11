import { useCallback, useEffect, useRef, useState } from "react";
import type { MarkerWindow, RangeStatistics, Sequence, SlowBlocks } from "@aglens/contract";
import type { CaptureSource } from "../../data/capture-source.ts";
import type { View } from "../../state/view.ts";
import type { Neighbours } from "./empty-view.tsx";
import type { Range } from "./viewport.ts";

/** Statistics of a range; the previous ones stay until the new ones are there. None are asked for without a range. */
export function useStatistics(source: CaptureSource, range: Range | null): RangeStatistics | null {
  const [statistics, setStatistics] = useState<RangeStatistics | null>(null);
  const [from, to] = range ?? [null, null];
  useEffect(() => {
    if (from === null || to === null) return undefined;
    const abort = new AbortController();
    source.statistics({ from, to }, abort.signal).then(setStatistics, () => undefined);
    return () => abort.abort();
  }, [source, from, to]);
  return statistics;
}

/** Markers of the whole capture; null until they are there. */
export function useMarkers(source: CaptureSource): MarkerWindow | null {
  const [markers, setMarkers] = useState<MarkerWindow | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    source.markers(abort.signal).then(setMarkers, () => undefined);
    return () => abort.abort();
  }, [source]);
  return markers;
}

/** Steps through the slow blocks of the range in the order of the slowest table; the list stays while its blocks are stepped through. */
export function useSlowSteps(
  source: CaptureSource,
  view: View,
  range: Range,
): (by: 1 | -1) => Promise<SlowBlocks["rows"][number] | null> {
  const list = useRef<{ key: string; rows: SlowBlocks["rows"] } | null>(null);
  return useCallback(
    async (by) => {
      const key = `${view.sort} ${view.descending} ${view.secondary}`;
      const at = list.current?.key === key ? list.current.rows.findIndex((r) => r.row === view.block) : -1;
      if (at >= 0) return list.current!.rows[at + by] ?? null;
      const found = await source.slowest({
        range: { from: range[0], to: range[1] },
        sort: view.sort,
        descending: view.descending,
        secondary: view.secondary,
        limit: 200,
        offset: 0,
      });
      list.current = { key, rows: found.rows };
      return found.rows[0] ?? null;
    },
    [source, view, range],
  );
}

/** Row of the last block that begins before an instant; null when there is none. */
export async function rowBefore(
  source: CaptureSource,
  at: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const [found] = (await source.findAt(at, signal)).rows;
  if (found === undefined) return null;
  // Past the last block the last one is what is found.
  const row = found.time < at ? found.row : found.row - 1;
  return row < 0 ? null : row;
}

/** Row of the first block that begins at or after an instant; null when there is none. */
export async function rowFrom(
  source: CaptureSource,
  at: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const [found] = (await source.findAt(at, signal)).rows;
  return found === undefined || found.time < at ? null : found.row;
}

/** The blocks before and after a stretch that has none; null while they are looked for, or without a stretch. */
export function useNeighbours(source: CaptureSource, range: Range | null): Neighbours | null {
  const [state, setState] = useState<{ key: string; value: Neighbours } | null>(null);
  const [from, to] = range ?? [null, null];
  const key = `${from} ${to}`;
  useEffect(() => {
    if (from === null || to === null) return undefined;
    const abort = new AbortController();
    const read = async (row: number | null) => (row === null ? null : source.sequence(row, abort.signal));
    const ask = async () => {
      const [before, after] = await Promise.all([
        rowBefore(source, from, abort.signal),
        rowFrom(source, to, abort.signal),
      ]);
      const [previous, next] = await Promise.all([read(before), read(after)]);
      setState({ key, value: { previous, next } });
    };
    ask().catch(() => undefined);
    return () => abort.abort();
  }, [source, from, to, key]);
  return state?.key === key ? state.value : null;
}

/** The selected block from commit to commit, or why it could not be read; null while it is read or without one. */
export function useSequence(source: CaptureSource, row: number | null): Sequence | Error | null {
  const [state, setState] = useState<{ row: number; value: Sequence | Error } | null>(null);
  useEffect(() => {
    if (row === null) return undefined;
    const abort = new AbortController();
    source.sequence(row, abort.signal).then(
      (value) => setState({ row, value }),
      (error: Error) => abort.signal.aborted || setState({ row, value: error }),
    );
    return () => abort.abort();
  }, [source, row]);
  return row !== null && state?.row === row ? state.value : null;
}
