/** Cost of the polls of one replica: figures of each minute of the last hour. */
import type { WatchedReplica } from "@aglens/contract";
import type { Clock } from "../kernel/clock.ts";
import type { Connection } from "../live/server/connection.ts";

const MINUTE_MS = 60_000;
const MOST_MINUTES = 60;

interface Minute {
  readonly at: number;
  polls: number;
  bytes: number;
}

export class PollCost {
  readonly #clock: Clock;
  /** The last hour, the newest last. */
  readonly #minutes: Minute[] = [];
  #connection: Connection | null = null;
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts from now on what this connection receives. */
  connected(connection: Connection): void {
    this.#connection = connection;
    this.#bytes = receivedBy(connection);
  }

  polled(): void {
    const bytes = this.#connection === null ? 0 : receivedBy(this.#connection);
    const minute = this.#minute();
    minute.polls += 1;
    minute.bytes += Math.max(0, bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Null before a minute has passed. */
  perHour(): WatchedReplica["cost"] {
    const now = this.#clock.now();
    const known = this.#minutes.filter(
      ({ at }) => at + MINUTE_MS <= now && at > now - (MOST_MINUTES + 1) * MINUTE_MS,
    );
    if (known.length === 0) return null;
    const perHour = (value: (minute: Minute) => number): number =>
      Math.round((known.reduce((sum, minute) => sum + value(minute), 0) * MOST_MINUTES) / known.length);
    return { polls: perHour(({ polls }) => polls), cpuSeconds: null, bytes: perHour(({ bytes }) => bytes) };
  }

  #minute(): Minute {
    const now = this.#clock.now();
    const last = this.#minutes.at(-1);
    if (last !== undefined && now - last.at < MINUTE_MS) return last;
    const next = { at: now, polls: 0, bytes: 0 };
    this.#minutes.push(next);
    if (this.#minutes.length > MOST_MINUTES + 1) this.#minutes.shift();
    return next;
  }
}

/** Bytes on the wire so far. */
const receivedBy = ({ driver }: Connection): number => driver.socket?.bytesRead ?? 0;
