/** One connection to a SQL Server through tedious. Only this module passes a login to the driver. */
import { X509Certificate } from "node:crypto";
import type { EventEmitter } from "node:events";
import { hostname } from "node:os";
import type { Connection as Driver, ConnectionConfiguration, Request } from "tedious";
import type { LiveLogin, LiveServer, ShownCertificate } from "@aglens/contract";
import { failureOf, LiveFailure, loginFailureOf } from "./failure.ts";
import { askHello, OLD_CRYPTOGRAPHY } from "./prelogin.ts";
import type { PresentedCertificate } from "./prelogin.ts";
import { resultSets } from "./result-sets.ts";
import type { Row } from "./result-sets.ts";
import { CONNECTION_SETTINGS } from "./sql.ts";

export type { Row } from "./result-sets.ts";

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

/** Time limits for a server, ms. */
export interface Patience {
  /** For a connection and its login. */
  readonly connectMs: number;
  /** For the answer to a statement. */
  readonly queryMs: number;
  /** For the answer to a poll. */
  readonly pollMs: number;
  /** Time for the server to cancel a statement; then the connection is closed. */
  readonly cancelMs: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, queryMs: 10_000, pollMs: 5_000, cancelMs: 2_000 };
/**
 * A server that redirects the client in circles restarts the driver's own timer each time: this timer ends that
 * (docs/contribute/live-protocol.md 3.2).
 */
const MORE_THAN_DRIVER_MS = 2_000;
/** Size of a TDS packet, requested at login. A shorter answer may wait for more in the output buffer of the server. */
export const PACKET_BYTES = 8_192;

/** A server as a user would write it. */
export function whereIs({ host, port, instance }: LiveServer): string {
  if (instance !== undefined) return `${host}\\${instance}`;
  return host.includes(":") ? `[${host}]:${port ?? 1433}` : `${host}:${port ?? 1433}`;
}

/**
 * Connects, logs in and sets the connection up so that it does not block other sessions. @param signal gives up at once
 * @throws LiveFailure
 */
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
  const pinned = await pinnedCertificate(server, patience);
  const driver = new DriverConnection(configuration(server, login, patience, pinned));
  try {
    await opened(driver, where, patience.connectMs + MORE_THAN_DRIVER_MS, signal);
  } catch (error) {
    throw (await oldCertificateOf(server, error, patience, signal)) ?? error;
  }
  const connection = wrapped(driver, where, patience);
  await setUp(connection, signal);
  return connection;
}

/** Sends the settings of every connection, and closes one that doesn't take them. @throws LiveFailure */
async function setUp(connection: Connection, signal?: AbortSignal): Promise<void> {
  const close = (): void => connection.close();
  signal?.addEventListener("abort", close, { once: true });
  try {
    await connection.execute(CONNECTION_SETTINGS);
  } catch (error) {
    close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", close);
  }
}

/** The server's certificate, if it is the one that the user accepted. @throws LiveFailure for any other */
async function pinnedCertificate(
  server: LiveServer,
  { connectMs }: Patience,
): Promise<PresentedCertificate | null> {
  const { oldCertificate, encryption } = server;
  if (oldCertificate === undefined || encryption !== "required") return null;
  const where = whereIs(server);
  const address = await addressOf(server, connectMs);
  const certificate = address && (await askHello(address, true, connectMs))?.certificate;
  if (!certificate) {
    throw new LiveFailure(
      "live-unreachable",
      `${where} did not show its certificate. AG Lens sent no login.`,
    );
  }
  if (certificate.fingerprint === oldCertificate) return certificate;
  throw new LiveFailure(
    "live-old-certificate",
    `${where} shows another certificate than the accepted one. AG Lens sent no login. SQL Server creates a new one at each start. Compare the fingerprint on the server before you accept it.`,
    null,
    shown(certificate),
  );
}

/**
 * Windows closes the connection at the TLS hello of a client that accepts no SHA-1 signature when SQL Server has no
 * other: up to 2016 it makes such a certificate for itself (docs/contribute/live-protocol.md 3.1).
 *
 * @returns the failure that explains this; null for another cause
 */
