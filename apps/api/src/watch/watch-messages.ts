/** Messages of watches to people, as a watch sees them. */
import type { WatchDefinition, WatchEpisode, WatchMessageTested } from "@aglens/contract";

/**
 * "start": a recording began; "end": its verdict, or why it is missing; "refused": a trigger was met, and nothing was
 * recorded; "broken" and "mended": replicas can't be polled, and are polled again.
 */
export interface WatchNews {
  readonly kind: "start" | "end" | "refused" | "broken" | "mended";
  /** UTC, ISO 8601. */
  readonly at: string;
  /** Null for "broken" and "mended". */
  readonly episode: WatchEpisode | null;
  /** The problem of "broken", in sentences; empty for others. */
  readonly text: string;
}

export interface WatchMessages {
  /** Stores a message for each receiver of the watch; it is sent in the background. */
  add(watch: { readonly id: string; readonly definition: WatchDefinition }, news: WatchNews): Promise<void>;
  /** Sends a test now. @param receiver name in the watch file */
  test(receiver: string): Promise<WatchMessageTested>;
  close(): Promise<void>;
}

/** Sends nothing. */
export const NO_MESSAGES: WatchMessages = {
  add: () => Promise.resolve(),
  test: () => Promise.resolve({ isAccepted: false, text: "Messages aren't available." }),
  close: () => Promise.resolve(),
};
