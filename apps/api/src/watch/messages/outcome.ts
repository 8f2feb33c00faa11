/** Result of one try to send a message. */
export type Outcome =
  | {
      readonly isAccepted: true;
      /** A restriction of it, as a sentence; null without one. */
      readonly but: string | null;
    }
  | {
      readonly isAccepted: false;
      /** Why, in a sentence without addresses and secrets. */
      readonly sentence: string;
      /** The same message would be refused again. */
      readonly isFinal: boolean;
      /** Time that the receiver wants to pass before the next try, ms; null where it has no opinion. */
      readonly waitMs: number | null;
    };

export const refused = (sentence: string, isFinal = false, waitMs: number | null = null): Outcome => ({
  isAccepted: false,
  sentence,
  isFinal,
  waitMs,
});

export const ACCEPTED: Outcome = { isAccepted: true, but: null };

/** Causes of a connection that fails, by code of Node or OpenSSL. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN|EDNS)$/u, "Can't find the receiver's server by its name"],
  [/^ECONNREFUSED$/u, "The receiver's server accepts no connections"],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/u,
    "The receiver's server doesn't answer",
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ETLS/u,
    "Can't encrypt the connection, or the certificate isn't trusted",
  ],
  [/^(?:ECONNECTION|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/u, "The connection ended before the receiver answered"],
];

/** A sentence for an error of a connection, with its code. */
export function connectionSentence(error: unknown): string {
  const code = codeOf(error);
  const [, cause] = CAUSES.find(([pattern]) => pattern.test(code)) ?? [];
  return `${cause ?? "Can't send the message to the receiver"} (${code}).`;
}

/** The code of the innermost error that has one. */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown error";
  const {
    cause,
    errors,
    // The e-mail library puts its own code in place of that of the system.
    originalCode,
    code,
  } = error as { cause?: unknown; errors?: readonly unknown[]; code?: unknown; originalCode?: unknown };
  const inner = [cause, ...(errors ?? [])].find((each) => typeof each === "object" && each !== null);
  const innerCode = inner === undefined ? "unknown error" : codeOf(inner);
  if (innerCode !== "unknown error") return innerCode;
  const own = originalCode ?? code;
  return typeof own === "string" && /^\w{1,60}$/u.test(own) ? own : "unknown error";
}
