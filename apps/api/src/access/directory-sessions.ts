/** Sessions of people whom the directory signed in: the directory confirms them again every few minutes. */
import type { Logger } from "pino";
import type { Clock } from "../kernel/clock.ts";
import { hashOf } from "../kernel/identity.ts";
import type { AccessStore, DirectorySession, SessionRecord } from "./access-store.ts";
import type { DirectoryPerson, DirectoryTokens, OpenId, SignedIn } from "./openid.ts";
import { seal, unseal } from "./sealed.ts";

/** Duration of a session that the directory cannot confirm: it does not answer, or sent no refresh token. */
const UNASKED_MS = 60 * 60_000;
/** A directory that did not answer is asked again after as long. */
const AGAIN_MS = 30_000;

interface Parts {
  readonly openId: OpenId;
  readonly store: Pick<AccessStore, "session" | "changeSession" | "deleteSession">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly confirmMs: number;
}

export class DirectorySessions {
  readonly #parts: Parts;
  /** Running confirmations by the session's hash: simultaneous requests ask only once. */
  readonly #asking = new Map<string, Promise<SessionRecord | null>>();
  /** No session is asked about before, ms since 1970: the directory did not answer. */
  #notBefore = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Session record of a sign-in. @param secret of the session; only it can decrypt the tokens */
  record(secret: string, { person, tokens }: SignedIn): SessionRecord {
    const { subject, name, groups, named, userName } = person;
    return {
      personId: `${PREFIX}${subject}`,
      name,
      tokenHash: null,
      groups,
      directory: {
        named,
        userName,
        confirmed: this.#parts.clock.now(),
        sealed: seal(secret, JSON.stringify(tokens)),
      },
    };
  }

  /** The session as the directory has it now; null where it has ended, also for one of a version that kept less. */
  async current(secret: string, record: SessionRecord): Promise<SessionRecord | null> {
    const { directory } = record;
    if (directory === undefined) return null;
    const hash = hashOf(secret);
    const age = this.#parts.clock.now() - directory.confirmed;
    if (age < this.#parts.confirmMs) return record;
    const tokens = tokensOf(secret, directory);
    if (tokens?.refresh == null) return age < UNASKED_MS ? record : this.#end(hash);
    if (this.#parts.clock.now() < this.#notBefore) return age < UNASKED_MS ? record : this.#end(hash);
    const asking =
      this.#asking.get(hash) ??
      this.#ask(secret, record, directory, tokens.refresh, tokens).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asking);
    return asking;
  }

  /** Address at which the browser of an ended session ends that of the directory; null where that is not possible. */
  async leaveAt(secret: string, { directory }: SessionRecord): Promise<string | null> {
    const tokens = directory && tokensOf(secret, directory);
    if (tokens == null) return null;
    return this.#parts.openId.leaveAt(tokens.id).catch((error: Error) => {
      this.#parts.log.warn({ reason: error.message }, "the directory did not say where its sessions end");
      return null;
    });
  }

  async #ask(
    secret: string,
    record: SessionRecord,
    directory: DirectorySession,
    refresh: string,
    tokens: DirectoryTokens,
  ): Promise<SessionRecord | null> {
    const { openId, store, clock, log } = this.#parts;
    const hash = hashOf(secret);
    const before = { person: personOf(record, directory), tokens };
    const answer = await openId.confirm(refresh, before).catch((error: Error) => {
      log.warn({ reason: error.message }, "the directory could not be asked about a session");
      this.#notBefore = clock.now() + AGAIN_MS;
      return undefined;
    });
    if (answer === undefined)
      return clock.now() - directory.confirmed < UNASKED_MS ? record : this.#end(hash);
    if (answer === null) {
      // A refresh token may be good for once: another server may have used it for the same session.
      const other = await store.session(hash, new Date(clock.now()).toISOString());
      if (other?.directory !== undefined && other.directory.confirmed > directory.confirmed) return other;
      return this.#end(hash);
    }
    const next = this.record(secret, answer);
    await store.changeSession(hash, next);
    return next;
  }

  async #end(hash: string): Promise<null> {
    await this.#parts.store.deleteSession(hash);
    return null;
  }
}

const PREFIX = "directory:";

const personOf = (
  { personId, name, groups }: SessionRecord,
  { named, userName }: DirectorySession,
): DirectoryPerson => ({ subject: personId.slice(PREFIX.length), name, groups, named, userName });

function tokensOf(secret: string, { sealed }: DirectorySession): DirectoryTokens | null {
  const text = unseal(secret, sealed);
  return text === null ? null : (JSON.parse(text) as DirectoryTokens);
}
