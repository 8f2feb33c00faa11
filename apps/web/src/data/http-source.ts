import {
  blockFilterText,
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  Distribution,
  EventDensity,
  FoundBlocks,
  Notes,
  HitCounts,
  Hits,
  Overview,
  PercentileSpread,
  RangeStatistics,
  RawEvents,
  ReplicaRows,
  ScopeSummary,
  Sequence,
  SlowBlocks,
  SlowCommits,
  Summary,
  Waiting,
  WhatIf,
  type BlockFilter,
} from "@aglens/contract";
import { type CaptureAddress, captureAddress } from "./capture-address.ts";
import type { CaptureScope } from "@aglens/ag-model/query";
import type { CaptureSource } from "./capture-source.ts";
import { changing, columnsFrom, fileFrom, jsonFrom } from "./questions.ts";

type Parameter = string | number | boolean;

/** A list is a parameter that is repeated. */
function query(values: Readonly<Record<string, Parameter | readonly Parameter[]>>): string {
  const pairs = Object.entries(values).flatMap(([key, value]) =>
    [value].flat().map((one) => [key, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

const filterOf = (where: BlockFilter | null | undefined): { readonly where?: string } =>
  where ? { where: blockFilterText(where) } : {};

const WHOLE: CaptureScope = { database: null, phase: null };

/** One capture's answers from the API over HTTP; `scope` says what of it they are about. */
export function httpSource(address: CaptureAddress, scope: CaptureScope = WHOLE): CaptureSource {
  const { id, api: base, isLink } = address;
  const ofDatabase = scope.database === null ? {} : { database: scope.database };
  const scoped = {
    ...ofDatabase,
    ...(scope.phase === null ? {} : { phase: scope.phase }),
  };
  return {
    id,
    scoped: (wanted) => httpSource(address, wanted),
    scopeSummary: () => jsonFrom(ScopeSummary, `${base}/scope?${query(scoped)}`),
    summary: () => jsonFrom(Summary, `${base}/summary`),
    overview: ({ from, to }, bins, secondary) =>
      jsonFrom(Overview, `${base}/overview?${query({ from, to, bins, secondary, ...scoped })}`),
    window: ({ from, to }, limit, bins, where) =>
      columnsFrom(
        decodeWindow,
        `${base}/window?${query({ from, to, limit, bins, ...scoped, ...filterOf(where) })}`,
      ),
    commits: ({ from, to }, limit, where) =>
      columnsFrom(
        decodeCommits,
        `${base}/commits?${query({ from, to, limit, ...scoped, ...filterOf(where) })}`,
      ),
    markers: () => columnsFrom(decodeMarkers, `${base}/markers`),
    notes: () => changing(jsonFrom(Notes, `${base}/notes`)),
    table: (table, format, { from, to }) =>
      isLink ? null : fileFrom(`${base}/export/${format}/${table}?${query({ from, to, ...scoped })}`),
    statistics: ({ from, to }, where) =>
      jsonFrom(RangeStatistics, `${base}/statistics?${query({ from, to, ...scoped, ...filterOf(where) })}`),
    hits: (where, { from, to }) =>
      jsonFrom(Hits, `${base}/hits?${query({ from, to, ...scoped, where: blockFilterText(where) })}`),
    hitCounts: (filters) =>
      jsonFrom(HitCounts, `${base}/hit-counts?${query({ ...scoped, where: filters.map(blockFilterText) })}`),
    slowest: ({ range: { from, to }, sort, descending, secondary, limit, where }) =>
      jsonFrom(
        SlowBlocks,
        `${base}/slowest?${query({ from, to, sort, descending, secondary, limit, offset: 0, ...scoped, ...filterOf(where) })}`,
      ),
    slowCommits: ({ range: { from, to }, order, secondary, limit }) =>
      jsonFrom(
        SlowCommits,
        `${base}/slow-commits?${query({ from, to, order, secondary, limit, offset: 0, ...ofDatabase })}`,
      ),
    replicaRows: ({ from, to }, bins, columns) =>
      jsonFrom(ReplicaRows, `${base}/replicas?${query({ from, to, bins, columns, ...scoped })}`),
    findLsn: (lsn) => jsonFrom(FoundBlocks, `${base}/find?${query({ lsn })}`),
    findAt: (at) => jsonFrom(FoundBlocks, `${base}/find?${query({ at })}`),
    sequence: (row) => jsonFrom(Sequence, `${base}/blocks/${row}`),
    beside: (other) => (isLink ? null : httpSource(captureAddress(other))),
    spread: ({ from, to }, secondary, database) =>
      jsonFrom(
        PercentileSpread,
        `${base}/spread?${query({ from, to, secondary, ...(database === null ? {} : { database }) })}`,
      ),
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
    rawEvents: ({ range, replicas, names, text, first, read }) =>
      jsonFrom(
        RawEvents,
        `${base}/raw-events?${query({ ...range, ...(text === "" ? {} : { text }), ...first, read, ...ofDatabase, replica: replicas, name: names })}`,
      ),
    eventDensity: (range, replicas, bins) =>
      jsonFrom(
        EventDensity,
        `${base}/event-density?${query({ ...range, ...ofDatabase, replica: replicas, bins })}`,
      ),
    waiting: () => jsonFrom(Waiting, `${base}/waiting`),
    prediction: (change) => jsonFrom(WhatIf, `${base}/what-if?${query({ change, list: false })}`),
    whatIf: (change) => jsonFrom(WhatIf, `${base}/what-if${change === null ? "" : `?${query({ change })}`}`),
  };
}
