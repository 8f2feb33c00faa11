/** What can go wrong between AG Lens and a SQL Server, as sentences a DBA can act on. Never holds what a login is made of. */
import { asSentence, problemDocument, ProblemError } from "../../problems.ts";

export type LiveFailureCode =
  | "live-not-allowed"
  | "live-unreachable"
  | "live-encryption"
  | "live-certificate"
  | "live-login-refused"
  | "live-permission"
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
  constructor(code: LiveFailureCode, detail: string, sql: string | null = null) {
    super(problemDocument(code, detail));
    this.code = code;
    this.sql = sql;
  }
}

/** Failures after which it is worth to connect again: the same may work in a moment. */
const PASSING: readonly LiveFailureCode[] = [
  "live-unreachable",
  "live-connection-lost",
  "live-disconnected",
  // A name that moves between servers may move back.
  "live-other-server",
];

/** Whether to try again. A refused login is not: servers lock logins that fail too often. */
export function isPassing(failure: LiveFailure): boolean {
  return PASSING.includes(failure.code);
}

/** Error numbers of the event stream (docs/live.md 9.2). */
const DISCONNECTED = [25726, 25729];
const STOPPED = [25727, 25728];
/** Permission denied: on an object, on server state, on DDL, execute. */
const DENIED = [229, 297, 300, 15247, 15151];
const SESSION_EXISTS = 25631;

interface DriverError {
  readonly code?: string | undefined;
  readonly number?: number | undefined;
  readonly message?: string;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

/** The failure behind an error of tedious. @param where the server as the user knows it, "sql1:1433" */
export function failureOf(error: unknown, where: string): LiveFailure {
  if (error instanceof LiveFailure) return error;
  const found = innermost(error as DriverError);
  if (found.number !== undefined) return ofNumber(found, where);
  return ofCode(error as DriverError, found, where);
}

/** Several errors of one reply come as a bundle without a number; the first one is the cause (docs/live.md 3.3). */
function innermost(error: DriverError): DriverError {
  if (error.number !== undefined) return error;
  const inner = error.errors?.[0] ?? error.cause;
  return typeof inner === "object" && inner !== null ? innermost(inner) : error;
}

function ofNumber({ number = 0, message = "" }: DriverError, where: string): LiveFailure {
  const detail = `${where} answers: ${asSentence(message)} (error ${number})`;
  if (DISCONNECTED.includes(number)) {
    return new LiveFailure(
      "live-disconnected",
      `${where} disconnected the reader because it was too slow (error ${number}). Events of that time are lost. Attach without the events that fire per commit, or run AG Lens nearer to the server.`,
    );
  }
  if (STOPPED.includes(number)) {
    return new LiveFailure(
      "live-session-stopped",
      `The event session on ${where} was stopped or dropped by somebody else.`,
    );
  }
  if (DENIED.includes(number)) return new LiveFailure("live-permission", detail);
  if (number === SESSION_EXISTS) return new LiveFailure("live-session-exists", detail);
  return new LiveFailure("live-statement-failed", detail);
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/u;

function ofCode(error: DriverError, inner: DriverError, where: string): LiveFailure {
  const reason = inner.code ?? "";
  if (error.code === "ELOGIN") {
    return new LiveFailure(
      "live-login-refused",
      `${where} refused the login. Check the user and the password, or the token; nothing else was tried.`,
    );
  }
  if (CERTIFICATE.test(reason)) {
    return new LiveFailure(
      "live-certificate",
      `The certificate of ${where} is not trusted (${reason}). Give the authority that signed it or the name in it, or trust the server certificate.`,
    );
  }
  if (error.code === "EENCRYPT") {
    return new LiveFailure(
      "live-encryption",
      `${where} and AG Lens do not agree on encryption: the server offers none, or insists on it.`,
    );
  }
  if (error.code === "EINSTLOOKUP") {
    return new LiveFailure(
      "live-unreachable",
      `The SQL Server Browser of ${where} does not know the instance, or UDP 1434 is closed. Give the port instead.`,
    );
  }
  return unreachable(error, reason, where);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
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
