/** Messages of watches to people, as a watch sees them. */
import type { Watch, WatchEpisode, WatchMessageTested } from "@aglens/contract";
import type { WatchRow } from "./watch-store.ts";

/** The parts of a watch that messages need. */
export type MessageWatch = Pick<Watch, "id" | "owner" | "week"> & {
  readonly definition: Pick<Watch["definition"], "group" | "receivers" | "recording">;
};

export type NewMessage =
  | {
      /** "refused" in place of "start" where nothing is recorded; "end" follows after either. */
      readonly kind: "start" | "refused" | "end";
      readonly episode: WatchEpisode;
      /** Names of the replicas that are recorded, and of those that should be and aren't. */
      readonly recordedOn?: readonly string[];
      readonly missing?: readonly string[];
    }
  | {
      /** A replica, or the complete watch, isn't polled, or is polled again. */
      readonly kind: "broken" | "mended";
      /** Name of the replica; null for the complete watch. */
      readonly server: string | null;
      /** Time of the first poll that failed: the same for both messages. UTC, ISO 8601. */
      readonly since: string;
      /** Code of the failure, as in `WatchedReplica.problem`; it has no part of a login. */
      readonly code?: string;
    };

export interface WatchMessages {
  /** Continues with the waiting messages of a watch that this server begins to run. */
  begin(watch: string): Promise<void>;
  /** Ends the work for a watch that this server no longer runs; its rows stay. */
  end(watch: string): Promise<void>;
  /** Adds a message for each receiver. @param episodes rows that are written in the same step */
  add(watch: MessageWatch, message: NewMessage, episodes?: readonly WatchRow[]): Promise<void>;
  /** Sends a test now. @param receiver name in the watch file */
  test(receiver: string): Promise<WatchMessageTested>;
  close(): Promise<void>;
}
