import {
  blockFilterText,
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  Distribution,
  EventDensity,
  EvidenceAnswer,
  EvidenceSamples,
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
  WhoWaited,
  type BlockFilter,
  type z,
} from "@aglens/contract";
import { type CaptureAddress, captureAddress } from "./capture-address.ts";
import type { CaptureScope } from "@aglens/ag-model/query";
import type { CaptureSource } from "./capture-source.ts";
import { aglensFile } from "./aglens-client.ts";
import { isAnsweredHere } from "./place.ts";
import { isLocalId } from "./local-server.ts";
import { sqlOf } from "./sql-client.ts";
import type { Question } from "./use-answer.ts";
import { changing, columnsFrom, fileFrom, jsonFrom } from "./questions.ts";

const filterOf = (where: BlockFilter | null | undefined): { readonly where?: string } =>
  where ? { where: blockFilterText(where) } : {};

const WHOLE: CaptureScope = { database: null, phase: null };

function parametersOf({ database, phase }: CaptureScope) {
  const ofDatabase = database === null ? {} : { database };
  return { ofDatabase, scoped: { ...ofDatabase, ...(phase === null ? {} : { phase }) } };
}

/** One capture's answers from the API over HTTP, limited to `scope`. */
export function httpSource(address: CaptureAddress, scope: CaptureScope = WHOLE): CaptureSource {
  const { id, api: base, opens } = address;
  const isCapture = opens === "capture";
  const { ofDatabase, scoped } = parametersOf(scope);
  const url = (path: string, query?: Parameters<typeof questionAddress>[1]): string =>
    `${base}/${questionAddress(path, query)}`;
  const json = <T>(schema: z.ZodType<T>, ...of: Parameters<typeof url>): Question<T> =>
    jsonFrom(schema, url(...of));
  const exported = (path: string, ...[{ from, to }, where]: Parameters<CaptureSource["trace"]>) =>
    isCapture ? fileFrom(url(path, { from, to, ...scoped, ...filterOf(where) })) : null;
  return {
    id,
    sql: isLocalId(id) ? null : sqlOf(base),
    scoped: (wanted) => httpSource(address, wanted),
    scopeSummary: (range = null) =>
      json(ScopeSummary, "scope", range === null ? scoped : { from: range.from, to: range.to, ...scoped }),
    summary: () => json(Summary, "summary"),
    overview: ({ from, to }, bins, secondary) =>
      json(Overview, "overview", { from, to, bins, secondary, ...scoped }),
    window: ({ from, to }, limit, bins, where) =>
      columnsFrom(decodeWindow, url("window", { from, to, limit, bins, ...scoped, ...filterOf(where) })),
    commits: ({ from, to }, limit, where) =>
      columnsFrom(decodeCommits, url("commits", { from, to, limit, ...scoped, ...filterOf(where) })),
    markers: () => columnsFrom(decodeMarkers, `${base}/markers`),
    notes: () => changing(jsonFrom(Notes, `${opens === "link" ? base : captureAddress(id).api}/notes`)),
    table: (table, format, ...rows) =>
      format === "parquet" && isAnsweredHere(base) ? null : exported(`export/${format}/${table}`, ...rows),
    trace: (...rows) => exported("export/perfetto", ...rows),
    aglensFile: (options) => (isCapture ? aglensFile(base, options) : null),
    statistics: ({ from, to }, where, except) => {
      const left = except && { exceptFrom: except.from, exceptTo: except.to };
      return json(RangeStatistics, "statistics", { from, to, ...left, ...scoped, ...filterOf(where) });
    },
    hits: (where, { from, to }) => json(Hits, "hits", { from, to, ...scoped, where: blockFilterText(where) }),
    hitCounts: (filters) => json(HitCounts, "hit-counts", { ...scoped, where: filters.map(blockFilterText) }),
    slowest: ({ range: { from, to }, sort, descending, secondary, limit, where }) =>
      json(SlowBlocks, "slowest", {
        from,
        to,
        sort,
        descending,
        secondary,
        limit,
        offset: 0,
        ...scoped,
        ...filterOf(where),
      }),
    slowCommits: ({ range: { from, to }, order, secondary, limit, where }) =>
      json(SlowCommits, "slow-commits", {
        from,
        to,
        order,
        secondary,
        limit,
        offset: 0,
        ...scoped,
        ...filterOf(where),
      }),
    releases: ({ from, to }, bins) => json(Releases, "releases", { from, to, bins, ...scoped }),
    replicaRows: ({ from, to }, bins, columns) =>
      json(ReplicaRows, "replicas", { from, to, bins, columns, ...scoped }),
    findLsn: (lsn) => json(FoundBlocks, "find", { lsn }),
    findAt: (at) => json(FoundBlocks, "find", { at }),
    sequence: (row) => json(Sequence, `blocks/${row}`),
    beside: (other) => (isCapture ? httpSource(captureAddress(other)) : null),
    spread: ({ from, to }, secondary) => json(PercentileSpread, "spread", { from, to, secondary, ...scoped }),
    distribution: ({ range: { from, to }, other, secondary, axis: scale, stage }) =>
      json(Distribution, "distribution", {
        from,
        to,
        secondary,
        scale,
        stage,
        ...(other === null ? {} : { otherFrom: other.from, otherTo: other.to }),
        ...scoped,
      }),
    rawEvents: ({ range, replicas, names, text, where, first, read }) =>
      json(RawEvents, "raw-events", {
        ...range,
        ...(text === "" ? {} : { text }),
        ...filterOf(where),
        ...first,
        read,
        ...ofDatabase,
        replica: replicas,
        name: names,
      }),
    eventDensity: (range, replicas, bins) =>
      json(EventDensity, "event-density", { ...range, ...ofDatabase, replica: replicas, bins }),
    waiting: () => json(Waiting, "waiting"),
    // Files can be added to an analyzed capture.
    evidence: () => changing(json(EvidenceAnswer, "evidence")),
    evidenceSamples: ({ from, to }, bins, metric = []) =>
      changing(json(EvidenceSamples, "evidence/samples", { from, to, bins, metric })),
    whoWaited: (by, { from, to }, where) =>
      json(WhoWaited, "who-waited", { by, from, to, ...scoped, ...filterOf(where) }),
    prediction: (change) => json(WhatIf, "what-if", { change, list: false }),
    whatIf: () => json(WhatIf, "what-if"),
  };
}
