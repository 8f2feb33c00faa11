/** Counts of one replica's stream in a run. */
import type { LiveReplica } from "@aglens/contract";
import type { PushReport } from "xel-parser/format";
import type { Dropped } from "./polls.ts";

/** Seconds over which the rate of events is taken. */
const RATE_SECONDS = 5;

export class Counters {
  #events = 0;
  #bytes = 0;
  #droppedByServer = 0;
  #buffersDroppedByServer = 0;
  #droppedByUs = 0;
  #undecoded = 0;
  readonly #eventsBySecond: number[] = [0];
  /** Bytes by the role of the replica when they arrived. */
  readonly bytesByRole = { primary: 0, secondary: 0, unknown: 0 };

  took(bytes: number, role: LiveReplica["role"]): void {
    this.#bytes += bytes;
    this.bytesByRole[role] += bytes;
  }

  read({ events, undecoded }: PushReport): void {
    this.#events += events;
    if (undecoded !== null) this.#undecoded += 1;
  }

  lostByServer({ events, buffers }: Dropped): void {
    this.#droppedByServer += events;
    this.#buffersDroppedByServer += buffers;
  }

  lostByUs(): void {
    this.#droppedByUs += 1;
  }

  /** Called once per second, for the rate. */
  second(): void {
    this.#eventsBySecond.push(this.#events);
    if (this.#eventsBySecond.length > RATE_SECONDS + 1) this.#eventsBySecond.shift();
  }

  figures(): Pick<
    LiveReplica,
    | "events"
    | "eventsPerSecond"
    | "bytes"
    | "droppedByServer"
    | "buffersDroppedByServer"
    | "droppedByUs"
    | "undecoded"
  > {
    const first = this.#eventsBySecond.at(0) ?? 0;
    const last = this.#eventsBySecond.at(-1) ?? 0;
    return {
      events: this.#events,
      eventsPerSecond: (last - first) / Math.max(1, this.#eventsBySecond.length - 1),
      bytes: this.#bytes,
      droppedByServer: this.#droppedByServer,
      buffersDroppedByServer: this.#buffersDroppedByServer,
      droppedByUs: this.#droppedByUs,
      undecoded: this.#undecoded,
    };
  }
}
