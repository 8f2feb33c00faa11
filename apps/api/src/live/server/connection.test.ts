import { EventEmitter } from "node:events";
import { hostname } from "node:os";
import { rootCertificates } from "node:tls";
import { LiveLogin, LiveServer, type z } from "@aglens/contract";
import type { ConnectionConfiguration, Request } from "tedious";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connect, whereIs } from "./connection.ts";

/** Replaces tedious's connection: records its configuration and requests. */
interface FakeDriver extends EventEmitter {
  readonly configuration: ConnectionConfiguration;
  connected: ((error?: Error) => void) | null;
  closed: number;
  /** All batches; the first is answered at once. */
  readonly sent: Request[];
  readonly procedures: Request[];
  readonly batches: Request[];
}

const drivers = vi.hoisted((): FakeDriver[] => []);
/** Error of the first batch of the next connection; null for no error. */
const answers = vi.hoisted((): { firstError: Error | null } => ({ firstError: null }));

vi.mock("tedious", async (importOriginal) => ({
  ...(await importOriginal<typeof import("tedious")>()),
  Connection: class extends EventEmitter implements FakeDriver {
    connected: ((error?: Error) => void) | null = null;
    closed = 0;
    readonly sent: Request[] = [];
    readonly procedures: Request[] = [];
    readonly batches: Request[] = [];
    readonly configuration: ConnectionConfiguration;
    constructor(configuration: ConnectionConfiguration) {
      super();
      this.configuration = configuration;
      drivers.push(this);
    }
    connect(connected: (error?: Error) => void): void {
      this.connected = connected;
    }
    close(): void {
      this.closed += 1;
    }
    execSql(request: Request): void {
      this.procedures.push(request);
    }
    execSqlBatch(request: Request): void {
      if (this.sent.push(request) > 1) this.batches.push(request);
      else (request as unknown as { callback(error: Error | null): void }).callback(answers.firstError);
    }
  },
}));

const PATIENCE = { connectMs: 10_000, queryMs: 7_000, pollMs: 5_000, cancelMs: 2_000 };
const LOGIN = LiveLogin.parse({ kind: "sql", user: "lens", password: "secret" });
const serverOf = (change: z.input<typeof LiveServer> | object = {}): LiveServer =>
  LiveServer.parse({ host: "sql1", ...change });

