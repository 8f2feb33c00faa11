/**
 * Identifies the person of a request by a session, an access token or a proxy's header, and finds the person's role.
 */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { ROLES } from "@aglens/contract";
import type { AccessState, Person, Role, SignedOut } from "@aglens/contract";
import type { CustomFetch } from "openid-client";
import { plural } from "@aglens/ag-model/words";
import type { Clock } from "../kernel/clock.ts";
import { hashOf } from "../kernel/identity.ts";
import { problem, ProblemError } from "@aglens/engine/problems";
import { isDiskFull } from "../store/space.ts";
import type { AccessSettings } from "./access-settings.ts";
import type { AccessStore, NumberedAudit, SessionRecord } from "./access-store.ts";
import { DirectorySessions } from "./directory-sessions.ts";
import { openOpenId } from "./openid.ts";
import type { OpenId } from "./openid.ts";
import type { Passing } from "./passing.ts";
import { TokenTries } from "./token-tries.ts";
import type { SentToken } from "./token-tries.ts";
import { readTokens } from "./tokens.ts";
import type { AccessToken } from "./tokens.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET_BYTES = 32;
/** Days that audit entries are kept. */
const AUDIT_DAYS = 400;

/** Path to which the directory sends browsers back, after the public address. */
export const DIRECTORY_ANSWER = "/api/v1/access/directory/answer";

/** Parts of a request that may identify a person. */
export interface Credentials {
  /** Value of the session's cookie. */
  readonly cookie: string | null;
  /** Bearer of the Authorization header, and the client's address. */
  readonly bearer: SentToken | null;
  /** Person and groups in the proxy's headers; null when the request did not arrive through a trusted proxy. */
  readonly proxy: { readonly user: string; readonly groups: readonly string[] } | null;
}

/** A person whom a request identifies, and the kind of credential. */
export interface Known {
  readonly person: Person;
  readonly by: "session" | "token" | "proxy";
}

export interface NewSession {
  /** For the cookie. */
  readonly secret: string;
  readonly expires: Date;
}

/** Parts that `openAccess` needs in addition to the settings. */
export interface AccessParts {
  readonly store: AccessStore;
  readonly passing: Passing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: string | null;
  readonly keepDays: number | null;
  /** In the place of the network, for tests. */
  readonly directoryFetch?: CustomFetch | undefined;
}

/** @throws StartError when a file that the settings name cannot be used */
export async function openAccess(settings: AccessSettings, parts: AccessParts): Promise<Access> {
  const tokens = settings.tokenFile === null ? [] : await readTokens(settings.tokenFile);
  const openId =
    settings.openId === null
      ? null
      : await openOpenId(
          settings.openId,
          { publicUrl: parts.publicUrl ?? "", answerPath: DIRECTORY_ANSWER },
          parts.clock,
          parts.passing.signIns,
          parts.directoryFetch,
        );
  return new Access(settings, tokens, openId, parts);
}

export class Access {
  readonly settings: AccessSettings;
  readonly openId: OpenId | null;
  readonly #tokens: readonly AccessToken[];
  readonly #parts: AccessParts;
  readonly #tries: TokenTries;
  /** Null where no directory is set up. */
  readonly #directory: DirectorySessions | null;
  /** People for whom the log already has a warning that a setting of groups names them. */
  readonly #misplaced = new Set<string>();
  readonly #endSweeps: () => void;
  /** Never rejects. */
  #swept: Promise<void>;

