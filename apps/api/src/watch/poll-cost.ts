/** Cost of the polls of one replica: figures of each minute of the last hour. */
import type { WatchedReplica } from "@aglens/contract";
import type { Clock } from "../kernel/clock.ts";
import type { Connection } from "../live/server/connection.ts";

const MINUTE_MS = 60_000;
const MOST_MINUTES = 60;
const HOUR_SECONDS = 3_600;

interface Minute {
  readonly at: number;
  polls: number;
  bytes: number;
  /** CPU time, and the time in which it was used, ms. */
  cpuMs: number;
  cpuOverMs: number;
}

export class PollCost {
  readonly #clock: Clock;
  /** The last hour, the newest last. */
  readonly #minutes: Minute[] = [];
  #connection: Connection | null = null;
  #bytes = 0;
  /** CPU time of the connection so far, and when that was, ms. */
  #cpu = { ms: 0, at: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts from now on what this connection receives. */
  connected(connection: Connection): void {
    this.#connection = connection;
    this.#bytes = receivedBy(connection);
    // A new connection counts from its login on.
    this.#cpu = { ms: 0, at: this.#clock.now() };
  }

  /** @param cpuMs of the connection so far */
  usedCpu(cpuMs: number): void {
    const at = this.#clock.now();
    const minute = this.#minute();
    minute.cpuMs += Math.max(0, cpuMs - this.#cpu.ms);
    minute.cpuOverMs += at - this.#cpu.at;
    this.#cpu = { ms: cpuMs, at };
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
    const total = (value: (minute: Minute) => number): number =>
      known.reduce((sum, minute) => sum + value(minute), 0);
    const perHour = (value: (minute: Minute) => number): number =>
      Math.round((total(value) * MOST_MINUTES) / known.length);
    const cpuOverMs = total((minute) => minute.cpuOverMs);
    return {
      polls: perHour(({ polls }) => polls),
      cpuSeconds: cpuOverMs === 0 ? null : (total(({ cpuMs }) => cpuMs) / cpuOverMs) * HOUR_SECONDS,
      bytes: perHour(({ bytes }) => bytes),
    };
  }

  #minute(): Minute {
    const now = this.#clock.now();
    const last = this.#minutes.at(-1);
    if (last !== undefined && now - last.at < MINUTE_MS) return last;
    const next: Minute = { at: now, polls: 0, bytes: 0, cpuMs: 0, cpuOverMs: 0 };
    this.#minutes.push(next);
    if (this.#minutes.length > MOST_MINUTES + 1) this.#minutes.shift();
    return next;
  }
}

/** Bytes on the wire so far. */
const receivedBy = ({ driver }: Connection): number => driver.socket?.bytesRead ?? 0;
