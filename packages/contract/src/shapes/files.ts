/** Files of a capture, facts about their servers from their events, and uploads. */
import { shownText } from "../shown-text.ts";
import { EvidenceOfFile } from "./evidence.ts";
import { z } from "../zod.ts";

/** An event next to a gap; `at` is UTC, ISO 8601 with 7 decimals. */
export const GapNeighbor = z.object({ name: z.string(), at: z.string() });
export type GapNeighbor = z.infer<typeof GapNeighbor>;

export const Gap = z.object({
  code: z.string(),
  offset: z.number(),
  bytes: z.number(),
  message: z.string(),
  /** Events lost; absent when the reader can't determine it. */
  eventsLost: z.number().optional(),
  /** The last readable event before the gap and the first one after it; null where no such event exists. */
  before: GapNeighbor.nullable().optional(),
  after: GapNeighbor.nullable().optional(),
});
export type Gap = z.infer<typeof Gap>;

const Side = z.enum(["primary", "secondary"]);

/**
 * Corrections that the user may make to a file; they always win. `replica` is the name of the server that wrote the
 * file.
 */
export const FileCorrection = z.object({
  role: z.enum(["primary", "secondary", "ignored"]).optional(),
  replica: shownText(128).optional(),
  /** Minutes that local time in a file of evidence is ahead of UTC, where the file does not state it. */
  utcOffsetMinutes: z
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .optional(),
});
export type FileCorrection = z.infer<typeof FileCorrection>;

/** FILETIME ticks (100 ns since 1601, UTC) as decimal text. */
const Ticks = z.string().regex(/^-?\d+$/u);

/** log_block_id as decimal text. */
const BlockId = z.string().regex(/^\d+$/u);

/**
 * Ids that the events of a file name: files are grouped to servers, and servers to captures, by them. Ids are
 * lower-case GUIDs.
 */
export const FileIdentity = z.object({
  ownIds: z.array(z.string()),
  partnerIds: z.array(z.string()),
  groupIds: z.array(z.string()),
  databases: z.array(
    z.object({
      id: z.string(),
      primaryEvents: z.number(),
      secondaryEvents: z.number(),
      stretches: z.array(z.object({ role: Side, fromTicks: Ticks, toTicks: Ticks, blocks: z.number() })),
      /** Absent in records of earlier versions. */
      range: z.object({ firstBlockId: BlockId, lastBlockId: BlockId }).nullable().optional(),
      forwarded: z.number().optional(),
    }),
  ),
  events: z.number(),
  logEvents: z.number(),
  fromTicks: Ticks,
  toTicks: Ticks,
  counterZeroTicks: Ticks.nullable(),
  engine: z.enum(["start_timestamp", "2012"]),
});
export type FileIdentity = z.infer<typeof FileIdentity>;

/** An event type with payload bytes outside of its columns. */
export const UnclaimedPayload = z.object({
  package: z.string(),
  event: z.string(),
  events: z.number(),
  bytes: z.number(),
  /** Byte offset in the file of the first such event. */
  offset: z.number(),
});
export type UnclaimedPayload = z.infer<typeof UnclaimedPayload>;

/** The topology file with the names that a user set. The last topology of a capture wins. */
export const NAMES_FILE = "names-given-in-ag-lens.xml";

export const CaptureFile = z.object({
  id: z.string(),
  name: z.string(),
  /** Its folder, according to its path. */
  folder: z.string().nullable().default(null),
  /** All folders and zips of the file, outermost first, separated by "/"; they name a server whose events do not. */
  path: z.string().default(""),
  /** SHA-256 of the sent bytes, hex; "" where it is unknown. Files with equal content are used once. */
  sha256: z.string().default(""),
  /**
   * SHA-256 of the file as it is kept, which differs where the file was rewritten; absent where an earlier version kept
   * it.
   */
  keptSha256: z.string().optional(),
  /** The bytes of the file are missing: the capture was received without them, and accepts them later. */
  isMissing: z.boolean().optional(),
  /**
   * Data dropped before the file was kept: values of sensitive fields and actions, and bytes without a readable event.
   * Null where the uploader keeps statement texts, host and login names; absent where an earlier version kept the file,
   * with all of its data.
   */
  dropped: z.object({ values: z.number(), bytes: z.number() }).nullable().optional(),
  /** Event types with payload bytes that no column claims: their values may be wrong. Absent without such types. */
  unclaimed: z.array(UnclaimedPayload).optional(),
  size: z.number(),
  /** "evidence" for a file of other facts, and for one that isn't used: `evidenceFile` states which. */
  kind: z.enum(["xel", "topology", "evidence", "unreadable"]),
  /** Facts about a file of kind "evidence"; absent for any other file. */
  evidenceFile: EvidenceOfFile.optional(),
  /** Why it is unreadable: names file, offset and consequence. */
  message: z.string().nullable(),
  gaps: z.array(Gap),
  events: z.number(),
  /** UTC, ISO 8601 with 7 decimals. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  detectedRole: z.enum(["primary", "secondary", "unknown"]),
  /** Evidence for the role, e.g. "hadr_capture_log_block, 1,108 events". */
  evidence: z.string(),
  /** Replica that the events name as their own (availability_replica_id), or null. */
  replicaId: z.string().nullable(),
  /** Replicas that the events name at the other end, lower-case GUIDs. */
  partnerIds: z.array(z.string()).default([]),
  /** Names by replica id, and by group_database_id: those in a topology file, or those that other captures had for ids of an event file. */
  replicaNames: z.record(z.string(), z.string()).default({}),
  databaseNames: z.record(z.string(), z.string()).default({}),
  /** Names of availability groups, in the same way. */
  groupNames: z.array(z.string()).default([]),
  /** Null for any file that is no .xel file. */
  identity: FileIdentity.nullable().default(null),
  given: FileCorrection.default({}),
  /** Set by the user, otherwise detected. `replica` is the name of the server, which its files share. */
  role: z.enum(["primary", "secondary", "ignored"]),
  replica: z.string(),
});
export type CaptureFile = z.infer<typeof CaptureFile>;

