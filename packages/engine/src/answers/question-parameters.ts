/** Query strings of questions: each with defaults and bounds, so that no request causes unbounded work. */
import {
  CaptureTime,
  ClientGroup,
  CommitOrder,
  DistributionStage,
  parseBlockFilter,
  SlowestOrder,
} from "@aglens/contract";
import { EVIDENCE_TABLES, ROW_TABLES } from "@aglens/ag-model/tables";
import { z } from "@aglens/contract";

const range = {
  from: CaptureTime.optional().describe("µs from the capture's origin; default its beginning"),
  to: CaptureTime.optional().describe("µs from the capture's origin; default its end"),
};
const secondary = z.coerce.number().int().min(0).max(15).default(0);
const wholeNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const filter = z
  .string()
  .max(600)
  .transform((text, context) => {
    const filter = parseBlockFilter(text);
    if (filter !== null) return filter;
    context.addIssue({
      code: "custom",
      message:
        "where holds conditions with commas between: STAGE@SLOT>US, STAGE@SLOT=FROM..TO, commit>US, size>BYTES, gate@SLOT, gate=local, lsn=A..B, db=INDEX, session=ID|ID, app=NUMBER, statement=NUMBER, class=bad.",
    });
    return z.NEVER;
  });
const where = filter
  .optional()
  .describe(
    "Only blocks for which all conditions hold: secondaryFlush@1>50000, commit=5000..8000 (µs), size>512 (bytes), gate@1, gate=local, lsn=A..B, db=2, session=57|61, app=2, class@0=bad",
  );
/** Filters that are counted at once: a list of suggestions has fewer. */
const MOST_COUNTED = 40;
const bins = z.coerce.number().int().min(1).max(20_000);

const scope = {
  database: z.coerce.number().int().min(0).max(65_535).optional().describe("Its index; default all"),
  phase: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Index of the phase (time between role changes); default all"),
};
export const ScopeQuery = z.object({ ...range, ...scope });
export const OverviewQuery = z.object({ ...range, ...scope, bins: bins.default(600), secondary });
export const ReleasesQuery = z.object({ ...range, ...scope, bins: bins.default(1_000) });
export const ReplicaRowsQuery = z.object({
  ...range,
  ...scope,
  bins: bins.default(60).describe("Number of intervals for the counts of releases"),
  columns: bins.default(600).describe("Number of intervals for the maximum lag of a replica"),
});
export const WindowQuery = z.object({
  ...range,
  ...scope,
  limit: z.coerce.number().int().min(0).max(200_000).default(20_000),
  bins: bins.default(1_000),
  where,
});
export const CommitQuery = z.object({
  ...range,
  ...scope,
  limit: z.coerce.number().int().min(0).max(200_000).default(20_000),
  where,
});
export const DistributionQuery = z.object({
  ...range,
  otherFrom: CaptureTime.optional().describe("A second range on the same bins; µs, default the beginning"),
  otherTo: CaptureTime.optional().describe("µs, default the end"),
  secondary,
  ...scope,
  scale: z.enum(["log", "linear"]).default("log"),
  stage: DistributionStage.default("commit").describe("Also answered by time, and log writes by size"),
});
export const SpreadQuery = z.object({ ...range, ...scope, secondary });
export const RawEventsQuery = z.object({
  ...range,
  database: scope.database,
  replica: z
    .union([wholeNumber, z.array(wholeNumber).max(16)])
    .transform((given) => [given].flat())
    .nullable()
    .default(null)
    .describe("Indices of replicas; may be repeated; default all"),
  name: z
    .union([z.string().max(128), z.array(z.string().max(128)).max(100)])
    .transform((given) => [given].flat())
    .nullable()
    .default(null)
    .describe("Event names; may be repeated; default all"),
  text: z.string().max(200).default("").describe("In the name, a field or an action, in any case"),
  where,
  position: wholeNumber.default(0).describe("Position of the first event to read"),
  file: wholeNumber.optional().describe("With offset: begins at that event, in the place of position"),
  offset: wholeNumber.optional().describe("Byte offset of the event in the file"),
  block: wholeNumber.optional().describe("Begins at the first event of that block, in the place of position"),
  read: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000)
    .default(200)
    .describe("Most events to read; those with the names and the text, and of the filter, are answered"),
});
export const EventDensityQuery = RawEventsQuery.pick({
  from: true,
  to: true,
  database: true,
  replica: true,
}).extend({ bins: bins.default(200) });
export const EvidenceSamplesQuery = z.object({
  ...range,
  bins: bins.default(1_000).describe("Most values of each metric: more samples become means"),
  metric: z
    .union([wholeNumber, z.array(wholeNumber).max(500)])
    .transform((given) => [given].flat())
    .nullable()
    .default(null)
    .describe("Indices of metrics; may be repeated; default all"),
});
export const StatisticsQuery = z.object({
  ...range,
  ...scope,
  exceptFrom: CaptureTime.optional().describe(
    "µs; blocks and commits that overlap the range from here to exceptTo are excluded",
  ),
  exceptTo: CaptureTime.optional().describe("µs, end of that range"),
  where,
});
export const HitsQuery = z.object({ ...range, ...scope, where: filter.describe("The filter") });
export const HitCountsQuery = z.object({
  ...scope,
  where: z
    .preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(filter).min(1).max(MOST_COUNTED))
    .describe("A filter; may be repeated"),
});
export const TableQuery = z.object({ ...range, ...scope, where });
export const TableParameter = z.enum([...ROW_TABLES, ...EVIDENCE_TABLES]);
export const WhatIfQuery = z.object({
  list: z
    .enum(["true", "false"])
    .default("true")
    .describe("false: the change alone, without the list of all changes"),
  change: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      "async:NAME, sync:NAME, write:NAME:5ms, write:NAME:p50, write:NAME:as:OTHER, network:NAME:0.2ms, compression:NAME:0us",
    ),
});
/** Search key: an LSN as text, or an instant, µs from the origin. */
export const FindQuery = z
  .object({
    lsn: z.string().trim().min(1).max(80).optional().describe("00000022:00000167, 34:359 or a log_block_id"),
    at: CaptureTime.optional().describe("µs from the capture's origin"),
  })
  .refine(({ lsn, at }) => (lsn === undefined) !== (at === undefined), "Provide either lsn or at.");
export const SlowestQuery = z.object({
  ...range,
  ...scope,
  sort: SlowestOrder.default("remoteHarden").describe(
    "time: as they begin; matched: by the duration that met the first condition of `where` about one, without such a condition as remoteHarden",
  ),
  descending: z.enum(["true", "false"]).default("true"),
  secondary,
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  offset: z.coerce.number().int().min(0).default(0),
  where,
});
export const SlowCommitsQuery = z.object({
  ...range,
  order: CommitOrder.default("waited"),
  ...scope,
  secondary,
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  offset: z.coerce.number().int().min(0).default(0),
  where,
});
export const WhoWaitedQuery = z.object({
  ...range,
  ...scope,
  by: ClientGroup.default("application"),
  where: where.describe(
    "As elsewhere; conditions on session, app and statement don't remove rows, but count the commits that meet them",
  ),
});
export const RowParameter = z.coerce.number().int().min(0).max(0xffff_ffff);