beforeEach(() => {
  drivers.length = 0;
  answers.firstError = null;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

/** Waits until the driver has been loaded and asked; the test's clock does not move meanwhile. */
async function until(isSo: () => boolean): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- a look at each turn
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Begins to connect; returns the driver and the pending result. */
async function begin(server: LiveServer, login: LiveLogin = LOGIN, signal?: AbortSignal) {
  const connecting = connect(server, login, PATIENCE, signal);
  connecting.catch(() => {});
  await until(() => drivers.length > 0);
  return { connecting, driver: drivers[0]! };
}

async function connected() {
  const { connecting, driver } = await begin(serverOf());
  driver.connected!();
  return { connection: await connecting, driver };
}

/** Configuration that the driver gets for a server and a login. */
async function configurationOf(server: object, login: LiveLogin = LOGIN): Promise<ConnectionConfiguration> {
  const { driver } = await begin(serverOf(server), login);
  return driver.configuration;
}

describe("a server, as a user would write it,", () => {
  test.each([
    [{}, "sql1:1433"],
    [{ port: 1500 }, "sql1:1500"],
    [{ instance: "PROD" }, String.raw`sql1\PROD`],
    [{ host: "fe80::1" }, "[fe80::1]:1433"],
    [{ host: "fe80::1", port: 1500 }, "[fe80::1]:1500"],
  ])("%j", (server, where) => {
    expect(whereIs(serverOf(server))).toBe(where);
  });
});

describe("the driver is given", () => {
  test("the server, master, and how long it is waited for", async () => {
    const { server, options } = await configurationOf({});
    expect(server).toBe("sql1");
    expect(options).toEqual({
      port: 1433,
      encrypt: true,
      trustServerCertificate: false,
      appName: "AG Lens",
      workstationId: hostname(),
      database: "master",
      connectTimeout: 10_000,
      requestTimeout: 7_000,
      cancelTimeout: 2_000,
      packetSize: 8_192,
      multiSubnetFailover: true,
      maxRetriesOnTransientErrors: 0,
      lowerCaseGuids: true,
    });
  });

  test("the port, or the instance without one", async () => {
    expect((await configurationOf({ port: 1500 })).options?.port).toBe(1500);
    drivers.length = 0;
    const { options } = await configurationOf({ instance: "PROD", port: 1500 });
    expect(options).toMatchObject({ instanceName: "PROD" });
    expect(options).not.toHaveProperty("port");
  });

  test.each([
    ["required", true],
    ["strict", "strict"],
    ["off", false],
  ])("encryption %s as %s", async (encryption, encrypt) => {
    expect((await configurationOf({ encryption })).options?.encrypt).toBe(encrypt);
  });

  test("what certificate to trust", async () => {
    expect((await configurationOf({ trustCertificate: true })).options?.trustServerCertificate).toBe(true);
    drivers.length = 0;
    const { options } = await configurationOf({ certificateName: "sql.example", certificateAuthority: "" });
    expect(options).toMatchObject({ serverName: "sql.example" });
    expect(options).not.toHaveProperty("cryptoCredentialsDetails");
  });

  test("the authority of a certificate", async () => {
    const [authority] = rootCertificates;
    const { options } = await configurationOf({ certificateAuthority: authority });
    expect(options?.cryptoCredentialsDetails).toEqual({ ca: authority });
  });

  test.each([
    [LOGIN, { type: "default", options: { userName: "lens", password: "secret" } }],
    [
      { kind: "ntlm", domain: "CORP", user: "lens", password: "secret" },
      { type: "ntlm", options: { userName: "lens", password: "secret", domain: "CORP" } },
    ],
    [
      { kind: "entra", token: "eyJ0" },
      { type: "azure-active-directory-access-token", options: { token: "eyJ0" } },
    ],
  ] as const)("a login: %j", async (login, authentication) => {
    expect((await configurationOf({}, login)).authentication).toEqual(authentication);
  });
});

test("an authority that is no certificate is refused before anything is sent", async () => {
  for (const certificateAuthority of ["no certificate", "-----BEGIN CERTIFICATE-----\nAAAA"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(connect(serverOf({ certificateAuthority }), LOGIN, PATIENCE)).rejects.toMatchObject({
      code: "live-certificate",
    });
  }
  expect(drivers).toEqual([]);
});

describe("connecting ends", () => {
  test("2 s after the driver should have given up, for a server that leads it in circles", async () => {
    const { connecting, driver } = await begin(serverOf());
    vi.advanceTimersByTime(11_999);
    expect(driver.closed).toBe(0);
    vi.advanceTimersByTime(1);
    expect(driver.closed).toBe(1);
    await expect(connecting).rejects.toMatchObject({
      code: "live-unreachable",
      message: "sql1:1433 did not answer within 12 s.",
    });
  });

  test("when the run does", async () => {
    const stopping = new AbortController();
    const { connecting, driver } = await begin(serverOf(), LOGIN, stopping.signal);
    stopping.abort();
    expect(driver.closed).toBe(1);
    await expect(connecting).rejects.toThrow("The run ended before sql1:1433 answered.");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("before it began, for a run that has ended", async () => {
    const { connecting, driver } = await begin(serverOf(), LOGIN, AbortSignal.abort());
    expect(driver.connected).toBeNull();
    await expect(connecting).rejects.toMatchObject({ code: "live-unreachable" });
  });

  test("where the server sends it to another one", async () => {
    const { connecting, driver } = await begin(serverOf());
    driver.emit("rerouting");
    expect(driver.closed).toBe(1);
    await expect(connecting).rejects.toThrow("sends connections to another server");
  });

  test("with the login's refusal", async () => {
    const { connecting, driver } = await begin(serverOf());
    driver.connected!(Object.assign(new Error("Login failed for user 'lens'."), { code: "ELOGIN" }));
    expect(driver.closed).toBe(1);
    await expect(connecting).rejects.toMatchObject({ code: "live-login-refused" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("where it doesn't take the settings", async () => {
    answers.firstError = Object.assign(new Error("Shutdown."), { number: 6005, class: 14, code: "EREQUEST" });
    const { connecting, driver } = await begin(serverOf());
    driver.connected!();
    await expect(connecting).rejects.toMatchObject({ code: "live-starting" });
    expect(driver.closed).toBe(1);
  });

  test("well: nothing waits any more, and a run that ends later does not close it", async () => {
    const stopping = new AbortController();
    const { connecting, driver } = await begin(serverOf(), LOGIN, stopping.signal);
    driver.connected!();
    await connecting;
    expect(vi.getTimerCount()).toBe(0);
    stopping.abort();
    expect(driver.closed).toBe(0);
    // An error event without a listener would end the process.
    driver.emit("error", new Error("lost"));
  });
});

describe("a statement", () => {
  test("has its parameters and its patience, and gives its rows by column, a list for each result", async () => {
    const { connection, driver } = await connected();
    const answer = connection.query("SELECT @name", { name: "SQL1" }, 1_234);
    await until(() => driver.procedures.length > 0);
    const [request] = driver.procedures as unknown as (EventEmitter & {
      readonly sqlTextOrProcedure: string;
      readonly timeout: number;
      readonly parameters: readonly object[];
      readonly callback: () => void;
    })[];
    expect(request!.sqlTextOrProcedure).toBe("SELECT @name");
    expect(request!.timeout).toBe(1_234);
    expect(request!.parameters).toMatchObject([{ name: "name", value: "SQL1", length: 260 }]);
    const cell = (colName: string, value: unknown) => ({ value, metadata: { colName } });
    request!.emit("columnMetadata", []);
    request!.emit("row", [cell("a", 1), cell("b", "x")]);
    request!.emit("row", [cell("a", 2), cell("b", null)]);
    request!.emit("columnMetadata", []);
    request!.callback();
    expect(await answer).toEqual([
      [
        { a: 1, b: "x" },
        { a: 2, b: null },
      ],
      [],
    ]);
  });

  test("waits as long as statements may take, where it says nothing else; DDL is no procedure call", async () => {
    const { connection, driver } = await connected();
    void connection.execute("CREATE EVENT SESSION x");
    await until(() => driver.batches.length > 0);
    expect(driver.batches[0]).toMatchObject({
      sqlTextOrProcedure: "CREATE EVENT SESSION x",
      timeout: 7_000,
    });
    expect(driver.procedures).toEqual([]);
  });

  test("on a connection that has ended is not sent", async () => {
    const { connection, driver } = await connected();
    driver.emit("end");
    await expect(connection.query("SELECT 1")).rejects.toMatchObject({ code: "live-connection-lost" });
    expect(driver.procedures).toEqual([]);
  });
});

test("who asks for the end of a connection gets it once, also when it has ended before", async () => {
  const { connection, driver } = await connected();
  const listener = vi.fn<() => void>();
  connection.onEnd(listener);
  driver.emit("end");
  driver.emit("end");
  connection.onEnd(listener);
  expect(listener).toHaveBeenCalledTimes(2);
  connection.close();
  expect(driver.closed).toBe(1);
});
