import { Problem, type ShownCertificate } from "@aglens/contract";

/** A refused or failed request; `message` is the sentence to show, `code` is stable. */
export class ProblemError extends Error {
  readonly code: string;
  readonly status: number;
  /** Certificate of a SQL Server that the user may accept; null for other problems. */
  readonly certificate: ShownCertificate | null;
  /** Position in a query, in characters from its begin; null where it is unknown. */
  readonly at: number | null;

  constructor(
    code: string,
    status: number,
    message: string,
    { certificate = null, at = null }: { certificate?: ShownCertificate | null; at?: number | null } = {},
  ) {
    super(message);
    this.name = "ProblemError";
    this.code = code;
    this.status = status;
    this.certificate = certificate;
    this.at = at;
  }
}

/** The problem in a body, otherwise one made of the status. */
export function problemOf(status: number, body: unknown): ProblemError {
  const parsed = Problem.safeParse(body);
  if (parsed.success) {
    const { code, detail, certificate = null, at = null } = parsed.data;
    return new ProblemError(code, status, detail, { certificate, at });
  }
  return new ProblemError(
    "http",
    status,
    `The server answered with status ${status}. Try again, or look in its log.`,
  );
}

/** The sentence of any failure. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (error instanceof TypeError)
    return "The server does not answer. Check that it runs and that this computer reaches it.";
  return error instanceof Error ? error.message : String(error);
}

/** True when a request ended because the app itself stopped it. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
