/** State of the server: figures for admins, and for users who upload their own storage, jobs and places. */
import { StorageUse } from "./library.ts";
import { z } from "../zod.ts";

const perMinute = z.array(z.number().nullable());

/** An analysis that runs or waits; running ones are first, then the waiting ones in the order of their turns. */
export const StatusJob = z.object({
  captureId: z.string(),
  name: z.string(),
  /** Null on a server without sign-in. */
  owner: z.string().nullable(),
  /** Bytes of its files. */
  bytes: z.number(),
  phase: z.string(),
  /** Share of the bytes that are read, 0..1. */
  share: z.number(),
  /** Place among those that wait, from 1, and why it waits; null for one that runs. */
  waiting: z.object({ place: z.number(), reason: z.string() }).nullable(),
  mayChange: z.boolean(),
});
export type StatusJob = z.infer<typeof StatusJob>;

/** Files of a capture that are being recognized or wait for it; captures take turns. */
export const StatusRecognition = z.object({
  captureId: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  running: z.number(),
  waiting: z.number(),
  /** Files of others that are recognized before the first waiting one. */
  before: z.number(),
});
export type StatusRecognition = z.infer<typeof StatusRecognition>;

/** A thread within the last minute. */
export const StatusThread = z.object({
  work: z.enum(["main", "analysis", "answers", "files"]),
  /** Number from 1, among threads of the same work. */
  number: z.number(),
  /** Share of each half second that it worked, oldest first. */
  shares: z.array(z.number()),
});
export type StatusThread = z.infer<typeof StatusThread>;

/** Bytes. */
export const StatusDisk = z.object({
  free: z.number(),
  total: z.number(),
  /** Bytes that uploads, analyses and live runs leave free: only deleting works below that. */
  keptFree: z.number(),
  /** Use of the data directory; null until it was measured for the first time. */
  parts: z
    .object({
      captures: z.number(),
      tables: z.number(),
      trash: z.number(),
      uploads: z.number(),
      live: z.number(),
      lost: z.number(),
      other: z.number(),
    })
    .nullable(),
  /** Bytes a day over the last 14 days; null until two days were noted. */
  growthPerDay: z.number().nullable(),
});
export type StatusDisk = z.infer<typeof StatusDisk>;

/** One of several servers on the same catalogue. */
export const StatusServer = z.object({
  name: z.string(),
  /** Version of its program. */
  version: z.string(),
  /** When its process began, UTC, ISO 8601. */
  begun: z.string(),
  /** Since the catalogue saw it last, ms. */
  unseenMs: z.number(),
  /** False where it was not seen for so long that it must have ended, or cannot reach the catalog. */
  isRunning: z.boolean(),
  /** Whether the figures are this one's. */
  isThis: z.boolean(),
});
export type StatusServer = z.infer<typeof StatusServer>;

/** Payload bytes that no column claims, of files of captures that are not in the trash. */
export const UnclaimedFigures = z.object({
  /** Files with such bytes. */
  files: z.number(),
  bytes: z.number(),
  /** By event type, the one with most bytes first; types that AG Lens doesn't read together as "other". */
  types: z.array(z.object({ event: z.string(), events: z.number(), bytes: z.number() })),
});
export type UnclaimedFigures = z.infer<typeof UnclaimedFigures>;

/** Figures of the entire server. */
export const ServerFigures = z.object({
  /** When the process began, and when this was measured, UTC, ISO 8601. */
  begun: z.string(),
  now: z.string(),
  disk: StatusDisk,
  analyses: z.object({ running: z.number(), waiting: z.number(), most: z.number() }),
  recognitions: z.object({ running: z.number(), waiting: z.number() }),
  liveRuns: z.object({ running: z.number(), most: z.number() }),
  /** p95 of the last five minutes and of each minute of the last hour, ms. */
  answers: z.object({ p95Ms: z.number().nullable(), minutes: perMinute }),
  /** p99 of the worst of the last five minutes and of each minute of the last hour, ms. */
  eventLoop: z.object({ p99Ms: z.number(), minutes: perMinute }),
  /** Answers of 4xx and 5xx within `hours`, which are 24 or fewer since the start. */
  refusals: z.object({ refused: z.number(), requests: z.number(), hours: z.number() }),
  /** Figures of the captures of all servers on the catalog. */
  unclaimed: UnclaimedFigures,
  threads: z.array(StatusThread),
  /** By name; empty where one server uses the catalog alone. */
  servers: z.array(StatusServer),
  people: z.array(
    z.object({ name: z.string(), captures: z.number(), bytes: z.number(), limit: z.number().nullable() }),
  ),
});
export type ServerFigures = z.infer<typeof ServerFigures>;

export const ServerStatus = z.object({
  /** For admins, and on a server without sign-in. */
  server: ServerFigures.nullable(),
  /** All jobs for admins; for others their own jobs, with their places among all. */
  jobs: z.array(StatusJob),
  recognitions: z.array(StatusRecognition),
  /** Null on a server without sign-in. */
  own: StorageUse.nullable(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
