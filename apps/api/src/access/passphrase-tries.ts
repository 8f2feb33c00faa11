/** Limits how often the passphrase of a link may be tried, by browser, address and link. */
import { problem } from "@aglens/engine/problems";
import { clientKey } from "./client-key.ts";
import type { Passing, WrongTries } from "./passing.ts";

const HOUR_MS = 3_600_000;
/** Wrong passphrases of a link an hour: of one browser, of all browsers at an address, and of all addresses. */
const TRIES_OF_BROWSER = 5;
const TRIES_OF_ADDRESS = 20;
const TRIES_OF_LINK = 100;

/** A browser that tries a passphrase. */
export interface TryingBrowser {
  /** Null for one that sends no cookie, such as a script. */
  readonly id: string | null;
  /** Whether it sent the right passphrase earlier. */
  readonly isKnown: boolean;
}

/**
 * Wrong passphrases of links. Mistakes in one browser lock out that browser alone. A client that invents cookies, or
 * sends none, has the tries of its address; a client with many addresses has the tries of the link. A browser that sent
 * the right passphrase earlier uses only its own tries.
 */
export class PassphraseTries {
  readonly #ofBrowser: WrongTries;
  readonly #ofAddress: WrongTries;
  readonly #ofLink: WrongTries;

  constructor({ tries }: Pick<Passing, "tries">) {
    this.#ofBrowser = tries("link by", TRIES_OF_BROWSER, HOUR_MS);
    this.#ofAddress = tries("link from", TRIES_OF_ADDRESS, HOUR_MS);
    this.#ofLink = tries("link", TRIES_OF_LINK, HOUR_MS);
  }

  /**
   * Counts a try as wrong. @returns tries left, and a function that removes the try where it was right @throws
   * ProblemError `too-many-tries`
   */
  async begin(
    link: string,
    { id, isKnown }: TryingBrowser,
    address: string,
  ): Promise<{ readonly left: number; forgive(): Promise<void> }> {
    const from = `${link} ${clientKey(address)}`;
    const own: CountedTries = { tries: this.#ofBrowser, key: id === null ? from : `${link} ${id}` };
    const counts = isKnown
      ? [own]
      : [own, { tries: this.#ofAddress, key: from }, { tries: this.#ofLink, key: link }];
    await expectTries(counts);
    let left = Number.POSITIVE_INFINITY;
    // A try that the limit of the browser refuses does not count for its address or for the link.
    for (const { tries, key } of counts) {
      const more = await tries.fail(key);
      // Simultaneous tries used the last ones.
      if (more === null) throw tooManyTries(await tries.waitMs(key));
      left = Math.min(left, more);
    }
    return {
      left,
      forgive: async () => {
        for (const { tries, key } of counts) await tries.forgive(key);
      },
    };
  }
}

interface CountedTries {
  readonly tries: WrongTries;
  readonly key: string;
}

async function expectTries(counts: readonly CountedTries[]): Promise<void> {
  const waits = await Promise.all(counts.map(({ tries, key }) => tries.waitMs(key)));
  const waitMs = Math.max(...waits);
  if (waitMs > 0) throw tooManyTries(waitMs);
}

const tooManyTries = (waitMs: number): Error =>
  problem("too-many-tries", `Too many wrong passphrases. Try again in ${Math.ceil(waitMs / 60_000)} min.`);
