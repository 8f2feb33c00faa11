/** Rows of watches in the store, as values. A row that can't be read is skipped: it may be of a newer version. */
import { Owner, WatchDefinition, WatchEpisode } from "@aglens/contract";
import { z } from "zod";
import type { WatchRow } from "./watch-store.ts";

/** All that is kept of a watch, except its polls and episodes. */
const StoredWatch = z.object({
  definition: WatchDefinition,
  created: z.string(),
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

export function watchIn({ record }: WatchRow): StoredWatch | null {
  return StoredWatch.safeParse(record).data ?? null;
}

/** Episodes in rows, in their order. */
export const episodesIn = (rows: readonly WatchRow[]): WatchEpisode[] =>
  rows.flatMap(({ record }) => WatchEpisode.safeParse(record).data ?? []);
