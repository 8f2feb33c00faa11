/** Recordings of watches, as a watch sees them. */
import type { Owner, WatchDefinition, WatchEpisode } from "@aglens/contract";

/** The watch that a recording is of. */
export interface WatchToRecord {
  readonly id: string;
  readonly definition: WatchDefinition;
  readonly owner: Owner | null;
}

export interface BegunRecording {
  /** Names of replicas on which event sessions run. */
  readonly recordedOn: readonly string[];
  /** Sentences about replicas on which none runs. */
  readonly problems: readonly string[];
}

export interface EndedRecording {
  readonly captureId: string;
  readonly bytes: number;
  /** First and last event time, ISO 8601; null without events. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface RecordedVerdict extends Pick<WatchEpisode, "verdict" | "place" | "p95Us"> {
  /** Why there is no verdict, as a sentence. */
  readonly problem: string | null;
}

/** Recordings of one watch, one at a time. */
export interface Recorder {
  /** Begins the ring, where the definition has one. */
  arm(): void;
  /**
   * Records from now, or from the ring's begin. Resolves when event sessions run on all replicas that answered. @throws
   * RecordingError
   */
  begin(): Promise<BegunRecording>;
  /** Stops, and keeps. Null: no events arrived. @throws RecordingError */
  end(): Promise<EndedRecording | null>;
  /** When the capture is analyzed, or that failed. */
  verdictOf(captureId: string): Promise<RecordedVerdict>;
  /** Drops the event sessions; what was recorded stays on disk for the next start. */
  close(): Promise<void>;
}

/** Why nothing is recorded, as a sentence. */
export class RecordingError extends Error {}

export interface Recorders {
  open(watch: WatchToRecord): Recorder;
  /**
   * Resolves when what an earlier process recorded of an episode is a capture. Null: nothing was left of it.
   */
  recovered(watch: WatchToRecord, episode: WatchEpisode): Promise<EndedRecording | null>;
}

const unavailable = (): Promise<never> => Promise.reject(new RecordingError("Recording isn't available."));

/** Records nothing. */
export const NO_RECORDERS: Recorders = {
  open: () => ({
    arm: () => {},
    begin: unavailable,
    end: unavailable,
    verdictOf: unavailable,
    close: () => Promise.resolve(),
  }),
  recovered: () => Promise.resolve(null),
};
