/** One connection to a SQL Server through tedious. The only place that hands a login to the driver. */
import { X509Certificate } from "node:crypto";
import type { EventEmitter } from "node:events";
import { hostname } from "node:os";
import type { Connection as Driver, ConnectionConfiguration, Request } from "tedious";
import type { LiveLogin, LiveServer } from "@aglens/contract";
import { failureOf, LiveFailure } from "./failure.ts";

/** A row by column name. */
export type Row = Readonly<Record<string, unknown>>;

export interface Connection {
  /** "sql1:1433" */
  readonly where: string;
  /** Runs one statement or batch. @returns all result sets @throws LiveFailure, also after `patienceMs` without answer */
  query(sql: string, parameters?: Readonly<Record<string, string>>, patienceMs?: number): Promise<Row[][]>;
  /** Sends DDL, which a procedure call does not take. @throws LiveFailure */
  execute(sql: string): Promise<void>;
  /** The driver's own connection, for the stream. */
  readonly driver: Driver;
  /** Called once when the connection is lost or closed. */
  onEnd(listener: () => void): void;
  close(): void;
}

/** How long AG Lens waits for a server, ms. */
export interface Patience {
  /** For a connection and its login. */
  readonly connectMs: number;
  /** For the answer to a statement. */
  readonly queryMs: number;
  /** For the answer to a poll. */
  readonly pollMs: number;
  /** For the server to take back a statement; then the connection is closed. */
  readonly cancelMs: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, queryMs: 10_000, pollMs: 5_000, cancelMs: 2_000 };
/** A server that sends the client in circles starts the driver's own timer anew each time: ours ends that (docs/live.md 3.2). */
const MORE_THAN_DRIVER_MS = 2_000;
const PACKET_BYTES = 8_192;

/** A server as a user would write it. */
export function whereIs({ host, port, instance }: LiveServer): string {
  if (instance !== undefined) return `${host}\\${instance}`;
  return host.includes(":") ? `[${host}]:${port ?? 1433}` : `${host}:${port ?? 1433}`;
}

/** Connects and logs in. @param signal gives up at once @throws LiveFailure */
export async function connect(
  server: LiveServer,
  login: LiveLogin,
  patience: Patience,
  signal?: AbortSignal,
): Promise<Connection> {
  const where = whereIs(server);
  // Loaded at the first use: the driver brings a tenth of a second of cloud login code along.
  const { Connection: DriverConnection } = await import("tedious");
  refuseUnreadableAuthority(server);
  const driver = new DriverConnection(configuration(server, login, patience));
  await opened(driver, where, patience.connectMs + MORE_THAN_DRIVER_MS, signal);
  return wrapped(driver, where, patience);
}

/** The driver would only find out in the middle of a handshake, and say it in terms of its library. */
function refuseUnreadableAuthority({ certificateAuthority }: LiveServer): void {
  if (!certificateAuthority) return;
  try {
    // Takes DER as well, which the driver's options do not.
    if (certificateAuthority.includes("-----BEGIN CERTIFICATE-----")) {
      void new X509Certificate(certificateAuthority);
      return;
    }
  } catch {
    // Refused below.
  }
  throw new LiveFailure(
    "live-certificate",
    "The certificate of the authority cannot be read. Give it as PEM: it begins with -----BEGIN CERTIFICATE-----.",
  );
}

function configuration(
  server: LiveServer,
  login: LiveLogin,
  { connectMs, queryMs, cancelMs }: Patience,
): ConnectionConfiguration {
  const { host, port, instance, encryption, certificateName, certificateAuthority } = server;
  return {
    server: host,
    authentication: authentication(login),
    options: {
      ...(instance === undefined ? { port: port ?? 1433 } : { instanceName: instance }),
      encrypt: encryption === "strict" ? "strict" : encryption === "required",
      trustServerCertificate: server.trustCertificate,
      ...(certificateName ? { serverName: certificateName } : {}),
      ...(certificateAuthority ? { cryptoCredentialsDetails: { ca: certificateAuthority } } : {}),
      appName: "AG Lens",
      workstationId: hostname(),
      database: "master",
      connectTimeout: connectMs,
      requestTimeout: queryMs,
      cancelTimeout: cancelMs,
      packetSize: PACKET_BYTES,
      multiSubnetFailover: true,
      maxRetriesOnTransientErrors: 0,
      lowerCaseGuids: true,
    },
  };
}

