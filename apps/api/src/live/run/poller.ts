/** Asks a replica for its gauges once per second on its control connection; also the heartbeat of the connection. */
import type { Clock } from "../../clock.ts";
import type { Connection } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { droppedIn, PollDeltas, pollSets, rolesIn } from "./polls.ts";
import type { Dropped, LocalRole, PollReading, PollSets } from "./polls.ts";
import { poll } from "../server/sql.ts";

const EVERY_MS = 1_000;
/** Polls without answer, or that find the session not running, after which the replica counts as lost. */
const MOST_FAILURES = 3;

export interface PollListeners {
  onReading(reading: PollReading): void;
  /** More than at the poll before. */
  onDropped(dropped: Dropped): void;
  onRoles(roles: readonly LocalRole[]): void;
  onSilent(failure: LiveFailure): void;
}

export class Poller {
  readonly #connection: Connection;
  readonly #sql: string;
  readonly #session: string;
  readonly #listeners: PollListeners;
  readonly #deltas = new PollDeltas();
  readonly #answerMs: number;
  readonly #endTimer: () => void;
  #asking = false;
  #failures = 0;
  #notRunning = 0;
  #dropped: Dropped | null = null;
  #stopped = false;

  /** @param answerMs how long a poll may take */
  constructor(
    connection: Connection,
    major: number,
    session: string,
    clock: Clock,
    answerMs: number,
    listeners: PollListeners,
  ) {
    this.#answerMs = answerMs;
    this.#connection = connection;
    this.#sql = poll(major);
    this.#session = session;
    this.#listeners = listeners;
    this.#endTimer = clock.every(EVERY_MS, () => void this.#ask());
    void this.#ask();
  }

  stop(): void {
    this.#stopped = true;
    this.#endTimer();
  }

  async #ask(): Promise<void> {
    if (this.#asking || this.#stopped) return;
    this.#asking = true;
    try {
      const sets = await this.#connection.query(this.#sql, { session: this.#session }, this.#answerMs);
      this.#failures = 0;
      if (!this.#stopped) this.#take(pollSets(sets));
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#asking = false;
    }
  }

  #take(sets: PollSets): void {
    this.#takeDropped(droppedIn(sets));
    const reading = this.#deltas.next(sets);
    if (reading) this.#listeners.onReading(reading);
    this.#listeners.onRoles(rolesIn(sets));
  }

  /** The counts begin anew when the session starts; what was lost before this run is not ours. */
  #takeDropped(dropped: Dropped | null): void {
    this.#notRunning = dropped === null ? this.#notRunning + 1 : 0;
    if (this.#notRunning === MOST_FAILURES) {
      const where = this.#connection.where;
      this.#listeners.onSilent(
        new LiveFailure(
          "live-session-stopped",
          `The event session on ${where} was stopped or dropped by somebody else.`,
        ),
      );
    }
    if (dropped === null) return;
    const before = this.#dropped ?? dropped;
    this.#dropped = dropped;
    const events = Math.max(0, dropped.events - before.events);
    const buffers = Math.max(0, dropped.buffers - before.buffers);
    if (events > 0 || buffers > 0) this.#listeners.onDropped({ events, buffers });
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    if (this.#failures < MOST_FAILURES || this.#stopped) return;
    const where = this.#connection.where;
    this.#listeners.onSilent(
      error instanceof LiveFailure && error.code === "live-permission"
        ? error
        : new LiveFailure("live-connection-lost", `${where} did not answer for several seconds.`),
    );
  }
}
