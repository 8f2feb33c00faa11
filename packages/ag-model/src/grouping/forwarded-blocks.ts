/** Counts the log blocks of a database that one server both received and sent, as only a forwarder does. */

/** A forwarder sends a block on while it receives the next few. */
const RECENT = 16;

/** By side: 0 for a primary's events, 1 for a secondary's. */
export class ForwardedBlocks {
  readonly #recent = [0, 1].map(() => ({
    low: new Uint32Array(RECENT),
    high: new Uint32Array(RECENT),
    next: 0,
  }));
  #sent = 0;
  #both = 0;

  /** @param low and `high`, the words of log_block_id */
  take(side: number, low: number, high: number): void {
    const { low: lows, high: highs, next } = this.#recent[side];
    const last = (next + RECENT - 1) % RECENT;
    if (lows[last] === low && highs[last] === high) return;
    lows[next] = low;
    highs[next] = high;
    this.#recent[side].next = (next + 1) % RECENT;
    if (side !== 0) return;
    this.#sent++;
    const received = this.#recent[1];
    for (let i = 0; i < RECENT; i++) {
      if (received.low[i] !== low || received.high[i] !== high) continue;
      this.#both++;
      return;
    }
  }

  /** 0 if it had not received most of the blocks just before it sent them. */
  count(): number {
    return 2 * this.#both >= this.#sent ? this.#both : 0;
  }
}
