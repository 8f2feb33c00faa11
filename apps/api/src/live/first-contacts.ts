/** Checks of all statements on a server that AG Lens meets for the first time: one at a time, and ended with the process. */
import { mkdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ContactProgress, FirstContact, FirstContactRequest, Owner } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";
import { firstContact } from "./contact/contact.ts";
import { writeNote } from "./run/keep.ts";
import { askWho } from "./server/check.ts";
import { connect } from "./server/connection.ts";
import type { Connection, Patience, Row } from "./server/connection.ts";
import { LiveFailure } from "./server/failure.ts";
import type { LeftBehind } from "./server/left-sessions.ts";
import { newSessionName } from "./server/session-name.ts";

interface Parts {
  readonly clock: Clock;
  readonly patience: Patience;
  /** Directory for notes of runs about their sessions, so that a session is found again after a crash. */
  readonly directory: string;
  readonly onLeftBehind: (left: LeftBehind, owner: Owner | undefined) => void;
}

/** Runs the check; `onProgress` is called after each statement. */
export type BegunContact = (onProgress: (progress: ContactProgress) => void) => Promise<FirstContact>;

export class FirstContacts {
  readonly #parts: Parts;
  readonly #closing = new AbortController();
  #isBusy = false;
  /** The session that the running check may create; null while no check runs. */
  #session: string | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sessions that are in use here. */
  get sessions(): readonly string[] {
    return this.#session === null ? [] : [this.#session];
  }

  /**
   * Connects to an allowed server, and asks for its identity.
   * @param signal ends the check early; its session is dropped in any case
   * @param owner the person of the request; undefined where users don't sign in
   * @throws LiveFailure, ProblemError while another check runs
   */
  async begin(
    request: FirstContactRequest,
    signal: AbortSignal,
    owner: Owner | undefined,
  ): Promise<BegunContact> {
    if (this.#isBusy) throw busy();
    this.#isBusy = true;
    const open = (): Promise<Connection> => connect(request.server, request.login, this.#parts.patience);
    try {
      const first = await open();
      const who = await askWho(first).finally(() => first.close());
      return (onProgress) => {
        const running = this.#run({ ...request, owner }, who, () => openSame(open, who), signal, onProgress);
        this.#running = running.catch(() => {});
        return running;
      };
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  async #run(
    { server, login, readsStream, owner }: FirstContactRequest & { readonly owner: Owner | undefined },
    who: Row,
    open: () => Promise<Connection>,
    signal: AbortSignal,
    onProgress: (progress: ContactProgress) => void,
  ): Promise<FirstContact> {
    const session = readsStream ? newSessionName(hostname(), new Date(this.#parts.clock.now())) : null;
    const directory = join(this.#parts.directory, newId());
    this.#session = session;
    const leave = (error: unknown): string =>
      this.#leave({ server, login, name: String(who["server_name"]), session: session ?? "" }, owner, error);
    try {
      if (session !== null) await this.#note(directory, who, session, owner);
      return await firstContact({
        ...this.#parts,
        open,
        signal: AbortSignal.any([signal, this.#closing.signal]),
        who,
        session,
        onProgress,
        leave,
      });
    } finally {
      this.#session = null;
      this.#isBusy = false;
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Ends the running check, and waits until its session is dropped. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Stores a note for the next start, in case the process ends in between. */
  async #note(directory: string, who: Row, session: string, owner: Owner | undefined): Promise<void> {
    await mkdir(directory, { recursive: true });
    await writeNote(directory, {
      title: "First contact",
      owner,
      replicas: [{ name: String(who["server_name"]), role: "unknown", session }],
      topology: { replicas: new Map(), databases: new Map() },
      marks: [],
    });
  }

  #leave(left: Omit<LeftBehind, "failure">, owner: Owner | undefined, error: unknown): string {
    const failure =
      error instanceof LiveFailure
        ? error
        : new LiveFailure("live-connection-lost", "The connection was lost.");
    this.#parts.onLeftBehind({ ...left, failure }, owner);
    return `The event session ${left.session} could not be dropped. It's on the first screen with the statement that drops it. ${failure.message}`;
  }
}

const busy = (): Error =>
  problem(
    "live-too-many-runs",
    "A check of every statement is running. Start the next one when it has ended.",
  );

/** @throws LiveFailure where another server answers than before, as a listener may lead to one */
async function openSame(open: () => Promise<Connection>, who: Row): Promise<Connection> {
  const connection = await open();
  try {
    const now = await askWho(connection);
    if (now["server_name"] === who["server_name"]) return connection;
    throw new LiveFailure("live-other-server", `${connection.where} is another server now.`);
  } catch (error) {
    connection.close();
    throw error;
  }
}
