/** Life of an event session on one server: made, started, stopped, dropped; the catalog is read again after each step. */
import type { Connection } from "./connection.ts";
import { isPassing, LiveFailure } from "./failure.ts";
import { createSession, dropSession, SESSION_STATE, startSession, stopSession } from "./sql.ts";
import type { RecordedDatabases, SessionEvent } from "./sql.ts";

export interface SessionPlan {
  readonly name: string;
  readonly major: number;
  readonly events: readonly SessionEvent[];
  /** Null when no database is known and the user did not choose to record every database. */
  readonly databases: RecordedDatabases | null;
}

export type SessionState = "absent" | "stopped" | "running";

interface CatalogdSession {
  readonly state: SessionState;
  /** MAX_DISPATCH_LATENCY, ms; Infinity for a session that sends only full buffers. */
  readonly dispatchMs: number;
}

/** State of the session in the catalog views. @throws LiveFailure */
export async function sessionState(connection: Connection, name: string): Promise<SessionState> {
  return (await askCatalog(connection, name)).state;
}

async function askCatalog(connection: Connection, name: string): Promise<CatalogdSession> {
  const [[row] = []] = await connection.query(SESSION_STATE, { session: name });
  if (row === undefined) return { state: "absent", dispatchMs: Infinity };
  const latency = Number(row["max_dispatch_latency"]);
  return {
    state: row["started_at"] == null ? "stopped" : "running",
    dispatchMs: latency > 0 ? latency : Infinity,
  };
}

/** Makes the session unless it is there. @throws LiveFailure */
export async function createOwnSession(connection: Connection, plan: SessionPlan): Promise<void> {
  if ((await sessionState(connection, plan.name)) !== "absent") return;
  if (plan.events.length === 0) {
    throw new LiveFailure(
      "live-unsupported",
      `${connection.where} has none of the events of the data movement path.`,
    );
  }
  if (plan.databases === null) {
    throw new LiveFailure(
      "live-every-database",
      `${connection.where} names no availability database to this login, so the session would record the log of every user database. Choose that when you attach, or grant the missing permission.`,
    );
  }
  await connection.execute(createSession(plan.name, plan.major, plan.events, plan.databases));
  await expectState(connection, plan.name, ["stopped", "running"], "created");
}

/** Starts a session that AG Lens made. @throws LiveFailure */
export async function startOwnSession(connection: Connection, name: string): Promise<void> {
  await ignoringWhatIsSo(connection, name, "running", startSession(name));
  await expectState(connection, name, ["running"], "started");
}

/**
 * Expects that the session of the user's choice exists and runs.
 * @returns its MAX_DISPATCH_LATENCY, ms; Infinity for a session that sends only full buffers
 * @throws LiveFailure
 */
export async function expectRunning(connection: Connection, name: string): Promise<number> {
  const { state, dispatchMs } = await askCatalog(connection, name);
  if (state === "running") return dispatchMs;
  throw new LiveFailure(
    "live-no-session",
    state === "absent"
      ? `There is no event session ${name} on ${connection.where}.`
      : `The event session ${name} on ${connection.where} is not started. AG Lens does not start sessions of others.`,
    state === "absent" ? null : startSession(name),
  );
}

/**
 * Stops a session that AG Lens made; its last buffers go to its readers. Where the server refuses that, the session is left to
 * `dropOwnSession`, which stops it too.
 *
 * @throws LiveFailure that passes, such as a lost connection
 */
export async function stopOwnSession(connection: Connection, name: string): Promise<void> {
  try {
    await connection.execute(stopSession(name));
  } catch (error) {
    if (!(error instanceof LiveFailure) || isPassing(error)) throw error;
  }
}

/**
 * Drops a session that AG Lens created, without a query of the catalog views first: the permission to drop may be the
 * only one. Checks afterwards that it is gone, if the login may read the views.
 *
 * @throws LiveFailure with the statement
 */
export async function dropOwnSession(connection: Connection, name: string): Promise<void> {
  const sql = dropSession(name);
  try {
    await connection.execute(sql);
  } catch (error) {
    if (!(error instanceof LiveFailure) || isPassing(error)) throw withStatement(error, sql);
    // "It does not exist or you do not have permission" is one error.
    if ((await stateIfShown(connection, name)) !== "absent") throw withStatement(error, sql);
    return;
  }
  const state = await stateIfShown(connection, name);
  if (state !== null && state !== "absent") throw notDone(connection, name, "dropped", state);
}

/** @returns null when the login may not look */
async function stateIfShown(connection: Connection, name: string): Promise<SessionState | null> {
  try {
    return await sessionState(connection, name);
  } catch (error) {
    if (error instanceof LiveFailure && error.code === "live-permission") return null;
    throw error;
  }
}

/** Another client may do the same at the same time, so the state afterwards decides. */
async function ignoringWhatIsSo(
  connection: Connection,
  name: string,
  wanted: SessionState,
  sql: string,
): Promise<void> {
  try {
    await connection.execute(sql);
  } catch (error) {
    if (!(error instanceof LiveFailure) || error.code !== "live-statement-failed")
      throw withStatement(error, sql);
    if ((await sessionState(connection, name)) !== wanted) throw withStatement(error, sql);
  }
}

function withStatement(error: unknown, sql: string): unknown {
  return error instanceof LiveFailure ? new LiveFailure(error.code, error.message, sql) : error;
}

async function expectState(
  connection: Connection,
  name: string,
  wanted: readonly SessionState[],
  done: string,
): Promise<void> {
  const state = await sessionState(connection, name);
  if (!wanted.includes(state)) throw notDone(connection, name, done, state);
}

function notDone(connection: Connection, name: string, done: string, state: SessionState): LiveFailure {
  return new LiveFailure(
    "live-statement-failed",
    `${connection.where} took the statement, but the event session ${name} is not ${done}: it is ${state}.`,
  );
}
