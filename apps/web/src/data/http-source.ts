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
  Waiting,
  WhatIf,
} from "@aglens/contract";
import type { CaptureAddress } from "./capture-address.ts";
import type { CaptureSource } from "./capture-source.ts";
import { columnsFrom, fileFrom, jsonFrom } from "./questions.ts";

function query(values: Readonly<Record<string, string | number | boolean>>): string {
  return new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)])).toString();
}

/** One capture's answers from the API over HTTP. */
export function httpSource({ id, api: base, isLink }: CaptureAddress): CaptureSource {
  return {
    id,
    summary: () => jsonFrom(Summary, `${base}/summary`),
    overview: ({ from, to }, bins, secondary) =>
      jsonFrom(Overview, `${base}/overview?${query({ from, to, bins, secondary })}`),
    window: ({ from, to }, limit, bins) =>
      columnsFrom(decodeWindow, `${base}/window?${query({ from, to, limit, bins })}`),
    commits: ({ from, to }, limit) =>
      columnsFrom(decodeCommits, `${base}/commits?${query({ from, to, limit })}`),
    markers: () => columnsFrom(decodeMarkers, `${base}/markers`),
    table: (table, format, { from, to }) =>
      isLink ? null : fileFrom(`${base}/export/${format}/${table}?${query({ from, to })}`),
    statistics: ({ from, to }) => jsonFrom(RangeStatistics, `${base}/statistics?${query({ from, to })}`),
    slowest: ({ range: { from, to }, sort, descending, secondary, limit }) =>
      jsonFrom(
        SlowBlocks,
        `${base}/slowest?${query({ from, to, sort, descending, secondary, limit, offset: 0 })}`,
      ),
    findLsn: (lsn) => jsonFrom(FoundBlocks, `${base}/find?${query({ lsn })}`),
    findAt: (at) => jsonFrom(FoundBlocks, `${base}/find?${query({ at })}`),
    sequence: (row) => jsonFrom(Sequence, `${base}/blocks/${row}`),
    waiting: () => jsonFrom(Waiting, `${base}/waiting`),
    prediction: (change) => jsonFrom(WhatIf, `${base}/what-if?${query({ change, list: false })}`),
    whatIf: (change) => jsonFrom(WhatIf, `${base}/what-if${change === null ? "" : `?${query({ change })}`}`),
  };
}
