import { LiveLogin, LiveServer } from "@aglens/contract";
import {
  startStandIn,
  type StandIn,
  type StandInOptions,
} from "../../../../../fixtures/replica-standin/index.ts";
import { afterEach, describe, expect, test } from "vitest";
import { connect, PATIENCE } from "./connection.ts";
import { isPassing, LiveFailure } from "./failure.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openStream } from "../run/stream.ts";
import { fromBeginning } from "./health-file.ts";
import { askHello } from "./prelogin.ts";
import { CONNECTION_SETTINGS } from "./sql.ts";
import { STATEMENTS } from "./statements.ts";

const servers: StandIn[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(options: StandInOptions = {}): Promise<StandIn> {
  const server = await startStandIn(options);
  servers.push(server);
  return server;
}

const LOGIN = LiveLogin.parse({ kind: "sql", user: "aglens", password: "aglens" });
const where = ({ host, port }: StandIn, change: object = {}): LiveServer =>
  LiveServer.parse({ host, port, ...change });

/** Connects and asks for the server's name. */
async function nameOf(server: LiveServer): Promise<unknown> {
  const connection = await connect(server, LOGIN, PATIENCE);
  try {
    return (await connection.query("SELECT @@SERVERNAME AS name"))[0]?.[0]?.["name"];
  } finally {
    connection.close();
  }
}

async function failure(attempt: Promise<unknown>): Promise<LiveFailure> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LiveFailure);
  return error as LiveFailure;
}

describe("a server with the certificate that SQL Server 2016 makes for itself", () => {
  test("is not connected to; what is the matter, its version and its certificate are said", async () => {
    const server = await start({ version: "2016", certificate: "sha1" });
    const found = await failure(nameOf(where(server, { trustCertificate: true })));
    expect(found.code).toBe("live-old-certificate");
    expect(isPassing(found)).toBe(false);
    expect(found.message).toContain("closed the connection at the TLS hello");
    expect(found.message).toContain("version 13.0.7029");
    expect(found.message).toContain("sent no login");
    expect(found.problem.certificate).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown,
      name: "SSL_Self_Signed_Fallback",
    });
  });

  test("is connected to when exactly this certificate was accepted", async () => {
    const server = await start({ version: "2016", certificate: "sha1" });
    const { problem } = await failure(nameOf(where(server)));
    const oldCertificate = problem.certificate?.fingerprint;
    expect(await nameOf(where(server, { oldCertificate }))).toBe("STANDIN");
  });

  test("is not sent a login when it shows another one than was accepted, even if any is trusted otherwise", async () => {
    const server = await start({ version: "2016", certificate: "sha1" });
    const change = { oldCertificate: "0".repeat(64), trustCertificate: true };
    const found = await failure(nameOf(where(server, change)));
    expect(found.code).toBe("live-old-certificate");
    expect(found.message).toContain("another certificate");
    expect(found.problem.certificate?.fingerprint).not.toBe("0".repeat(64));
  });
});

test("an accepted certificate is the only one that is taken, also of a server with a new one", async () => {
  const server = await start({ version: "2022" });
  const hello = await askHello(server, true, 5000);
  const oldCertificate = hello?.certificate?.fingerprint;
  expect(hello?.version).toBe("16.0.4205");
  expect(await nameOf(where(server, { oldCertificate }))).toBe("STANDIN");
});

test("a server that does not speak at all is unreachable", async () => {
  const server = await start();
  server.fault({ kind: "down", seconds: 60 });
  const found = await failure(nameOf(where(server)));
  expect(found.code).toBe("live-unreachable");
  expect((await failure(nameOf(where(server, { oldCertificate: "0".repeat(64) })))).code).toBe(
    "live-unreachable",
  );
});

describe("a refused login", () => {
  test.each([17_187, 18_401, 4060] as const)("with %i is tried again", async (number) => {
    const server = await start();
    server.fault({ kind: "refuseLogins", number });
    const found = await failure(nameOf(where(server, { encryption: "off" })));
    expect(found.code).toBe("live-starting");
    expect(found.message).toContain(String(number));
    expect(isPassing(found)).toBe(true);
  });

  test.each([
    [18_452, "domain"],
    [18_456, "password"],
    [18_470, "disabled"],
    [18_486, "locked"],
    [18_487, "expired"],
    [18_488, "must be changed"],
  ] as const)("with %i is final, and says why", async (number, why) => {
    const server = await start();
    server.fault({ kind: "refuseLogins", number });
    const found = await failure(nameOf(where(server, { encryption: "off" })));
    expect(found.code).toBe("live-login-refused");
    expect(found.message).toContain(`(error ${number})`);
    expect(found.message).toContain(why);
    expect(isPassing(found)).toBe(false);
  });
});

test.each([
  [1205, "live-busy"],
  [1222, "live-busy"],
  [701, "live-busy"],
  [6005, "live-starting"],
  [596, "live-connection-lost"],
] as const)("a statement that fails with %i is tried again", async (number, code) => {
  const server = await start();
  const connection = await connect(where(server, { encryption: "off" }), LOGIN, PATIENCE);
  server.fault({ kind: "failStatements", number });
  const found = await failure(connection.query("SELECT 1 AS one"));
  connection.close();
  expect(found.code).toBe(code);
  expect(isPassing(found)).toBe(true);
});

test("every statement waits for a lock for a second at most, the stream's and DDL too", async () => {
  const server = await start({ version: "2022" });
  const waits = new Map<string, number>();
  server.onStatement((sql, lockTimeoutMs) => waits.set(sql, lockTimeoutMs));
  const open = () => connect(where(server, { encryption: "off" }), LOGIN, PATIENCE);
  const connection = await open();
  const facts = {
    major: 16,
    session: "aglens_x",
    logFiles: [{ databaseId: 6, fileId: 2 }],
    events: [{ package: "sqlserver", name: "log_flush_start", hasDatabaseId: true }],
    databases: [6],
  };
  const current = "C:\\MSSQL\\Log\\AlwaysOn_health_0_1.xel";
  const healthEvents = fromBeginning({ current, all: current }, 0);
  const sent: string[] = [];
  for (const { kind, text } of Object.values(STATEMENTS)) {
    const sql = text(facts);
    sent.push(sql);
    // oxlint-disable no-await-in-loop -- one statement per connection
    if (kind === "stream") {
      const stream = await openStream(await open(), facts.session, systemClock, () => {});
      await stream.stop();
    } else if (kind === "change") await connection.execute(sql);
    else await connection.query(sql, { session: facts.session, ...healthEvents });
    // oxlint-enable no-await-in-loop
  }
  connection.close();
  expect([...waits.keys()]).toEqual(expect.arrayContaining(sent));
  // Statements of the driver itself are before the first batch.
  const ofDriver = [...waits.keys()].slice(0, [...waits.keys()].indexOf(CONNECTION_SETTINGS));
  for (const [sql, ms] of waits) expect(ms, sql).toBe(ofDriver.includes(sql) ? -1 : 1_000);
});
