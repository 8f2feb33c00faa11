/**
 * Failures between AG Lens and a SQL Server, as sentences that a DBA can act on. They never contain parts of a login.
 */
import type { ShownCertificate } from "@aglens/contract";
import { asSentence, problemDocument, ProblemError } from "@aglens/engine/problems";

export type LiveFailureCode =
  | "live-not-allowed"
  | "live-unreachable"
  | "live-encryption"
  | "live-certificate"
  | "live-old-certificate"
  | "live-starting"
  | "live-busy"
  | "live-login-refused"
  | "live-permission"
  | "live-every-database"
  | "live-unsupported"
  | "live-no-session"
  | "live-session-exists"
  | "live-statement-failed"
  | "live-connection-lost"
  | "live-disconnected"
  | "live-session-stopped"
  | "live-same-server"
  | "live-other-server";

/** A failure with a code, a sentence, and the statement that helps where there is one. */
export class LiveFailure extends ProblemError {
  readonly code: LiveFailureCode;
  readonly sql: string | null;
  /** @param certificate that could be accepted, with "live-old-certificate" */
  constructor(
    code: LiveFailureCode,
    detail: string,
    sql: string | null = null,
    certificate: ShownCertificate | null = null,
  ) {
    super({ ...problemDocument(code, detail), ...(certificate === null ? {} : { certificate }) });
    this.code = code;
    this.sql = sql;
  }
}

/** Failures after which it is worth to connect again: the same may work in a moment. */
const PASSING: readonly LiveFailureCode[] = [
  "live-unreachable",
  "live-connection-lost",
  "live-disconnected",
  "live-starting",
  "live-busy",
  // A name that moves between servers may move back.
  "live-other-server",
];

/** Whether to try again. A refused login is not: servers lock logins that fail too often. */
export function isPassing(failure: LiveFailure): boolean {
  return PASSING.includes(failure.code);
}

/** Error numbers of the event stream (docs/contribute/live-protocol.md 9.2). */
const DISCONNECTED = [25726, 25729];
const STOPPED = [25727, 25728];
/** Permission denied: on an object, on server state, on DDL, execute. */
const DENIED = [229, 297, 300, 15247, 15151];
const SESSION_EXISTS = 25631;
/** Severity from which on a server closes the connection after the error, as for KILL (596). */
const FATAL_SEVERITY = 20;

/** Numbers of a server that is not ready, with its state; master can be closed (4060) while it recovers. */
const NOT_READY: Readonly<Record<number, string>> = {
  921: "is recovering a database",
  4060: "does not open master yet",
  6005: "is shutting down",
  17142: "is paused",
  17187: "is starting",
  18401: "is being upgraded",
  18451: "accepts only administrators, as while it starts or shuts down",
  18461: "is in single user mode",
};

/** Numbers of temporary errors: deadlock, lock time-out, locks, memory, connections. */
const BUSY: readonly number[] = [701, 802, 1204, 1205, 1222, 8645, 8651, 17809];

/** Numbers of a login that will be refused again, with the remedy. */
const REFUSED: Readonly<Record<number, string>> = {
  18452:
    "The server doesn't trust the domain of the Windows login, or doesn't accept NTLM. Use a SQL login, or an account of a trusted domain.",
  18456: "Check the user and the password, or the token. The server's error log has the reason.",
  18470: "The login is disabled. ALTER LOGIN ... ENABLE makes it usable again.",
  18486: "The login is locked after too many wrong passwords. ALTER LOGIN ... UNLOCK opens it again.",
  18487: "The password has expired. Change it with another tool, then check again.",
  18488:
    "The password must be changed before the first login. Change it with another tool, then check again.",
};

