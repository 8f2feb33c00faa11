/** Raw events of a range, in the order they fired. Times are µs on the primary's clock. */
import { SequenceEvent } from "./sequence.ts";
import { z } from "../zod.ts";

export const RawEvent = SequenceEvent.extend({
  /** Position among the events of the range and the replicas, with any name. */
  position: z.number(),
  /** Row of its log block. */
  block: z.number(),
  database: z.number(),
  /** Whether its replica was the primary of the block. */
  onPrimary: z.boolean(),
  /** Index into the summary's files. */
  fileIndex: z.number(),
  /** Field that `duration` is read from. */
  durationField: z.string().nullable(),
});
export type RawEvent = z.infer<typeof RawEvent>;

export const RawEvents = z.object({
  /** Number of events of the range and the replicas, with any name. */
  total: z.number(),
  /** Position of the first event that was read, and number of events read for this answer. */
  position: z.number(),
  read: z.number(),
  /** Position of the next page; null where no event is left. */
  next: z.number().nullable(),
  /** Events that were read and that match the names and the text of the request. */
  events: z.array(RawEvent),
  /** All that were read, by name and replica. */
  names: z.array(z.object({ name: z.string(), replica: z.number(), count: z.number() })),
  /** Events that could not be read: their file is missing, or their bytes are no event. */
  unreadable: z.number(),
  /**
   * Events of the entire capture that are in no range's list: of each replica those of no log block, and those with an
   * unknown instant.
   */
  unlisted: z.object({ ofNoBlock: z.array(z.number()), withoutInstant: z.number() }),
});
export type RawEvents = z.infer<typeof RawEvents>;

/** Number of events of a range in each of equal bins, independent of their names. */
export const EventDensity = z.object({
  /** Where the first bin begins and the last one ends. */
  from: z.number(),
  to: z.number(),
  /** By replica, then by bin. */
  counts: z.array(z.array(z.number())),
});
export type EventDensity = z.infer<typeof EventDensity>;
