/**
 * Sessions that a run could not drop because their server was gone: they are dropped as soon as it is back, while the
 * API runs. After a restart the sessions are still known, but not the login: a watch of that server has one, else a DBA has to drop
 * them.
 */
import type { LiveLeftSession, LiveLogin, LiveServer, Owner } from "@aglens/contract";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { newOwnId } from "../own-id.ts";
import { backOff } from "../run/back-off.ts";
import { askWho } from "./check.ts";
import { connect } from "./connection.ts";
import type { Patience } from "./connection.ts";
import { isPassing, LiveFailure } from "./failure.ts";
import type { LeftNotes } from "./left-notes.ts";
import { dropOwnSession } from "./session.ts";
import { dropSession } from "./sql.ts";

/** Where a server is, and how to sign in there. */
export interface ServerAccess {
  readonly server: LiveServer;
  readonly login: LiveLogin;
}

/** Data of a session that a run leaves to be dropped. */
export interface LeftBehind extends ServerAccess {
  /** Name of the server, as it calls itself. */
  readonly name: string;
  readonly session: string;
  /** Why it could not be dropped. */
  readonly failure: LiveFailure;
}

/**
 * Whether the person of a request may take a session of that owner off the list; undefined where users didn't sign in
 * when it was left.
 */
export type MayForget = (owner: Owner | undefined) => boolean;

interface Left {
  readonly name: string;
  readonly session: string;
  readonly owner: Owner | undefined;
  /** Forgotten when trying again makes no sense. */
  access: ServerAccess | null;
  problem: string;
  tries: number;
  /** ms since 1970; null while it is tried, and when it is not tried again. */
  nextAt: number | null;
  cancel: () => void;
}

export class LeftSessions {
  readonly #clock: Clock;
  readonly #patience: Patience;
  readonly #notes: LeftNotes;
  readonly #server: string | null;
  readonly #left = new Map<string, Left>();
  #closed = false;

  /** @param server name of this AG Lens among several; null where it is the only one */
  constructor(clock: Clock, patience: Patience, notes: LeftNotes, server: string | null = null) {
    this.#server = server;
    this.#clock = clock;
    this.#patience = patience;
    this.#notes = notes;
  }

  /** Takes over sessions that an earlier process left. */
  async recover(): Promise<void> {
    for (const { id, name, session, problem, owner } of await this.#notes.read())
      this.#left.set(id, leftWithoutLogin(name, session, problem, owner));
  }

  /** Takes a session over from the run that created it. @param owner of the run; undefined where users don't sign in */
  add({ server, login, name, session, failure }: LeftBehind, owner?: Owner): void {
    if (this.#closed) return;
    const id = newOwnId(this.#server);
    const left = leftWithoutLogin(name, session, failure.message, owner);
    if (isPassing(failure)) left.access = { server, login };
    this.#left.set(id, left);
    this.#writeDown();
    this.#later(id, left);
  }

  /** Takes over the session of an earlier process's interrupted run, unless it is known. */
  takeCutOff(name: string, session: string, owner?: Owner): void {
    if ([...this.#left.values()].some((left) => left.name === name && left.session === session)) return;
    const problem = "AG Lens ended unexpectedly while it read the session.";
    this.#left.set(newOwnId(this.#server), leftWithoutLogin(name, session, problem, owner));
    this.#writeDown();
  }

  /**
   * Drops the sessions on a server for which there is no login.
   * @param server as it calls itself @param read called where there are such sessions
   */
  async takeAccess(server: string, read: () => Promise<ServerAccess>): Promise<void> {
    const found = [...this.#left].filter(([, { name, access }]) => name === server && access === null);
    if (found.length === 0) return;
    const access = await read();
    for (const [id, left] of found) {
      if (!this.#left.has(id) || left.access !== null) continue;
      left.access = access;
      this.#later(id, left);
    }
  }

  /** The session of an id, and whose run left it; null where it is not listed. */
  find(id: string): Pick<Left, "name" | "session" | "owner"> | null {
    return this.#left.get(id) ?? null;
  }

  /** Forgets a session that a person reports as gone. */
  forget(id: string): void {
    this.#left.get(id)?.cancel();
    if (this.#left.delete(id)) this.#writeDown();
  }

  /**
   * Forgets sessions that a server doesn't have any more. One that is tried again stays: its next try shows whether it is gone, and
   * another server may have the same name.
   * @param there sessions of AG Lens that the server has now
   */
  takeCheck(server: string, there: readonly string[]): void {
    for (const [id, { name, session, access }] of this.#left)
      if (name === server && access === null && !there.includes(session)) this.forget(id);
  }

  /** Sessions that are still there, without logins. */
  list(mayForget: MayForget): z.infer<typeof LiveLeftSession>[] {
    const now = this.#clock.now();
    return [...this.#left].map(([id, { name, session, problem, tries, nextAt, access, owner }]) => ({
      id,
      server: name,
      session,
      problem,
      tries,
      retryIn: nextAt === null ? null : Math.max(0, Math.ceil((nextAt - now) / 1000)),
      isTriedAgain: access !== null,
      sql: dropSession(session),
      mayForget: mayForget(owner),
    }));
  }

  /** Resolves when the notes are stored. */
  written(): Promise<void> {
    return this.#notes.settled();
  }

  /** Stops all tries; the notes stay. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { cancel } of this.#left.values()) cancel();
    this.#left.clear();
    await this.written();
  }

  #writeDown(): void {
    if (this.#closed) return;
    this.#notes.write(
      [...this.#left].map(([id, { name, session, problem, owner }]) => ({
        id,
        name,
        session,
        problem,
        owner,
      })),
    );
  }

  #later(id: string, left: Left): void {
    if (left.access === null || this.#closed) return;
    const ms = backOff(left.tries);
    left.nextAt = this.#clock.now() + ms;
    left.cancel = this.#clock.after(ms, () => void this.#try(id, left));
  }

  async #try(id: string, left: Left): Promise<void> {
    left.tries += 1;
    left.nextAt = null;
    try {
      await this.#drop(left);
      this.forget(id);
    } catch (error) {
      left.problem = error instanceof LiveFailure ? error.message : "It failed unexpectedly.";
      if (!(error instanceof LiveFailure) || !isPassing(error)) left.access = null;
      if (this.#left.has(id)) this.#later(id, left);
    }
  }

  /** @throws LiveFailure */
  async #drop({ name, session, access }: Left): Promise<void> {
    if (access === null) return;
    const connection = await connect(access.server, access.login, this.#patience);
    try {
      const who = String((await askWho(connection))["server_name"]);
      if (who !== name) {
        throw new LiveFailure("live-other-server", `${connection.where} is ${who} now and was ${name}.`);
      }
      await dropOwnSession(connection, session);
    } finally {
      connection.close();
    }
  }
}

function leftWithoutLogin(name: string, session: string, problem: string, owner: Owner | undefined): Left {
  return { name, session, problem, owner, access: null, tries: 0, nextAt: null, cancel: () => {} };
}
