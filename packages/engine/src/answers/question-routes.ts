/** Where each question is asked, below a capture's address, and how it is read from path and query. */
import { ROW_TABLES } from "@aglens/ag-model/tables";
import { problem } from "../problems/problems.ts";
import type { Question } from "./answer.ts";
import {
  CommitQuery,
  DistributionQuery,
  EventDensityQuery,
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
  WindowQuery,
} from "./question-parameters.ts";

/** Parts of a path by their names, and a query with a list where a parameter is repeated. */
type Given = Readonly<Record<string, unknown>>;

export interface QuestionRoute {
  /** Below the capture, `:name` for a part that is given. */
  readonly path: string;
  /** A capture's own address alone has it: links may show other names than tables have. */
  readonly isOwn?: boolean;
  /** @throws ZodError for a query, ProblemError for a path that is none */
  readonly question: (params: Given, query: Given) => Question;
}

const table = (format: "csv" | "arrow" | "parquet"): QuestionRoute => ({
  path: `export/${format}/:table`,
  isOwn: true,
  question: (params, query) => {
    const name = TableParameter.safeParse(params["table"]);
    if (name.success) return { ask: "table", table: name.data, format, ...TableQuery.parse(query) };
    throw problem("table-not-found", `There is no table of that name; there are ${ROW_TABLES.join(", ")}.`);
  },
});

export const QUESTION_ROUTES: readonly QuestionRoute[] = [
  { path: "scope", question: (_, query) => ({ ask: "scope", ...ScopeQuery.parse(query) }) },
  { path: "overview", question: (_, query) => ({ ask: "overview", ...OverviewQuery.parse(query) }) },
  { path: "window", question: (_, query) => ({ ask: "window", ...WindowQuery.parse(query) }) },
  { path: "commits", question: (_, query) => ({ ask: "commits", ...CommitQuery.parse(query) }) },
  { path: "markers", question: () => ({ ask: "markers" }) },
  { path: "statistics", question: (_, query) => ({ ask: "statistics", ...StatisticsQuery.parse(query) }) },
  {
    path: "slowest",
    question: (_, query) => {
      const { descending, ...wanted } = SlowestQuery.parse(query);
      return { ask: "slowest", ...wanted, descending: descending === "true" };
    },
  },
  { path: "hits", question: (_, query) => ({ ask: "hits", ...HitsQuery.parse(query) }) },
  { path: "hit-counts", question: (_, query) => ({ ask: "hitCounts", ...HitCountsQuery.parse(query) }) },
  { path: "find", question: (_, query) => ({ ask: "find", ...FindQuery.parse(query) }) },
  {
    path: "distribution",
    question: (_, query) => ({ ask: "distribution", ...DistributionQuery.parse(query) }),
  },
  { path: "spread", question: (_, query) => ({ ask: "spread", ...SpreadQuery.parse(query) }) },
  { path: "releases", question: (_, query) => ({ ask: "releases", ...ReleasesQuery.parse(query) }) },
  { path: "replicas", question: (_, query) => ({ ask: "replicaRows", ...ReplicaRowsQuery.parse(query) }) },
  {
    path: "slow-commits",
    question: (_, query) => ({ ask: "slowCommits", ...SlowCommitsQuery.parse(query) }),
  },
  {
    path: "raw-events",
    question: (_, query) => {
      const { position, file, offset, block, replica, name, ...wanted } = RawEventsQuery.parse(query);
      const atEvent = file === undefined || offset === undefined ? null : { file, offset };
      const first = block === undefined ? (atEvent ?? { position }) : { block };
      return { ask: "rawEvents", ...wanted, first, replicas: replica, names: name };
    },
  },
  {
    path: "event-density",
    question: (_, query) => {
      const { replica, ...wanted } = EventDensityQuery.parse(query);
      return { ask: "eventDensity", ...wanted, replicas: replica };
    },
  },
  { path: "waiting", question: () => ({ ask: "waiting" }) },
  {
    path: "what-if",
    question: (_, query) => {
      const { change, list } = WhatIfQuery.parse(query);
      return { ask: "whatIf", change, list: list === "true" };
    },
  },
  {
    path: "blocks/:row",
    question: (params) => {
      const row = RowParameter.safeParse(params["row"]);
      if (!row.success) throw problem("block-not-found", "A log block is asked for by its row number.");
      return { ask: "sequence", row: row.data };
    },
  },
  table("csv"),
  table("arrow"),
  table("parquet"),
];