  constructor(
    settings: AccessSettings,
    tokens: readonly AccessToken[],
    openId: OpenId | null,
    parts: AccessParts,
  ) {
    this.settings = settings;
    this.openId = openId;
    this.#tokens = tokens;
    this.#parts = parts;
    this.#tries = new TokenTries(tokens, parts.passing, parts.clock);
    this.#directory =
      openId === null || settings.openId === null
        ? null
        : new DirectorySessions({
            ...parts,
            openId,
            confirmMs: settings.openId.confirmMinutes * MINUTE_MS,
          });
    this.#swept = this.#sweep();
    this.#endSweeps = parts.clock.every(HOUR_MS, () => {
      this.#swept = this.#sweep();
    });
  }

  /**
   * The person of a request; null when it identifies no one. A token in a header is checked first, because the client
   * sent it on purpose.
   * @throws ProblemError `too-many-tries` when the request has only a token, and its address has no tries left
   */
  async identify({ cookie, bearer, proxy }: Credentials): Promise<Known | null> {
    const token = bearer === null ? null : await this.#tokenInHeader(bearer);
    if (token !== null && !(token instanceof ProblemError)) {
      return { person: personOfToken(token), by: "token" };
    }
    if (proxy !== null) {
      const { user, groups } = proxy;
      this.#warnOfMisplaced([user], groups);
      const person = { id: `user:${user}`, name: user, role: this.#roleOf(groups, user) };
      return { person, by: "proxy" };
    }
    const record = cookie === null ? null : await this.#session(cookie);
    const person = record === null ? null : this.#personOfSession(record);
    if (person !== null) return { person, by: "session" };
    if (token instanceof ProblemError) throw token;
    return null;
  }

  /** A header may be a proxy's own, so why it isn't asked matters only to a request that nothing else names a person for. */
  async #tokenInHeader(bearer: SentToken): Promise<AccessToken | ProblemError | null> {
    if (this.#tokens.length === 0) return null;
    try {
      const match = await this.#tries.match(bearer, () => this.#auditWrongToken());
      return "left" in match ? null : match;
    } catch (error) {
      if (error instanceof ProblemError) return error;
      throw error;
    }
  }

  #auditWrongToken(): Promise<void> {
    return this.audit(null, "sign-in refused", "access token");
  }

  /** Facts that the page needs before anything else. */
  state(person: Person | null, failure: string | null): AccessState {
    return {
      person,
      ways: {
        directory: this.openId?.name ?? null,
        token: this.#tokens.length > 0,
        proxy: this.settings.userHeader !== null,
      },
      failure,
      keepDays: this.#parts.keepDays,
    };
  }

  /**
   * Begins a session with an access token.
   * @param address of the client, as `TokenTries` counts it
   * @throws ProblemError `wrong-token`, `too-many-tries`
   */
  async signInByToken(sent: string, address: string): Promise<NewSession & { readonly person: Person }> {
    const token = await this.#tries.match({ text: sent, address }, () => this.#auditWrongToken());
    if ("left" in token) {
      const { left } = token;
      const tries = left === null ? "" : ` ${plural(left, "# try", "# tries")} left in this minute.`;
      throw problem("wrong-token", `It may have expired, or belong to another server.${tries}`);
    }
    const person = personOfToken(token);
    const { id: personId, name } = person;
    const session = await this.#begin(() => ({ personId, name, tokenHash: token.hash, groups: [] }));
    await this.audit(person, "signed in", "access token");
    return { ...session, person };
  }

  /** Begins a session of a person whom the directory signed in. @throws errors of `OpenId.finish` */
  async signInByDirectory(key: string, query: string): Promise<NewSession> {
    const directory = this.#directory;
    if (this.openId === null || directory === null) throw new Error("no directory is set up");
    const signedIn = await this.openId.finish(key, query);
    const { subject, userName, groups } = signedIn.person;
    this.#warnOfMisplaced([subject, userName], groups);
    const session = await this.#begin((secret) => directory.record(secret, signedIn));
    await this.audit(this.#personOfSession(session.record), "signed in", this.openId.name);
    return session;
  }

  /**
   * Ends a session; its cookie becomes invalid. @returns the next step of the browser where the directory began the
   * session
   */
  async signOut(secret: string): Promise<SignedOut> {
    const record = await this.#parts.store.session(hashOf(secret), this.#now());
    await this.#parts.store.deleteSession(hashOf(secret));
    if (record?.tokenHash !== null || this.openId === null) return { leaveAt: null, staysAt: null };
    const leaveAt = (await this.#directory?.leaveAt(secret, record)) ?? null;
    return { leaveAt, staysAt: leaveAt === null ? this.openId.name : null };
  }

  /**
   * Adds an entry to the audit log. A full disk must not prevent deletions: an entry that cannot be stored is logged as
   * an error.
   */
  async audit(person: Person | null, action: string, what: string): Promise<void> {
    const entry = { at: this.#now(), personId: person?.id ?? "", person: person?.name ?? "", action, what };
    try {
      await this.#parts.store.addAudit(entry);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#parts.log.error({ err: error, action }, "the disk is full: an audit entry was not stored");
    }
  }

  /** Newest first. @param words text that one of an entry's fields has */
  auditEntries(limit: number, before: number | null, words = ""): Promise<readonly NumberedAudit[]> {
    return this.#parts.store.audit(limit, before, words);
  }

  async close(): Promise<void> {
    this.#endSweeps();
    await this.#swept;
  }

  async #begin(
    recordOf: (secret: string) => SessionRecord,
  ): Promise<NewSession & { readonly record: SessionRecord }> {
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const expires = new Date(this.#parts.clock.now() + this.settings.sessionHours * HOUR_MS);
    const record = recordOf(secret);
    await this.#parts.store.saveSession(hashOf(secret), expires.toISOString(), record);
    return { secret, expires, record };
  }

  /** The session of a cookie; null for an unknown cookie, and for a session that the directory has ended. */
  async #session(cookie: string): Promise<SessionRecord | null> {
    const record = await this.#parts.store.session(hashOf(cookie), this.#now());
    if (record === null || record.tokenHash !== null || this.#directory === null) return record;
    const current = await this.#directory.current(cookie, record);
    if (current === null)
      await this.audit(this.#personOfSession(record), "session ended", this.openId?.name ?? "");
    return current;
  }

  /** Null for a token that is no longer in the file, and for a directory that is no longer set up. */
  #personOfSession({ personId, name, tokenHash, groups, directory }: SessionRecord): Person | null {
    if (tokenHash === null) {
      if (this.openId === null) return null;
      return { id: personId, name, role: this.#roleOf(groups, directory?.named ?? null) };
    }
    const token = this.#tokens.find(({ hash }) => hash === tokenHash);
    return token === undefined ? null : personOfToken(token);
  }

  /** The highest role of the groups, or of the person alone. @param named as `AGLENS_PEOPLE` names people */
  #roleOf(groups: readonly string[], named: string | null): Role | null {
    const { members, people } = this.settings;
    const has = (role: Role): boolean =>
      members[role].some((member) => member === "*" || groups.includes(member)) ||
      (named !== null && people[role].includes(named));
    return ROLES.toReversed().find(has) ?? null;
  }

  /**
   * Settings of groups accepted names of people in earlier versions: a person who loses a role by that finds the remedy
   * in the log.
   */
  #warnOfMisplaced(names: readonly (string | null)[], groups: readonly string[]): void {
    for (const name of names) {
      if (name === null || groups.includes(name) || this.#misplaced.has(name)) continue;
      if (Object.values(this.settings.members).every((members) => !members.includes(name))) continue;
      this.#misplaced.add(name);
      this.#parts.log.warn(
        { person: name },
        "AGLENS_VIEWERS, AGLENS_CONTRIBUTORS and AGLENS_ADMINS are compared with groups alone: name this person in AGLENS_PEOPLE",
      );
    }
  }

  async #sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      await this.#parts.store.sweep(this.#now(), new Date(now - AUDIT_DAYS * 24 * HOUR_MS).toISOString());
    } catch (error) {
      this.#parts.log.error({ err: error }, "sessions that are over were not deleted");
    }
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

function personOfToken({ name, role }: AccessToken): Person {
  return { id: `token:${name}`, name, role };
}
