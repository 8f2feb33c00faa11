/** Arguments and answers of the tools. Durations and times are µs, times from the capture's beginning. */
import type { SlowestSort } from "@aglens/contract";
import { z } from "zod";

const us = z.number().nullable();
const name = z.string().nullable();
/** Each answer has it: lists that are cut, and how to ask for the rest. */
const notShown = z.array(z.string()).describe("Parts that aren't shown, and how to ask for them");

const capture = z
  .string()
  .optional()
  .describe("Id from analyze_files, such as c1. Needed if several captures are open");
const database = z.string().optional().describe("Name of a database; all by default");
const replica = z
  .string()
  .optional()
  .describe("Name of the secondary replica; the first by default. SQL2 or SQL1: SQL1 after a role change");
/** A time of the capture, as its answers have it. */
const Time = z
  .union([z.number(), z.string().max(40)])
  .describe("µs from the capture's beginning, or a time in UTC such as 2026-05-06T02:17:28Z");
export type Time = z.infer<typeof Time>;
const range = {
  from: Time.optional(),
  to: Time.optional(),
};
const page = {
  limit: z.number().int().min(1).max(200).default(20).describe("Rows"),
  offset: z.number().int().min(0).default(0).describe("Rows to skip"),
};

const BLOCK_ORDERS = [
  "commit",
  "remoteHarden",
  "commitQueue",
  "localFlush",
  "captureLag",
  "compression",
  "send",
  "wireOut",
  "secondaryAppend",
  "decompression",
  "secondaryFlush",
  "ackBuild",
  "ackSend",
  "secondaryTotal",
  "wireBack",
  "ackReceive",
  "commitWakeUp",
  "networkRoundTrip",
] as const satisfies readonly SlowestSort[];

export const AnalyzeAsked = z.object({
  paths: z
    .array(z.string().min(1).max(4_000))
    .min(1)
    .max(200)
    .describe("Files, folders and zips on this computer, of all replicas in any order"),
});
export const ListAsked = z.object({ capture });
export type ListAsked = z.infer<typeof ListAsked>;
export const RangeAsked = z.object({ capture, database, ...range });
export type RangeAsked = z.infer<typeof RangeAsked>;
export const SlowBlocksAsked = z.object({
  capture,
  replica,
  order: z
    .enum(BLOCK_ORDERS)
    .default("commit")
    .describe("Stage, or commit for the longest commit of the block"),
  database,
  ...range,
  ...page,
});
export type SlowBlocksAsked = z.infer<typeof SlowBlocksAsked>;
export const SlowCommitsAsked = z.object({
  capture,
  replica: replica.describe("Secondary replica of the stages for commits that no acknowledgment released"),
  order: z
    .enum(["waited", "queued", "wokenAfter"])
    .default("waited")
    .describe("The complete wait, its part before the log write, or its part after the release"),
  database,
  ...range,
  ...page,
});
export type SlowCommitsAsked = z.infer<typeof SlowCommitsAsked>;
export const BlockAsked = z.object({
  capture,
  row: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("row of slowest_blocks, block of slowest_commits and of tables"),
  lsn: z.string().max(80).optional().describe("In place of row: 00000022:00000167, or a log_block_id"),
  database,
});
export type BlockAsked = z.infer<typeof BlockAsked>;
export const WhatIfAsked = z.object({
  capture,
  change: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      "async:SERVER, sync:SERVER, write:SERVER:5ms, write:SERVER:p50, write:SERVER:as:OTHER, network:SERVER:0.2ms, compression:SERVER:0us. Without it, all changes are listed",
    ),
});
export const ComparisonAsked = z.object({
  a: z.string().describe("Id of a capture"),
  b: z.string().describe("Id of another capture, or the same one with another range"),
  percentile: z.enum(["p50", "p95", "p99"]).default("p95"),
  replica,
  aFrom: range.from,
  aTo: range.to,
  bFrom: range.from,
  bTo: range.to,
});
export type ComparisonAsked = z.infer<typeof ComparisonAsked>;
export const SqlAsked = z.object({
  sql: z.string().min(1).max(20_000).describe("One query in DuckDB's SQL that only reads"),
  capture: capture.describe("Id of the capture; all open captures by default"),
  limit: z.number().int().min(1).max(500).default(50).describe("Rows"),
});
export type SqlAsked = z.infer<typeof SqlAsked>;
export const HelpAsked = z.object({
  words: z.string().max(200).default("").describe("Words to search for; without them, all pages are listed"),
});
export type HelpAsked = z.infer<typeof HelpAsked>;

const Severity = z.enum(["none", "notice", "slow"]);
const Figures = z.object({ n: z.number(), p50Us: us, p95Us: us, p99Us: us, maxUs: us, meanUs: us });
const StagesUs = z.record(z.string(), us).describe("By stage, µs");

