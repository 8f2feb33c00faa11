/** Makes the index of a capture's events in a thread beside the one that analyses it. */
import { availableParallelism } from "node:os";
import type { StoredEvents } from "@aglens/contract";
import { buffersIn, type EventsToList } from "@aglens/ag-model/replication";
import type { ListElsewhere } from "@aglens/engine/analysis";
import { scriptOf } from "../../threads/scripts.ts";
import { Thread } from "../../threads/thread.ts";

/** Of a thread that makes an index (`list-worker.ts`). */
export interface ListMessages {
  readonly data: null;
  readonly toThread: EventsToList;
  readonly fromThread: StoredEvents;
}

/** Of smaller files the index of events takes no longer than what a second thread takes from the first: caches, and the compiler. */
const WORTH_A_THREAD_BYTES = 128 * 1024 * 1024;

export const isWorthListing = (files: readonly { readonly size: number }[]): boolean =>
  availableParallelism() > 1 && files.reduce((sum, { size }) => sum + size, 0) >= WORTH_A_THREAD_BYTES;

export interface ListingThread {
  readonly list: ListElsewhere;
  /** Of whoever started it, whether it was given events or not. */
  readonly end: () => Promise<void>;
}

/** Starts the thread, which loads its code before it is given events. */
export function startListing(): ListingThread {
  const thread = new Thread<ListMessages>(scriptOf("list-worker"), null);
  const stored = Promise.withResolvers<StoredEvents>();
  stored.promise.catch(() => {});
  thread.onMessage(stored.resolve);
  thread.onEnd((error) => stored.reject(error ?? new Error("The thread ended without an index of events.")));
  return {
    list: (events) => {
      thread.send(events, [...buffersIn(events)]);
      return stored.promise;
    },
    end: () => thread.end(),
  };
}