async function oldCertificateOf(
  server: LiveServer,
  error: unknown,
  { connectMs }: Patience,
  signal: AbortSignal | undefined,
): Promise<LiveFailure | null> {
  const mayBe = error instanceof LiveFailure && error.code === "live-unreachable" && !signal?.aborted;
  if (!mayBe || server.encryption !== "required" || server.oldCertificate !== undefined) return null;
  const address = await addressOf(server, connectMs);
  const hello = address && (await askHello(address, false, connectMs));
  // Without an answer, or with a complete handshake, the certificate was not the cause.
  if (!address || !hello || hello.certificate !== null) return null;
  const certificate = (await askHello(address, true, connectMs))?.certificate;
  const where = whereIs(server);
  if (!certificate) {
    return new LiveFailure(
      "live-unreachable",
      `${where} answers as version ${hello.version} and closed the connection at the TLS hello. AG Lens sent no login. Enable TLS 1.2 on the server, and check its certificate.`,
    );
  }
  return new LiveFailure(
    "live-old-certificate",
    `${where} closed the connection at the TLS hello (version ${hello.version}). SQL Server 2016 and older do so with their own certificate, which is signed with SHA-1. AG Lens sent no login.`,
    null,
    shown(certificate),
  );
}

const shown = ({ fingerprint, name }: PresentedCertificate): ShownCertificate => ({ fingerprint, name });

/** @returns null when the SQL Server Browser does not list the instance */
async function addressOf(
  { host, port, instance }: LiveServer,
  limitMs: number,
): Promise<{ readonly host: string; readonly port: number } | null> {
  if (instance === undefined) return { host, port: port ?? 1433 };
  // The driver keeps the port that it found to itself.
  const { instanceLookup } = await import("tedious/lib/instance-lookup.js");
  const signal = AbortSignal.timeout(limitMs);
  const found = await instanceLookup({ server: host, instanceName: instance, signal }).catch(() => null);
  return found === null ? null : { host, port: found };
}

/** The driver would only detect it in the middle of a handshake, with an error of its library. */
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
    "Can't read the certificate of the authority. Enter it as PEM: it begins with -----BEGIN CERTIFICATE-----.",
  );
}

function configuration(
  server: LiveServer,
  login: LiveLogin,
  { connectMs, queryMs, cancelMs }: Patience,
  pinned: PresentedCertificate | null,
): ConnectionConfiguration {
  const { host, port, instance, encryption } = server;
  return {
    server: host,
    authentication: authentication(login),
    options: {
      ...(instance === undefined ? { port: port ?? 1433 } : { instanceName: instance }),
      encrypt: encryption === "strict" ? "strict" : encryption === "required",
      ...(pinned === null ? trust(server) : onlyTrusting(pinned)),
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

type Trust = Pick<
  NonNullable<ConnectionConfiguration["options"]>,
  "trustServerCertificate" | "serverName" | "cryptoCredentialsDetails"
>;

function trust({ trustCertificate, certificateName, certificateAuthority }: LiveServer): Trust {
  return {
    trustServerCertificate: trustCertificate,
    ...(certificateName ? { serverName: certificateName } : {}),
    ...(certificateAuthority ? { cryptoCredentialsDetails: { ca: certificateAuthority } } : {}),
  };
}

/** Trusts one certificate and no other, also a certificate of an unknown issuer, with old signatures and short keys. */
function onlyTrusting({ pem, name }: PresentedCertificate): Trust {
  return {
    trustServerCertificate: false,
    ...(name === "" ? {} : { serverName: name }),
    cryptoCredentialsDetails: { ca: pem, ciphers: OLD_CRYPTOGRAPHY, allowPartialTrustChain: true },
  };
}

function authentication(login: LiveLogin): NonNullable<ConnectionConfiguration["authentication"]> {
  if (login.kind === "sql")
    return { type: "default", options: { userName: login.user, password: login.password } };
  if (login.kind === "entra")
    return { type: "azure-active-directory-access-token", options: { token: login.token } };
  return { type: "ntlm", options: { userName: login.user, password: login.password, domain: login.domain } };
}

/** Logs in. @param patienceMs after which it fails, regardless of the driver @throws LiveFailure */
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
    // The other server may not be on the allow-list, and is not the requested replica.
    giveUp(
      `${where} sends connections to another server. Enter the replica's own host and port instead of the listener's.`,
    );
  });
  let said: { number: number; message: string; class: number } | null = null;
  driver.on("errorMessage", (message) => {
    said = message;
  });
  if (signal?.aborted) onAbort();
  else
    driver.connect((error) => {
      if (!error) return resolve();
      driver.close();
      reject(loginFailureOf(error, said, where));
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
      const sets = await resultSets(sql, send, parameters, patienceMs);
      return sets.map(({ rows }) => rows);
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
