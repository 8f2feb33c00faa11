/** Rows of watches in the store, as values. A row that can't be read is skipped: it may be of a newer version. */
import { Owner, WATCH_STATES, WatchDefinition, WatchedReplica, WatchEpisode } from "@aglens/contract";
import { z } from "zod";
import type { WatchRow } from "./watch-store.ts";

/** All that is kept of a watch, except its polls and episodes. */
const StoredWatch = z.object({
  definition: WatchDefinition,
  created: z.string(),
  /** When a person last changed the definition. */
  changed: z.string(),
  owner: Owner.nullable(),
  isPaused: z.boolean(),
  /** Since when it is paused or not. */
  since: z.string(),
  pausedBy: z.string().nullable(),
  /** When a person last asked to try again; "" before that. */
  asked: z.string(),
});
export type StoredWatch = z.infer<typeof StoredWatch>;

/** Key of the row with a definition. */
export const DEFINITION = "definition";
/** Key of the row with the state, next to the definition. */
export const STATUS = "status";

/** A replica about which people were told that it can't be polled. */
const BrokenReplica = z.object({ replica: z.number(), server: z.string(), since: z.string() });
export type BrokenReplica = z.infer<typeof BrokenReplica>;

/** State of a watch as its server sees it, for other servers and the next process. */
const WatchStatus = z.object({
  state: z.enum(WATCH_STATES),
  since: z.string(),
  /** Name of the last known primary. */
  primary: z.string().nullable(),
  replicas: z.array(WatchedReplica),
  told: z.array(BrokenReplica),
});
export type WatchStatus = z.infer<typeof WatchStatus>;

/** A stored state, and the server that has the watch; null where there is one server only. */
const StoredStatus = z.object({ server: z.string().nullable(), status: WatchStatus });
export type StoredStatus = z.infer<typeof StoredStatus>;

export const statusIn = ({ record }: WatchRow): StoredStatus | null =>
  StoredStatus.safeParse(record).data ?? null;

export function watchIn({ record }: WatchRow): StoredWatch | null {
  return StoredWatch.safeParse(record).data ?? null;
}

/** Episodes in rows, in their order. */
export const episodesIn = (rows: readonly WatchRow[]): WatchEpisode[] =>
  rows.flatMap(({ record }) => WatchEpisode.safeParse(record).data ?? []);

/**
 * Whether its reason is the sentence of a failure, which is a step too. It may have names of logins and files, which only
 * people who may set up watches see.
 */
export const isRefusedByFailure = ({ refusal, steps }: WatchEpisode): boolean =>
  steps.some(({ text, isProblem }) => isProblem && text === refusal);

/** A request to record that a person or a tool sent to a server which does not have the watch. */
const RecordRequest = z.object({
  rule: z.enum(["hand", "http"]),
  at: z.string(),
  /** Id of the episode; null until the server that has the watch took the request. */
  episode: z.string().nullable(),
});

export const recordRequestIn = (record: unknown): z.infer<typeof RecordRequest> | null =>
  RecordRequest.safeParse(record).data ?? null;
