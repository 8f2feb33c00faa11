/** Asks a replica for its gauges once per second on its control connection; also the heartbeat of the connection. */
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { droppedIn, PollDeltas, rolesIn } from "./polls.ts";
import type { LocalRole, PollReading } from "./polls.ts";
import { poll } from "../server/sql.ts";

const EVERY_MS = 1_000;
const ANSWER_MS = 5_000;
/** Polls without answer, or that find the session not running, after which the replica counts as lost. */
const PATIENCE = 3;

export interface PollListeners {
  onReading(reading: PollReading): void;
  onDropped(events: number): void;
  onRoles(roles: readonly LocalRole[]): void;
  onSilent(failure: LiveFailure): void;
}

export class Poller {
  readonly #connection: Connection;
  readonly #sql: string;
  readonly #session: string;
  readonly #listeners: PollListeners;
  readonly #deltas = new PollDeltas();
  readonly #timer: NodeJS.Timeout;
  #asking = false;
  #failures = 0;
  #notRunning = 0;
  #dropped: number | null = null;
  #stopped = false;

  constructor(connection: Connection, major: number, session: string, listeners: PollListeners) {
    this.#connection = connection;
    this.#sql = poll(major);
    this.#session = session;
    this.#listeners = listeners;
    this.#timer = setInterval(() => void this.#ask(), EVERY_MS);
    void this.#ask();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#asking || this.#stopped) return;
    this.#asking = true;
    try {
      const sets = await this.#connection.query(this.#sql, { session: this.#session }, ANSWER_MS);
      this.#failures = 0;
      if (!this.#stopped) this.#take(sets);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#asking = false;
    }
  }

  #take(sets: readonly (readonly Row[])[]): void {
    this.#takeDropped(droppedIn(sets));
    const reading = this.#deltas.next(sets);
    if (reading) this.#listeners.onReading(reading);
    this.#listeners.onRoles(rolesIn(sets));
  }

  /** The count begins anew when the session starts; what was lost before this run is not ours. */
  #takeDropped(dropped: number | null): void {
    this.#notRunning = dropped === null ? this.#notRunning + 1 : 0;
    if (this.#notRunning === PATIENCE) {
      const where = this.#connection.where;
      this.#listeners.onSilent(
        new LiveFailure(
          "live-session-stopped",
          `The event session on ${where} was stopped or dropped by somebody else.`,
        ),
      );
    }
    if (dropped === null) return;
    const more = dropped - (this.#dropped ?? dropped);
    this.#dropped = dropped;
    if (more > 0) this.#listeners.onDropped(more);
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    if (this.#failures < PATIENCE || this.#stopped) return;
    const where = this.#connection.where;
    this.#listeners.onSilent(
      error instanceof LiveFailure && error.code === "live-permission"
        ? error
        : new LiveFailure("live-connection-lost", `${where} did not answer for several seconds.`),
    );
  }
}