function authentication(login: LiveLogin): NonNullable<ConnectionConfiguration["authentication"]> {
  if (login.kind === "sql")
    return { type: "default", options: { userName: login.user, password: login.password } };
  if (login.kind === "entra")
    return { type: "azure-active-directory-access-token", options: { token: login.token } };
  return { type: "ntlm", options: { userName: login.user, password: login.password, domain: login.domain } };
}

/** Logs in. @param patienceMs after which it fails, whatever the driver says @throws LiveFailure */
function opened(driver: Driver, where: string, patienceMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (why: string): void => {
    reject(new LiveFailure("live-unreachable", why));
    driver.close();
  };
  const timer = setTimeout(
    () => giveUp(`${where} did not answer within ${Math.ceil(patienceMs / 1000)} s.`),
    patienceMs,
  );
  const onAbort = (): void => giveUp(`The run ended before ${where} answered.`);
  signal?.addEventListener("abort", onAbort, { once: true });
  // Without a listener a lost connection would end the process.
  driver.on("error", () => {});
  (driver as EventEmitter).on("rerouting", () => {
    // Where the server sends us may not be on the allow-list, and is not the replica that was asked for.
    giveUp(
      `${where} sends connections to another server. Give the replica's own host and port instead of the listener's.`,
    );
  });
  if (signal?.aborted) onAbort();
  else
    driver.connect((error) => {
      if (!error) return resolve();
      driver.close();
      reject(failureOf(error, where));
    });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
}

function wrapped(driver: Driver, where: string, { queryMs }: Patience): Connection {
  let ended = false;
  driver.on("end", () => {
    ended = true;
  });
  const run = async (
    sql: string,
    send: (request: Request) => void,
    parameters: Readonly<Record<string, string>> = {},
    patienceMs: number = queryMs,
  ): Promise<Row[][]> => {
    if (ended) throw new LiveFailure("live-connection-lost", `The connection to ${where} was lost.`);
    try {
      return await resultSets(sql, send, parameters, patienceMs);
    } catch (error) {
      const failure = failureOf(error, where);
      throw failure.code === "live-unreachable"
        ? new LiveFailure("live-connection-lost", `The connection to ${where} was lost.`)
        : failure;
    }
  };
  return {
    where,
    driver,
    query: (sql, parameters, patienceMs) =>
      run(sql, (request) => driver.execSql(request), parameters, patienceMs),
    execute: async (sql) => {
      await run(sql, (request) => driver.execSqlBatch(request));
    },
    onEnd: (listener) => {
      if (ended) listener();
      else driver.once("end", listener);
    },
    close: () => driver.close(),
  };
}

interface Cell {
  readonly value: unknown;
  readonly metadata: { readonly colName: string };
}

async function resultSets(
  sql: string,
  send: (request: Request) => void,
  parameters: Readonly<Record<string, string>>,
  patienceMs: number,
): Promise<Row[][]> {
  const { Request, TYPES } = await import("tedious");
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>();
  const sets: Row[][] = [];
  const request = new Request(sql, (error) => (error ? reject(error) : resolve(sets)));
  request.setTimeout(patienceMs);
  for (const [name, value] of Object.entries(parameters)) {
    request.addParameter(name, TYPES.NVarChar, value, { length: 260 });
  }
  request.on("columnMetadata", () => sets.push([]));
  request.on("row", (cells: Cell[]) => {
    sets.at(-1)?.push(Object.fromEntries(cells.map(({ metadata, value }) => [metadata.colName, value])));
  });
  send(request);
  return promise;
}