/** A server of a group of files. */
export const GroupServer = z.object({
  name: z.string(),
  /**
   * Origin of the name: the user, a topology, another capture, a folder or zip, its replica id, its first file, or its
   * role.
   */
  nameFrom: z.enum(["given", "topology", "remembered", "folder", "id", "file", "role"]),
  /** Its availability_replica_ids, one per availability group. */
  ids: z.array(z.string()),
  role: Side,
  /** Ids of its files, oldest first. */
  files: z.array(z.string()),
  /** Roles that it had, by database, in the order of time (UTC, ISO 8601). */
  roles: z.array(z.object({ database: z.string(), role: Side, from: z.string(), to: z.string() })),
});
export type GroupServer = z.infer<typeof GroupServer>;

/** Files that belong together and become one capture. */
export const CaptureGroup = z.object({
  /** Availability group or servers, and time (UTC). */
  name: z.string(),
  /** Name of the availability group; null where no topology has one, or several. */
  group: z.string().nullable(),
  servers: z.array(GroupServer),
  /** Names of its databases. */
  databases: z.array(z.string()),
  /** Replicas that its events name and that have no file. */
  withoutFile: z.array(z.object({ id: z.string(), name: z.string() })),
  /** True for a server that has nothing in common with the other files. */
  foreign: z.boolean(),
  /** Warnings about the grouping; `refuses` when it has to be corrected before an analysis. */
  warnings: z.array(z.object({ code: z.string(), sentence: z.string(), refuses: z.boolean() })),
});
export type CaptureGroup = z.infer<typeof CaptureGroup>;

/** Progress of reading a file that is still arriving. */
export const ReadSoFar = z.object({
  /** Bytes of the file, from its first. */
  bytes: z.number(),
  /** Counts of events, cumulative, at some moments of its time: each later than the one before, at most 256. */
  points: z.array(
    z.object({
      /** Time of the last event that is counted: UTC, ISO 8601. */
      at: z.string(),
      events: z.number(),
    }),
  ),
});
export type ReadSoFar = z.infer<typeof ReadSoFar>;

/**
 * A file that is sent in parts, by the tus protocol; once all of its bytes have arrived, it is a file of its capture.
 */
export const UploadInParts = z.object({
  id: z.string(),
  captureId: z.string(),
  name: z.string(),
  /** Where the file lay in a dropped folder, with its name. */
  path: z.string(),
  /** Bytes of the complete file. */
  size: z.number(),
  /** Bytes that the server has: the next part begins there. */
  received: z.number(),
  /**
   * Mark of the file's first bytes, sent by the client, which finds the file again by it; null when the client sent no
   * mark.
   */
  head: z.string().nullable(),
  /** UTC, ISO 8601, as the other two. */
  begun: z.string(),
  lastReceived: z.string(),
  /** Time until which the server keeps the received part. */
  expires: z.string(),
  /** Files of the capture that the upload became; null until all bytes are there. */
  files: z.array(CaptureFile).nullable(),
  /**
   * Progress of reading while the file arrives; absent for a file that is read only when it is complete, and for a
   * complete one.
   */
  read: ReadSoFar.optional(),
});
export type UploadInParts = z.infer<typeof UploadInParts>;

export const UploadsInParts = z.object({ uploads: z.array(UploadInParts) });
