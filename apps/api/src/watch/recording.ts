/**
 * Recordings of a watch: event sessions on all replicas, from a trigger to its end, or always with a ring in memory.
 * Each is a live run without a client.
 */
import type { LiveLogin, Owner, WatchDefinition } from "@aglens/contract";
import { NewLiveRun } from "@aglens/contract";
import type { Captures } from "../captures/captures.ts";
import { newId } from "../kernel/identity.ts";
import { type Clock, pause } from "../kernel/clock.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import type { Live } from "../live/live.ts";
import type { LiveRun } from "../live/run/run.ts";

/** Captures of recordings have it. */
export const WATCH_TAG = "watch";

/** Time between two looks at an analysis. */
const LOOK_MS = 1_000;
/** A ring that ended begins again after so long. */
const ARM_AGAIN_MS = 60_000;

/** Begin of a recording. */
export interface Begun {
  /** Id of the capture that it becomes. */
  readonly captureId: string;
  /** Names of the replicas whose events are read. */
  readonly recordedOn: readonly string[];
  /** Sentences about the others. */
  readonly problems: readonly string[];
}

/** Result of an analysis; without one, `problem` has the reason. */
export interface RecordedVerdict {
  readonly verdict: string | null;
  readonly place: "primary" | "network" | "secondary" | "none" | null;
  /** 95th percentile of commit latency, µs. */
  readonly p95Us: number | null;
  readonly bytes: number;
  /** First and last event, UTC, ISO 8601. */
  readonly from: string | null;
  readonly to: string | null;
  readonly problem: string | null;
}

export class NotKept extends Error {
  /** The next start makes the capture. */
  readonly isOnDisk: boolean;

  constructor(sentence: string, isOnDisk: boolean) {
    super(sentence);
    this.isOnDisk = isOnDisk;
  }
}

export interface Recorder {
  /** Begins the ring, where the definition has one. */
  arm(): void;
  /** Whether the ring's events are read now. */
  readonly isArmed: boolean;
  /**
   * Records from now, or from the ring's begin. Resolves when the event sessions run on all replicas that answered.
   * @param label of the mark at this time
   * @param onNamed called with the capture's id before the servers are asked, so that a killed process finds it again
   * @throws Error with a sentence: nothing is recorded
   */
  begin(label: string, onNamed?: (captureId: string) => void): Promise<Begun>;
  /**
   * Stops and keeps. @returns id of the capture; null: no events arrived
   * @throws NotKept events that arrived did not become a capture
   */
  end(): Promise<string | null>;
  /** Waits for the capture's analysis. Null: there is no such capture. */
  verdictOf(captureId: string): Promise<RecordedVerdict | null>;
  /** Ends the ring. A recording's data stays on the disk for the next start. */
  close(): Promise<void>;
}

export interface RecorderParts {
  readonly live: Live;
  readonly captures: Captures;
  readonly clock: Clock;
  readonly definition: WatchDefinition;
  readonly owner: Owner | undefined;
  /** Read at each begin, so that a new password is used. */
  readonly login: () => Promise<LiveLogin>;
  /** The reason why a ring can't begin. */
  readonly onProblem: (sentence: string) => void;
}

interface Run {
  readonly captureId: string;
  readonly run: LiveRun;
}

export class LiveRecorder implements Recorder {
  readonly #parts: RecorderParts;
  /** The ring, or the recording. */
  #run: Run | null = null;
  #isRecording = false;
  readonly #closing = new AbortController();
  #arming: Promise<void> | null = null;
  #endLooks: (() => void) | null = null;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get isArmed(): boolean {
    return !this.#isRecording && this.#running !== null;
  }

  arm(): void {
    if (this.#parts.definition.recording.ringSeconds === null) return;
    this.#endLooks ??= this.#parts.clock.every(ARM_AGAIN_MS, () => this.#armAgain());
    this.#armAgain();
  }

  async begin(label: string, onNamed?: (captureId: string) => void): Promise<Begun> {
    this.#isRecording = true;
    try {
      // A ring that is being begun is used: a second session on each replica would cost twice.
      await this.#arming;
      this.#run = this.#running ?? (await this.#newRun(null));
      const { run, captureId } = this.#run;
      onNamed?.(captureId);
      run.record(label);
      const replicas = await run.attached();
      return {
        captureId,
        recordedOn: replicas.filter(({ state }) => state === "reading").map(({ name }) => name),
        problems: replicas.flatMap(({ problem }) => (problem === null ? [] : [problem.detail])),
      };
    } catch (error) {
      this.#isRecording = false;
      throw error;
    }
  }

  async end(): Promise<string | null> {
    const run = this.#run?.run;
    const id = (await run?.stop(true)) ?? null;
    this.#run = null;
    this.#isRecording = false;
    this.arm();
    const failure = run?.failure ?? null;
    if (failure !== null) throw new NotKept(failure.sentence, failure.isOnDisk);
    return id;
  }

  async verdictOf(captureId: string): Promise<RecordedVerdict | null> {
    const { captures, clock } = this.#parts;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const record = await captures.records.stored(captureId);
      if (record === null) return null;
      const { is } = record.analysis;
      if (is === "ready" || is === "failed" || is === "none") return recordedIn(record);
      // oxlint-disable-next-line no-await-in-loop
      await pause(clock, LOOK_MS, signal);
    }
    return null;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endLooks?.();
    await this.#arming;
    if (this.#isRecording) await this.#run?.run.leave();
    else await this.#run?.run.stop(false);
    this.#run = null;
  }

  get #running(): Run | null {
    return this.#run === null || this.#run.run.isOver ? null : this.#run;
  }

  #armAgain(): void {
    if (this.#closing.signal.aborted || this.#isRecording || this.#arming !== null || this.isArmed) return;
    this.#arming = this.#beginRing().finally(() => (this.#arming = null));
  }

  async #beginRing(): Promise<void> {
    const { definition, onProblem } = this.#parts;
    try {
      this.#run = await this.#newRun(definition.recording.ringSeconds);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : "The ring can't begin.");
    }
  }

  async #newRun(ringSeconds: number | null): Promise<Run> {
    const { live, definition, owner, login: read } = this.#parts;
    const { group, replicas, recording } = definition;
    const login = await read();
    const request = NewLiveRun.parse({
      title: group,
      replicas: replicas.map((replica) => ({ ...replica, login })),
      withoutCommits: recording.withoutCommits,
    });
    const as = { captureId: newId(), tags: [WATCH_TAG], keepDays: recording.keepDays };
    const { run } = await live.createUnattended(request, owner, { as, group, ringSeconds });
    return { captureId: as.captureId, run };
  }
}

function recordedIn({ analysis, files }: CaptureRecord): RecordedVerdict {
  const events = files.filter(({ kind }) => kind === "xel");
  const times = events.flatMap(({ from, to }) => [from, to]).filter((time) => time !== null);
  const sorted = times.toSorted();
  return {
    ...(analysis.is === "ready"
      ? {
          verdict: analysis.verdict,
          place: analysis.place,
          p95Us: analysis.digest?.p95Us ?? null,
          problem: null,
        }
      : {
          verdict: null,
          place: null,
          p95Us: null,
          problem: analysis.is === "failed" ? analysis.problem.detail : "The capture isn't analyzed.",
        }),
    bytes: events.reduce((sum, { size }) => sum + size, 0),
    from: sorted[0] ?? null,
    to: sorted.at(-1) ?? null,
  };
}
