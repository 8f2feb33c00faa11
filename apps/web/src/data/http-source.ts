import {
  blockFilterText,
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  Distribution,
  FoundBlocks,
  Overview,
  RangeStatistics,
  Sequence,
  SlowBlocks,
  Summary,
  Waiting,
  WhatIf,
  type BlockFilter,
} from "@aglens/contract";
import type { CaptureAddress } from "./capture-address.ts";
import type { CaptureSource } from "./capture-source.ts";
import { columnsFrom, fileFrom, jsonFrom } from "./questions.ts";

function query(values: Readonly<Record<string, string | number | boolean>>): string {
  return new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)])).toString();
}

const filterOf = (where: BlockFilter | null | undefined): { readonly where?: string } =>
  where ? { where: blockFilterText(where) } : {};

/** One capture's answers from the API over HTTP. */
export function httpSource({ id, api: base, isLink }: CaptureAddress): CaptureSource {
  return {
    id,
    summary: () => jsonFrom(Summary, `${base}/summary`),
    overview: ({ from, to }, bins, secondary) =>
      jsonFrom(Overview, `${base}/overview?${query({ from, to, bins, secondary })}`),
    window: ({ from, to }, limit, bins, where) =>
      columnsFrom(decodeWindow, `${base}/window?${query({ from, to, limit, bins, ...filterOf(where) })}`),
    commits: ({ from, to }, limit, where) =>
      columnsFrom(decodeCommits, `${base}/commits?${query({ from, to, limit, ...filterOf(where) })}`),
    markers: () => columnsFrom(decodeMarkers, `${base}/markers`),
    table: (table, format, { from, to }) =>
      isLink ? null : fileFrom(`${base}/export/${format}/${table}?${query({ from, to })}`),
    statistics: ({ from, to }, where) =>
      jsonFrom(RangeStatistics, `${base}/statistics?${query({ from, to, ...filterOf(where) })}`),
    slowest: ({ range: { from, to }, sort, descending, secondary, limit, where }) =>
      jsonFrom(
        SlowBlocks,
        `${base}/slowest?${query({ from, to, sort, descending, secondary, limit, offset: 0, ...filterOf(where) })}`,
      ),
    findLsn: (lsn) => jsonFrom(FoundBlocks, `${base}/find?${query({ lsn })}`),
    findAt: (at) => jsonFrom(FoundBlocks, `${base}/find?${query({ at })}`),
    sequence: (row) => jsonFrom(Sequence, `${base}/blocks/${row}`),
    distribution: ({ range: { from, to }, other, secondary, database, axis: scale, stage }) =>
      jsonFrom(
        Distribution,
        `${base}/distribution?${query({
          from,
          to,
          secondary,
          scale,
          stage,
          ...(other === null
            ? {}
            : {
                otherFrom: other.from,
                otherTo: other.to,
              }),
          ...(database === null ? {} : { database }),
        })}`,
      ),
    waiting: () => jsonFrom(Waiting, `${base}/waiting`),
    prediction: (change) => jsonFrom(WhatIf, `${base}/what-if?${query({ change, list: false })}`),
    whatIf: (change) => jsonFrom(WhatIf, `${base}/what-if${change === null ? "" : `?${query({ change })}`}`),
  };
}
