import { expect, describe, test } from "vitest";
import { stubConnection } from "../../../test/stub-connection.ts";
import { LiveFailure } from "./failure.ts";
import {
  createOwnSession,
  dropOwnSession,
  expectRunning,
  startOwnSession,
  stopOwnSession,
} from "./session.ts";
import type { SessionState } from "./session.ts";
import { SESSION_STATE } from "./sql.ts";

const NAME = "aglens_web01_20261121T0244Z_7f3a";
const EVENT = { package: "sqlserver", name: "log_flush_start", hasDatabaseId: true };
const PLAN = { name: NAME, major: 16, events: [EVENT], databases: [6] };
const REFUSED = new LiveFailure("live-statement-failed", "sql1:1433 answers: No.");
const LOST = new LiveFailure("live-connection-lost", "The connection to sql1:1433 was lost.");
const DENIED = new LiveFailure("live-permission", "sql1:1433 answers: Denied.");

const ROWS: Readonly<Record<SessionState, readonly object[]>> = {
  absent: [],
  stopped: [{ name: NAME, started_at: null }],
  running: [{ name: NAME, started_at: "2026-11-21T02:44:00", max_dispatch_latency: 30_000 }],
};

/** A server whose catalog views show these states, one per query; DDL fails with the error. */
function serverShowing(states: readonly SessionState[], failure: Error | null = null) {
  const left = [...states];
  const ddl: string[] = [];
  const connection = stubConnection((sql, { session }) => {
    if (sql === SESSION_STATE) {
      expect(session).toBe(NAME);
      return [ROWS[left.shift() ?? "absent"] as Record<string, unknown>[]];
    }
    ddl.push(sql.split("\n", 1).join());
    return failure ?? [];
  });
  return { connection, ddl };
}

describe("making", () => {
  test("creates what is absent, and looks again", async () => {
    for (const after of ["stopped", "running"] as const) {
      const { connection, ddl } = serverShowing(["absent", after]);
      await createOwnSession(connection, PLAN);
      expect(ddl).toEqual([`CREATE EVENT SESSION [${NAME}] ON SERVER`]);
    }
  });

  test("leaves what is there, stopped or running", async () => {
    for (const state of ["stopped", "running"] as const) {
      const { connection, ddl } = serverShowing([state]);
      await createOwnSession(connection, PLAN);
      expect(ddl).toEqual([]);
    }
  });

  test("a server that took the statement and has no session is reported", async () => {
    const { connection } = serverShowing(["absent", "absent"]);
    await expect(createOwnSession(connection, PLAN)).rejects.toMatchObject({
      code: "live-statement-failed",
      message: `sql1:1433 took the statement, but the event session ${NAME} is not created: it is absent.`,
    });
  });

  test("records every user database only when that was chosen", async () => {
    const { connection, ddl } = serverShowing(["absent"]);
    await expect(createOwnSession(connection, { ...PLAN, databases: null })).rejects.toMatchObject({
      code: "live-every-database",
    });
    expect(ddl).toEqual([]);
    const chosen = serverShowing(["absent", "stopped"]);
    await createOwnSession(chosen.connection, { ...PLAN, databases: "user databases" });
    expect(chosen.ddl).toHaveLength(1);
    // A session that exists keeps its events and databases.
    await createOwnSession(serverShowing(["stopped"]).connection, { ...PLAN, databases: null });
  });

  test("a server without any of the events is refused before anything is sent", async () => {
    const { connection, ddl } = serverShowing(["absent"]);
    await expect(createOwnSession(connection, { ...PLAN, events: [] })).rejects.toMatchObject({
      code: "live-unsupported",
    });
    expect(ddl).toEqual([]);
  });
});

describe("starting", () => {
  test("is done when it runs, whoever started it", async () => {
    const { connection, ddl } = serverShowing(["running"]);
    await startOwnSession(connection, NAME);
    expect(ddl).toEqual([`ALTER EVENT SESSION [${NAME}] ON SERVER STATE = START;`]);
    await startOwnSession(serverShowing(["running", "running"], REFUSED).connection, NAME);
  });

  test("that is refused is reported with its statement", async () => {
    const sql = `ALTER EVENT SESSION [${NAME}] ON SERVER STATE = START;`;
    const refused = serverShowing(["stopped"], REFUSED).connection;
    await expect(startOwnSession(refused, NAME)).rejects.toMatchObject({
      code: "live-statement-failed",
      sql,
    });
    // A missing permission stays an error, also when the state is the wanted one.
    const denied = serverShowing(["running"], DENIED).connection;
    await expect(startOwnSession(denied, NAME)).rejects.toMatchObject({ code: "live-permission", sql });
  });

  test("that has no effect is reported", async () => {
    await expect(startOwnSession(serverShowing(["stopped"]).connection, NAME)).rejects.toThrow(
      "is not started: it is stopped.",
    );
  });
});

