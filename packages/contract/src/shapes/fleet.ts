/** Many captures of an availability group side by side, a night or a week a column. Durations are µs. */
import { FLEET_STAGES } from "@aglens/ag-model/fleet";
import { PATH_STAGES } from "@aglens/ag-model/replication";
import { Capture } from "./captures.ts";
import { FailoverCause } from "./evidence.ts";
import { Statistics } from "./statistics.ts";
import { z } from "../zod.ts";

const us = z.number().nullable();

/** A stage or the commits, compared from capture to capture. */
export const FleetStage = z.enum(FLEET_STAGES);

const FleetLaneName = z.object({
  stage: FleetStage,
  /** Name of the server; "" for commits. */
  replica: z.string(),
  /** Commits do not wait for it. */
  isAsynchronous: z.boolean(),
});

/** Mean stages of the path to a secondary and back. */
export const FleetPath = z.object({
  replica: z.string(),
  isAsynchronous: z.boolean(),
  means: z.record(z.enum(PATH_STAGES), us),
});
export type FleetPath = z.infer<typeof FleetPath>;

/** Figures of one capture that are kept with its record. */
export const FleetFigures = z.object({
  durationUs: z.number(),
  blocks: z.number(),
  commits: z.number(),
  /** Number of periods in which one stage was far from the rest of the capture. */
  episodes: z.number(),
  lanes: z.array(FleetLaneName.extend(Statistics.omit({ mean: true }).shape)),
  paths: z.array(FleetPath),
});
export type FleetFigures = z.infer<typeof FleetFigures>;

/** The capture that represents a column: of several the one whose commits took longest (p95). */
export const FleetColumn = Capture.pick({ id: true, name: true, verdict: true, severity: true, place: true })
  .extend(FleetFigures.omit({ lanes: true }).shape)
  .extend({
    /** From 0. */
    column: z.number(),
    /** Captures of the column. */
    captures: z.number(),
    /** Time of its first event, UTC, ISO 8601. */
    from: z.string(),
    /** 95th percentile of commit latency, µs. */
    p95: us,
    /** Cause of its last failover, where other files of the capture show one. */
    failover: FailoverCause.shape.kind.optional(),
    /** False where the capture has expired: only its figures remain. */
    isThere: z.boolean(),
  });
export type FleetColumn = z.infer<typeof FleetColumn>;

/** Duration of a stage before and since a change, µs: medians over captures of their p95. */
export const FleetChange = z.object({
  /** First column since. */
  from: z.number(),
  before: z.number(),
  since: z.number(),
  factor: z.number(),
  /** Columns that the medians are of. */
  columnsBefore: z.number(),
  columnsSince: z.number(),
});

/** One stage of one replica; its figures are in the order of `columns`, null where a capture does not have it. */
export const FleetLane = FleetLaneName.extend({
  p50: z.array(us),
  p95: z.array(us),
  p99: z.array(us),
  max: z.array(us),
  /** Null where it has not changed by more than chance explains. */
  change: FleetChange.nullable(),
});
export type FleetLane = z.infer<typeof FleetLane>;

/** Captures of one group, all of them or those with a tag. */
export const FleetSide = z.object({
  /** Its id: its name, or databases and servers. */
  group: z.string(),
  /**
   * The secondary whose stages these are, in addition to commits and stages of the primary; null for all secondaries.
   */
  groupName: z.string(),
  replica: z.string().nullable(),
  tag: z.string().nullable(),
  /** Every secondary that one of the captures has, as its lanes are in order. */
  replicas: z.array(z.string()),
  /** Captures in the columns, including those that another one represents. */
  captures: z.number(),
  /** Those with a capture, in order of time. */
  columns: z.array(FleetColumn),
  lanes: z.array(FleetLane),
  verdict: z.object({
    sentence: z.string(),
    rest: z.string(),
    checkNext: z.array(z.string()),
    isWorse: z.boolean(),
    /** First column since the change in the verdict; null without one. */
    from: z.number().nullable(),
    /** Index into `lanes` of the verdict's lane; null where none has changed. */
    lane: z.number().nullable(),
  }),
});
export type FleetSide = z.infer<typeof FleetSide>;

export const Fleet = z.object({
  /** Groups with analyzed captures that the user may see, the group with the newest capture first. */
  groups: z.array(z.object({ group: z.string(), groupName: z.string(), captures: z.number() })),
  /** Tags of captures of the groups that are shown, in alphabetical order. */
  tags: z.array(z.object({ name: z.string(), captures: z.number() })),
  unit: z.enum(["night", "week"]),
  /** First day of each column by the clock that was asked for, ISO 8601. */
  days: z.array(z.string()),
  /** Null without captures. */
  a: FleetSide.nullable(),
  /**
   * Null unless another group, or another replica or tag of the same group, was requested. With the same captures it
   * has only the lanes of its replica.
   */
  b: FleetSide.nullable(),
});
export type Fleet = z.infer<typeof Fleet>;
