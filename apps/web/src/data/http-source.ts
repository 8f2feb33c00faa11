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
  questionAddress,
  RangeStatistics,
  RawEvents,
  Releases,
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
import { aglensFile } from "./aglens-client.ts";
import { isAnsweredHere } from "./place.ts";
import { isLocalId } from "./local-server.ts";
import { sqlOf } from "./sql-client.ts";
import { changing, columnsFrom, fileFrom, jsonFrom } from "./questions.ts";

const filterOf = (where: BlockFilter | null | undefined): { readonly where?: string } =>
  where ? { where: blockFilterText(where) } : {};

const WHOLE: CaptureScope = { database: null, phase: null };

/** One capture's answers from the API over HTTP; `scope` says what of it they are about. */
export function httpSource(address: CaptureAddress, scope: CaptureScope = WHOLE): CaptureSource {
  const { id, api: base, opens } = address;
  const isCapture = opens === "capture";
  const ofDatabase = scope.database === null ? {} : { database: scope.database };
  const scoped = {
    ...ofDatabase,
    ...(scope.phase === null ? {} : { phase: scope.phase }),
  };
  return {
    id,
    sql: isLocalId(id) ? null : sqlOf(base),
    scoped: (wanted) => httpSource(address, wanted),
    scopeSummary: (range = null) =>
      jsonFrom(
        ScopeSummary,
        `${base}/${questionAddress("scope", range === null ? scoped : { from: range.from, to: range.to, ...scoped })}`,
      ),
    summary: () => jsonFrom(Summary, `${base}/summary`),
    overview: ({ from, to }, bins, secondary) =>
      jsonFrom(Overview, `${base}/${questionAddress("overview", { from, to, bins, secondary, ...scoped })}`),
    window: ({ from, to }, limit, bins, where) =>
      columnsFrom(
        decodeWindow,
        `${base}/${questionAddress("window", { from, to, limit, bins, ...scoped, ...filterOf(where) })}`,
      ),
    commits: ({ from, to }, limit, where) =>
      columnsFrom(
        decodeCommits,
        `${base}/${questionAddress("commits", { from, to, limit, ...scoped, ...filterOf(where) })}`,
      ),
    markers: () => columnsFrom(decodeMarkers, `${base}/markers`),
    notes: () => changing(jsonFrom(Notes, `${opens === "link" ? base : captureAddress(id).api}/notes`)),
    table: (table, format, { from, to }, where) =>
      !isCapture || (format === "parquet" && isAnsweredHere(base))
        ? null
        : fileFrom(
            `${base}/${questionAddress(`export/${format}/${table}`, { from, to, ...scoped, ...filterOf(where) })}`,
          ),
    aglensFile: (options) => (isCapture ? aglensFile(base, options) : null),
    statistics: ({ from, to }, where, except) => {
      const left = except && { exceptFrom: except.from, exceptTo: except.to };
      return jsonFrom(
        RangeStatistics,
        `${base}/${questionAddress("statistics", { from, to, ...left, ...scoped, ...filterOf(where) })}`,
      );
    },
    hits: (where, { from, to }) =>
      jsonFrom(
        Hits,
        `${base}/${questionAddress("hits", { from, to, ...scoped, where: blockFilterText(where) })}`,
      ),
    hitCounts: (filters) =>
      jsonFrom(
        HitCounts,
        `${base}/${questionAddress("hit-counts", { ...scoped, where: filters.map(blockFilterText) })}`,
      ),
    slowest: ({ range: { from, to }, sort, descending, secondary, limit, where }) =>
      jsonFrom(
        SlowBlocks,
        `${base}/${questionAddress("slowest", { from, to, sort, descending, secondary, limit, offset: 0, ...scoped, ...filterOf(where) })}`,
      ),
    slowCommits: ({ range: { from, to }, order, secondary, limit, where }) =>
      jsonFrom(
        SlowCommits,
        `${base}/${questionAddress("slow-commits", { from, to, order, secondary, limit, offset: 0, ...scoped, ...filterOf(where) })}`,
      ),
    releases: ({ from, to }, bins) =>
      jsonFrom(Releases, `${base}/${questionAddress("releases", { from, to, bins, ...scoped })}`),
    replicaRows: ({ from, to }, bins, columns) =>
      jsonFrom(ReplicaRows, `${base}/${questionAddress("replicas", { from, to, bins, columns, ...scoped })}`),
    findLsn: (lsn) => jsonFrom(FoundBlocks, `${base}/${questionAddress("find", { lsn })}`),
    findAt: (at) => jsonFrom(FoundBlocks, `${base}/${questionAddress("find", { at })}`),
    sequence: (row) => jsonFrom(Sequence, `${base}/blocks/${row}`),
    beside: (other) => (isCapture ? httpSource(captureAddress(other)) : null),
    spread: ({ from, to }, secondary) =>
      jsonFrom(PercentileSpread, `${base}/${questionAddress("spread", { from, to, secondary, ...scoped })}`),
    distribution: ({ range: { from, to }, other, secondary, axis: scale, stage }) =>
      jsonFrom(
        Distribution,
        `${base}/${questionAddress("distribution", {
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
          ...scoped,
        })}`,
      ),
    rawEvents: ({ range, replicas, names, text, where, first, read }) =>
      jsonFrom(
        RawEvents,
        `${base}/${questionAddress("raw-events", { ...range, ...(text === "" ? {} : { text }), ...filterOf(where), ...first, read, ...ofDatabase, replica: replicas, name: names })}`,
      ),
    eventDensity: (range, replicas, bins) =>
      jsonFrom(
        EventDensity,
        `${base}/${questionAddress("event-density", { ...range, ...ofDatabase, replica: replicas, bins })}`,
      ),
    waiting: () => jsonFrom(Waiting, `${base}/waiting`),
    prediction: (change) =>
      jsonFrom(WhatIf, `${base}/${questionAddress("what-if", { change, list: false })}`),
    whatIf: () => jsonFrom(WhatIf, `${base}/what-if`),
  };
}
