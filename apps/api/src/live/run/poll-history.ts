/** The polls of all replicas for a new client, and the newest ones for clients that follow the run. */
import type { LivePoll } from "@aglens/contract";
import type { PollReading } from "./polls.ts";

/** Polls of one replica. */
const KEPT_PER_REPLICA = 120;

export interface TimedPoll {
  /** ms of this machine's clock. */
  readonly wallMs: number;
  readonly poll: Omit<LivePoll, "at">;
}

export class PollHistory {
  readonly #most: number;
  #polls: TimedPoll[] = [];
  #new = 0;

  constructor(replicas: number) {
    this.#most = KEPT_PER_REPLICA * replicas;
  }

  add(replica: number, reading: PollReading, wallMs: number): void {
    this.#polls.push({ wallMs, poll: { replica, ...reading } });
    this.#new = Math.min(this.#new + 1, this.#most);
    if (this.#polls.length > this.#most) this.#polls.shift();
  }

  /** All that are kept, oldest first. */
  get all(): readonly TimedPoll[] {
    return this.#polls;
  }

  /** Polls since the last call. */
  takeNew(): readonly TimedPoll[] {
    const taken = this.#polls.slice(this.#polls.length - this.#new);
    this.#new = 0;
    return taken;
  }
}