export const Analyzed = z.object({
  captures: z.array(
    z.object({
      capture: z.string().describe("Id for other tools"),
      name: z.string(),
      verdict: z.string(),
      severity: Severity,
      fromUtc: z.string(),
      durationUs: z.number(),
      servers: z.array(
        z.object({ name: z.string(), role: z.string(), hasFiles: z.boolean(), events: z.number() }),
      ),
      databases: z.array(z.string()),
      blocks: z.number(),
      commits: z.number(),
      commitP50Us: us,
      commitP95Us: us,
      warnings: z.array(z.string()),
    }),
  ),
  notRead: z.array(z.string()).describe("Files that were skipped, and damage"),
  notShown,
});
export const VerdictShown = z.object({
  capture: z.string(),
  sentence: z.string(),
  severity: Severity,
  place: z.string(),
  figures: z.array(z.string()),
  checkNext: z.array(z.string()),
  findings: z.array(
    z.object({
      rule: z.string(),
      cause: z.string(),
      severity: Severity,
      server: name,
      database: name,
      sentence: z.string(),
      share: z.number().nullable().describe("Share of the mean commit latency, 0 to 1"),
      stage: name,
      fromUs: us,
      toUs: us,
      threshold: z.string(),
      source: z.string(),
      checkNext: z.array(z.string()),
    }),
  ),
  measured: z.array(z.string()),
  failovers: z.array(z.string()),
  warnings: z.array(z.string()),
  notShown,
});
export const FiguresShown = z.object({
  capture: z.string(),
  fromUs: z.number(),
  toUs: z.number(),
  blocks: z.number(),
  commits: z.number(),
  commitLatency: Figures,
  releasedBy: z.array(z.object({ by: z.string(), commits: z.number() })),
  stages: z.array(
    Figures.extend({
      replica: z.string(),
      stage: z.string(),
      name: z.string(),
      onRemotePath: z.boolean().describe("These stages add up to remoteHarden"),
    }),
  ),
  notShown,
});
export const SlowBlocksShown = z.object({
  capture: z.string(),
  replica: z.string(),
  total: z.number(),
  rows: z.array(
    z.object({
      row: z.number(),
      lsn: z.string(),
      database: name,
      atUs: z.number(),
      utc: z.string(),
      commits: z.number(),
      releasedBy: z.string(),
      largestStage: name,
      stagesUs: StagesUs,
    }),
  ),
  notShown,
});
export const SlowCommitsShown = z.object({
  capture: z.string(),
  total: z.number(),
  waitedUs: z.number().describe("Sum of the waits of all commits"),
  commitsOfHalfTheWait: z.number().describe("Fewest commits that together have half of it"),
  rows: z.array(
    z.object({
      block: z.number().nullable(),
      lsn: name,
      database: name,
      atUs: z.number(),
      utc: z.string(),
      waitedUs: us,
      queuedUs: us,
      wokenAfterUs: us,
      releasedBy: name,
      otherSideEarlierByUs: us,
      largestStage: name,
      stagesUs: StagesUs,
      commitsOfBlock: z.number().nullable(),
    }),
  ),
  notShown,
});
export const BlockShown = z.object({
  capture: z.string(),
  row: z.number(),
  lsn: z.string(),
  logBlockId: z.string(),
  database: name,
  atUs: z.number(),
  utc: z.string(),
  sizeBytes: z.number().nullable(),
  releasedBy: z.string(),
  commits: z.array(z.object({ startUs: us, endUs: us, latencyUs: us, queuedUs: us, wokenAfterUs: us })),
  paths: z.array(
    z.object({
      replica: name,
      stage: z.string(),
      fromUs: us,
      toUs: us,
      durationUs: us,
      usualUs: us.describe("Median of the capture"),
      rankPercent: z.number().nullable().describe("Percent of the capture's log blocks at or below"),
      obtained: z.string().describe("measured, derived, fallback (estimated) or missing"),
      uncertaintyUs: us,
    }),
  ),
  events: z
    .array(
      z.object({
        server: name,
        event: z.string(),
        mode: z.number().nullable(),
        beginUs: us,
        fireUs: us,
        utc: z.string(),
        file: z.string(),
        offset: z.number().describe("Byte in the file"),
      }),
    )
    .describe("Source events"),
  eventsMissing: name,
  notShown,
});
export const WhatIfShown = z.object({
  capture: z.string(),
  commits: z.number(),
  changes: z.array(
    z.object({
      change: z.string(),
      name: z.string(),
      now: z.string(),
      canDetermine: z.boolean(),
      p95Us: us,
      p95FromUs: us,
      p95ToUs: us,
    }),
  ),
  chosen: z
    .object({
      change: z.string(),
      commitsReplayed: z.number(),
      measured: Figures,
      predicted: Figures,
      replayError: z
        .number()
        .nullable()
        .describe("Largest relative error of the same replay without the change"),
      mostBytesBehind: z.number().nullable(),
    })
    .nullable(),
  notShown,
});
const SideShown = z.object({
  capture: z.string(),
  replica: z.string(),
  fromUs: z.number(),
  toUs: z.number(),
  verdict: z.string(),
});
export const ComparisonShown = z.object({
  a: SideShown,
  b: SideShown,
  percentile: z.string(),
  stages: z.array(
    z.object({
      stage: z.string(),
      aUs: us,
      bUs: us,
      aCount: z.number(),
      bCount: z.number(),
      changePercent: z.number().nullable().describe("Change from a to b"),
      changeFromPercent: z.number().nullable().describe("95 % confidence interval"),
      changeToPercent: z.number().nullable(),
      result: z
        .enum(["larger", "smaller", "alike", "unknown"])
        .describe("alike: under 10 %, or chance can explain it"),
    }),
  ),
  notShown,
});
export const SqlShown = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string(), unit: z.string().nullable() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]).nullable())),
  stopped: z.enum(["time", "memory", "rows", "bytes"]).nullable().describe("The limit that ended the query"),
  milliseconds: z.number(),
  notShown,
});
export const HelpShown = z.object({
  pages: z.array(z.string()).describe("Questions that the guide answers"),
  sections: z.array(z.object({ page: z.string(), file: z.string(), heading: z.string(), text: z.string() })),
  notShown,
});