interface DriverError {
  readonly code?: string | undefined;
  readonly number?: number | undefined;
  /** Severity. */
  readonly class?: number | undefined;
  readonly message?: string;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

/** The failure for an error of tedious. @param where the server's name for the user, "sql1:1433" */
export function failureOf(error: unknown, where: string): LiveFailure {
  if (error instanceof LiveFailure) return error;
  const found = innermost(error as DriverError);
  if (found.number !== undefined) return ofNumber(found, where);
  return ofCode(error as DriverError, found, where);
}

/**
 * Several errors of one reply arrive as a bundle without a number; the first one is the cause
 * (docs/contribute/live-protocol.md 3.3).
 */
function innermost(error: DriverError): DriverError {
  if (error.number !== undefined) return error;
  const inner = error.errors?.[0] ?? error.cause;
  return typeof inner === "object" && inner !== null ? innermost(inner) : error;
}

function ofNumber(
  { number = 0, message = "", class: severity = 0 }: DriverError,
  where: string,
): LiveFailure {
  if (NOT_READY[number] !== undefined) {
    return new LiveFailure("live-starting", `${where} ${NOT_READY[number]} (error ${number}).`);
  }
  if (BUSY.includes(number)) {
    return new LiveFailure("live-busy", `${where} answers: ${asSentence(message)} (error ${number})`);
  }
  if (REFUSED[number] !== undefined) return loginRefused(number, where);
  if (severity >= FATAL_SEVERITY) {
    return new LiveFailure(
      "live-connection-lost",
      `${where} ended the connection: ${asSentence(message)} (error ${number})`,
    );
  }
  const detail = `${where} answers: ${asSentence(message)} (error ${number})`;
  if (DISCONNECTED.includes(number)) {
    return new LiveFailure(
      "live-disconnected",
      `${where} disconnected the reader because it was too slow (error ${number}). Events of that period are lost. Attach without the events that fire per commit, or run AG Lens closer to the server.`,
    );
  }
  if (STOPPED.includes(number)) {
    return new LiveFailure(
      "live-session-stopped",
      `The event session on ${where} was stopped or dropped outside AG Lens.`,
    );
  }
  if (DENIED.includes(number)) return new LiveFailure("live-permission", detail);
  if (number === SESSION_EXISTS) return new LiveFailure("live-session-exists", detail);
  return new LiveFailure("live-statement-failed", detail);
}

/** The text of a refused login is not shown: it may contain anything. */
function loginRefused(number: number, where: string): LiveFailure {
  const helps = REFUSED[number] ?? "The server's error log has the reason.";
  return new LiveFailure(
    "live-login-refused",
    `${where} refused the login (error ${number}). ${helps} AG Lens doesn't retry automatically.`,
  );
}

/**
 * The failure of a login. The driver's own error has no number; the server's messages before it do.
 *
 * @param said the last error of the server
 */
export function loginFailureOf(
  error: unknown,
  said: { readonly number: number; readonly message: string; readonly class: number } | null,
  where: string,
): LiveFailure {
  if ((error as DriverError).code !== "ELOGIN" || said === null) return failureOf(error, where);
  const passes = NOT_READY[said.number] !== undefined || BUSY.includes(said.number);
  return passes ? ofNumber(said, where) : loginRefused(said.number, where);
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/u;

function ofCode(error: DriverError, inner: DriverError, where: string): LiveFailure {
  const reason = inner.code ?? "";
  if (error.code === "ELOGIN") {
    return new LiveFailure(
      "live-login-refused",
      `${where} refused the login. Check the user and the password, or the token. AG Lens tried nothing else.`,
    );
  }
  if (CERTIFICATE.test(reason)) {
    return new LiveFailure(
      "live-certificate",
      `The certificate of ${where} is not trusted (${reason}). Enter the authority that signed it or the name in it, or trust the server certificate.`,
    );
  }
  if (error.code === "EENCRYPT") {
    return new LiveFailure(
      "live-encryption",
      `${where} and AG Lens don't agree on encryption: the server doesn't offer it, or requires it. Change the encryption of this connection.`,
    );
  }
  if (error.code === "EINSTLOOKUP") {
    return new LiveFailure(
      "live-unreachable",
      `The SQL Server Browser of ${where} doesn't have the instance, or UDP 1434 is closed. Enter the port instead.`,
    );
  }
  return unreachable(error, reason, where);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no program listens on the port",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEOUT: "it did not answer in time",
  ETIMEDOUT: "it did not answer in time",
  ECONNRESET: "it closed the connection",
};

function unreachable(error: DriverError, reason: string, where: string): LiveFailure {
  const why = REASONS[reason] ?? REASONS[error.code ?? ""] ?? "the connection failed";
  return new LiveFailure(
    "live-unreachable",
    `${where} cannot be reached: ${why}. Check host, port and firewall; TCP/IP must be enabled in SQL Server.`,
  );
}
