/** Address of each question, below a capture's address, and its parameters in path and query. */
import { isEvidenceTable } from "@aglens/ag-model/tables";
import type { z } from "@aglens/contract";
import { problem } from "../problems/problems.ts";
import type { Question } from "./answer.ts";
import {
  CommitQuery,
  DistributionQuery,
  EventDensityQuery,
  EvidenceSamplesQuery,
  FindQuery,
  HitCountsQuery,
  HitsQuery,
  OverviewQuery,
  RawEventsQuery,
  ReleasesQuery,
  ReplicaRowsQuery,
  RowParameter,
  ScopeQuery,
  SlowCommitsQuery,
  SlowestQuery,
  SpreadQuery,
  StatisticsQuery,
  TableParameter,
  TableQuery,
  WhatIfQuery,
  WhoWaitedQuery,
  WindowQuery,
} from "./question-parameters.ts";

/** Parts of a path by their names, and a query with a list where a parameter is repeated. */
type Given = Readonly<Record<string, unknown>>;

export interface QuestionRoute {
  /** Below the capture, `:name` for a parameter. */
  readonly path: string;
  /** One sentence, for the OpenAPI document. */
  readonly says: string;
  /** The shape of the query; absent for a route without one. */
  readonly query?: z.ZodObject;
  /** True for a question only below a capture's own address: links may show other names than tables have. */
  readonly isOwn?: boolean;
  /** @throws ZodError for a query, ProblemError for a path that isn't valid */
  readonly question: (params: Given, query: Given) => Question;
}

/** A route whose question is made of its query. */
const asked = <Query extends z.ZodObject>(
  path: string,
  says: string,
  query: Query,
  question: (query: z.infer<Query>) => Question,
): QuestionRoute => ({ path, says, query, question: (_, given) => question(query.parse(given)) });

const table = (format: "csv" | "arrow" | "parquet", says: string): QuestionRoute => ({
  path: `export/${format}/:table`,
  says,
  query: TableQuery,
  isOwn: true,
  question: (params, query) => {
    const name = TableParameter.safeParse(params["table"]);
    if (!name.success)
      throw problem(
        "table-not-found",
        `There is no table of that name; there are ${TableParameter.options.join(", ")}.`,
      );
    const asked = TableQuery.parse(query);
    if (!isEvidenceTable(name.data)) return { ask: "table", table: name.data, format, ...asked };
    return { ask: "evidenceTable", table: name.data, format, from: asked.from, to: asked.to, files: [] };
  },
});

export const QUESTION_ROUTES: readonly QuestionRoute[] = [
  asked(
    "scope",
    "Verdict and statistics of one database, one phase (time between role changes), or a time range",
    ScopeQuery,
    (query) => ({ ask: "scope", ...query }),
  ),
  asked("overview", "The capture in equal bins of time", OverviewQuery, (query) => ({
    ask: "overview",
    ...query,
  })),
  asked("window", "Blocks of a range, or bins when there are more than `limit`", WindowQuery, (query) => ({
    ask: "window",
    ...query,
  })),
  asked("commits", "Commits that overlap a range, longest first when cut", CommitQuery, (query) => ({
    ask: "commits",
    ...query,
  })),
  {
    path: "markers",
    says: "VLF switches, flow control and other events at one time",
    question: () => ({ ask: "markers" }),
  },
  asked("statistics", "Statistics of a range", StatisticsQuery, (query) => ({ ask: "statistics", ...query })),
  asked("slowest", "Blocks in order of one stage", SlowestQuery, ({ descending, ...wanted }) => ({
    ask: "slowest",
    ...wanted,
    descending: descending === "true",
  })),
  asked("hits", "Blocks that match a filter: count, times and cost", HitsQuery, (query) => ({
    ask: "hits",
    ...query,
  })),
  asked("hit-counts", "Blocks and commits of several filters", HitCountsQuery, (query) => ({
    ask: "hitCounts",
    ...query,
  })),
  asked("find", "Blocks of an LSN, or the block at a given time", FindQuery, (query) => ({
    ask: "find",
    ...query,
  })),
  asked(
    "distribution",
    "How long each stage takes block by block: histograms of one or two ranges, one stage by time and by size",
    DistributionQuery,
    (query) => ({ ask: "distribution", ...query }),
  ),
  asked("spread", "Confidence intervals of the percentiles of a range", SpreadQuery, (query) => ({
    ask: "spread",
    ...query,
  })),
  asked("releases", "Commits by releasing event, in intervals of a range", ReleasesQuery, (query) => ({
    ask: "releases",
    ...query,
  })),
  asked(
    "replicas",
    "A row per replica: commits that it released, its path, its lag",
    ReplicaRowsQuery,
    (query) => ({ ask: "replicaRows", ...query }),
  ),
  asked(
    "slow-commits",
    "Commits in order of their wait, with the releasing event",
    SlowCommitsQuery,
    (query) => ({ ask: "slowCommits", ...query }),
  ),
  asked(
    "raw-events",
    "Events of a range in the order of their time, by replica, name and text. One answer has a limit",
    RawEventsQuery,
    ({ position, file, offset, block, replica, name, ...wanted }) => {
      const atEvent = file === undefined || offset === undefined ? null : { file, offset };
      const first = block === undefined ? (atEvent ?? { position }) : { block };
      return { ask: "rawEvents", ...wanted, first, replicas: replica, names: name };
    },
  ),
  asked(
    "event-density",
    "How many events of a range fired in each of equal bins, by replica",
    EventDensityQuery,
    ({ replica, ...wanted }) => ({ ask: "eventDensity", ...wanted, replicas: replica }),
  ),
  {
    path: "waiting",
    says: "Queueing and service times of blocks",
    question: () => ({ ask: "waiting" }),
  },
  asked(
    "who-waited",
    "Commits by session, application or statement: the sum of their waits, by the places in which these passed",
    WhoWaitedQuery,
    (query) => ({ ask: "whoWaited", ...query }),
  ),
  asked(
    "what-if",
    "Predicted commit times with one change: all changes, one with details",
    WhatIfQuery,
    ({ change, list }) => ({ ask: "whatIf", change, list: list === "true" }),
  ),
  {
    path: "evidence",
    says: "Events of other files, causes of failovers, agreement with the figures, and metrics",
    question: () => ({ ask: "evidence", files: [] }),
  },
  asked(
    "evidence/samples",
    "Samples of the metrics of `evidence` in a range, in means where there are more than `bins`",
    EvidenceSamplesQuery,
    ({ metric, ...wanted }) => ({ ask: "evidenceSamples", ...wanted, metrics: metric, files: [] }),
  ),
  {
    path: "blocks/:row",
    says: "One log block from commit to commit, with its raw events",
    question: (params) => {
      const row = RowParameter.safeParse(params["row"]);
      if (!row.success)
        throw problem("block-not-found", "Can't find the log block: the address needs its row number.");
      return { ask: "sequence", row: row.data };
    },
  },
  table(
    "csv",
    "A range of `blocks`, `hops` or `commits` for a spreadsheet (docs/reference/tables.md), with UTC",
  ),
  table("arrow", "The same as an Arrow IPC file, as `xel tables` writes it"),
  table("parquet", "The same as a Parquet file, as `xel tables --parquet` writes it"),
  {
    ...asked(
      "export/perfetto",
      "A range as a Perfetto trace (docs/reference/perfetto.md)",
      TableQuery,
      (query) => ({ ask: "trace", ...query, files: [] }),
    ),
    isOwn: true,
  },
];