describe("a session of somebody else", () => {
  test("is read when it runs", async () => {
    const { connection, ddl } = serverShowing(["running"]);
    expect(await expectRunning(connection, NAME)).toBe(30_000);
    expect(ddl).toEqual([]);
  });

  test.each([
    [1, 1],
    [-1, Infinity],
    [0, Infinity],
    [null, Infinity],
  ])("with a dispatch latency of %j ms hands over after %j", async (max_dispatch_latency, dispatchMs) => {
    const row = { name: NAME, started_at: "2026-11-21T02:44:00", max_dispatch_latency };
    expect(
      await expectRunning(
        stubConnection(() => [[row]]),
        NAME,
      ),
    ).toBe(dispatchMs);
  });

  test("that is stopped is not started, but how to start it is shown", async () => {
    await expect(expectRunning(serverShowing(["stopped"]).connection, NAME)).rejects.toMatchObject({
      code: "live-no-session",
      sql: `ALTER EVENT SESSION [${NAME}] ON SERVER STATE = START;`,
      message: expect.stringContaining("is not started. AG Lens does not start sessions of others."),
    });
  });

  test("that is absent is named", async () => {
    await expect(expectRunning(serverShowing(["absent"]).connection, NAME)).rejects.toMatchObject({
      code: "live-no-session",
      sql: null,
      message: `There is no event session ${NAME} on sql1:1433.`,
    });
  });
});

describe("ending", () => {
  test("stops without asking the catalogue; a refusal is left to the drop", async () => {
    for (const failure of [null, REFUSED, DENIED]) {
      const running = serverShowing([], failure);
      await stopOwnSession(running.connection, NAME);
      expect(running.connection.asked).toEqual([`ALTER EVENT SESSION [${NAME}] ON SERVER STATE = STOP;`]);
    }
  });

  test("a lost connection is no refusal", async () => {
    for (const end of [stopOwnSession, dropOwnSession]) {
      await expect(end(serverShowing([], LOST).connection, NAME)).rejects.toMatchObject({
        code: "live-connection-lost",
      });
    }
  });

  test("drops without asking the catalogue, and looks that it is gone", async () => {
    const { connection } = serverShowing(["absent"]);
    await dropOwnSession(connection, NAME);
    expect(connection.asked).toEqual([`DROP EVENT SESSION [${NAME}] ON SERVER;`, SESSION_STATE]);
    await expect(dropOwnSession(serverShowing(["stopped"]).connection, NAME)).rejects.toThrow(
      "is not dropped: it is stopped.",
    );
  });

  test("drops for a login that may no longer look", async () => {
    const asked: string[] = [];
    const connection = stubConnection((sql) => {
      asked.push(sql);
      return sql === SESSION_STATE ? DENIED : [];
    });
    await dropOwnSession(connection, NAME);
    expect(asked).toEqual([`DROP EVENT SESSION [${NAME}] ON SERVER;`, SESSION_STATE]);
  });

  test("somebody else dropped it at the same time, or it was never made", async () => {
    await dropOwnSession(serverShowing(["absent"], REFUSED).connection, NAME);
    await dropOwnSession(serverShowing(["absent"], DENIED).connection, NAME);
  });

  test("what may not be dropped is reported with its statement", async () => {
    await expect(dropOwnSession(serverShowing(["running"], DENIED).connection, NAME)).rejects.toMatchObject({
      code: "live-permission",
      sql: `DROP EVENT SESSION [${NAME}] ON SERVER;`,
    });
    // Without permission to drop and to read the views, it is unknown whether the session exists.
    await expect(
      dropOwnSession(
        stubConnection(() => DENIED),
        NAME,
      ),
    ).rejects.toMatchObject({
      code: "live-permission",
      sql: `DROP EVENT SESSION [${NAME}] ON SERVER;`,
    });
  });

  test("a fault of our own is not taken for the server's", async () => {
    const broken = serverShowing(["running"], new TypeError("undefined")).connection;
    await expect(stopOwnSession(broken, NAME)).rejects.toThrow(TypeError);
  });
});
