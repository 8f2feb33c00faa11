/** Access tokens that clients send: which is right, and how many wrong ones an address may send. */
import { problem } from "@aglens/engine/problems";
import type { Clock } from "../kernel/clock.ts";
import { hashOf } from "../kernel/identity.ts";
import { Attempts } from "./attempts.ts";
import { clientKey } from "./client-key.ts";
import type { Passing, WrongTries } from "./passing.ts";
import { matchingToken } from "./tokens.ts";
import type { AccessToken } from "./tokens.ts";

const MINUTE_MS = 60_000;
const TRIES_PER_MINUTE = 5;
/** Tokens that were right from an address; beyond it the oldest are forgotten. */
const MOST_KNOWN = 10_000;

/** A token as a client sent it. */
export interface SentToken {
  readonly text: string;
  /** Address of the client. */
  readonly address: string;
}

export class TokenTries {
  readonly #tokens: readonly AccessToken[];
  readonly #tries: WrongTries;
  /**
   * Wrong tokens by address: the same wrong token is counted once, so a script that repeats an old one does not lock
   * out its address.
   */
  readonly #wrong: Attempts;
  /** Tokens that were right from an address stay accepted, regardless of the number of wrong ones from there. */
  readonly #known = new Set<string>();

  constructor(tokens: readonly AccessToken[], passing: Pick<Passing, "tries">, clock: Clock) {
    this.#tokens = tokens;
    this.#tries = passing.tries("sign in", TRIES_PER_MINUTE, MINUTE_MS);
    this.#wrong = new Attempts(clock, 1, MINUTE_MS);
  }

  /**
   * The token that was sent, if the file has it.
   * @param onWrong called for each wrong token that is counted
   * @returns the token, or tries that the address has left; null for a repeated wrong token
   * @throws ProblemError `too-many-tries` for an address without tries, except for tokens that were right from there
   * before
   */
  async match(
    { text, address }: SentToken,
    onWrong: () => Promise<void>,
  ): Promise<AccessToken | { readonly left: number | null }> {
    const from = clientKey(address);
    const pair = `${from} ${hashOf(text)}`;
    const isKnown = this.#known.has(pair);
    if (!isKnown) await this.#expectTries(from);
    const token = matchingToken(this.#tokens, text);
    if (token !== null) {
      if (!isKnown) this.#remember(pair);
      return token;
    }
    if (this.#wrong.fail(pair) === null) return { left: null };
    const left = await this.#tries.fail(from);
    // Simultaneous tries used the last ones.
    if (left === null) throw tooManyTries(await this.#tries.waitMs(from));
    await onWrong();
    return { left };
  }

  async #expectTries(from: string): Promise<void> {
    const waitMs = await this.#tries.waitMs(from);
    if (waitMs > 0) throw tooManyTries(waitMs);
  }

  #remember(pair: string): void {
    this.#known.add(pair);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

const tooManyTries = (waitMs: number): Error =>
  problem("too-many-tries", `Too many wrong tokens. Try again in ${Math.ceil(waitMs / 1000)} s.`);
