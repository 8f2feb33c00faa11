import {
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  FoundBlocks,
  Overview,
  RangeStatistics,
  Sequence,
  SlowBlocks,
  Summary,
} from "@aglens/contract";
import type { CaptureSource, TimeRange } from "./capture-source.ts";
import { readBytes, readJson } from "./request.ts";

type Query = Readonly<Record<string, string | number | boolean>>;

function query(values: Query): string {
  return new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)])).toString();
}

function span(range: TimeRange): { from: number; to: number } {
  return { from: range.from, to: range.to };
}

function aborted(signal: AbortSignal | undefined): RequestInit {
  return signal === undefined ? {} : { signal };
}

/** One capture's answers from the API over HTTP. */
export function httpSource(id: string): CaptureSource {
  const base = `/captures/${encodeURIComponent(id)}`;
  return {
    id,
    summary: (signal) => readJson(Summary, `${base}/summary`, aborted(signal)),
    overview: (range, bins, secondary, signal) =>
      readJson(Overview, `${base}/overview?${query({ ...span(range), bins, secondary })}`, aborted(signal)),
    window: async (range, limit, bins, signal) =>
      decodeWindow(await readBytes(`${base}/window?${query({ ...span(range), limit, bins })}`, signal)),
    commits: async (range, limit, signal) =>
      decodeCommits(await readBytes(`${base}/commits?${query({ ...span(range), limit })}`, signal)),
    markers: async (signal) => decodeMarkers(await readBytes(`${base}/markers`, signal)),
    statistics: (range, signal) =>
      readJson(RangeStatistics, `${base}/statistics?${query(span(range))}`, aborted(signal)),
    slowest: ({ range, ...rest }, signal) =>
      readJson(SlowBlocks, `${base}/slowest?${query({ ...span(range), ...rest })}`, aborted(signal)),
    findLsn: (lsn, signal) => readJson(FoundBlocks, `${base}/find?${query({ lsn })}`, aborted(signal)),
    findAt: (at, signal) => readJson(FoundBlocks, `${base}/find?${query({ at })}`, aborted(signal)),
    sequence: (row, signal) => readJson(Sequence, `${base}/blocks/${row}`, aborted(signal)),
  };
}
