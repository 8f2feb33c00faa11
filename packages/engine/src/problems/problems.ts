/** The API's vocabulary of errors: every failure that a client may see has a code, a status and a sentence. */
import type { Problem } from "@aglens/contract";

/** An answer that is a problem document (RFC 9457). `code` is stable; `detail` is a sentence a DBA can act on. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const TITLES = {
  "bad-request": [400, "The request isn't valid"],
  "bad-file-name": [400, "The file has no usable name"],
  unauthorised: [401, "The delete token is missing or wrong"],
  "sign-in-needed": [401, "Not signed in"],
  "passphrase-needed": [401, "The link asks for a passphrase"],
  "wrong-passphrase": [401, "Incorrect passphrase"],
  "wrong-token": [401, "Unknown token"],
  "too-many-tries": [429, "Too many incorrect attempts"],
  "no-role": [403, "No role"],
  "not-allowed": [403, "The role does not allow this"],
  "directory-unreachable": [502, "The directory doesn't respond"],
  "cross-site": [403, "Requests from other sites are refused"],
  "not-found": [404, "Not found"],
  "other-host": [421, "The host name isn't allowed"],
  "wrong-type": [415, "Unexpected content type"],
  "tus-version": [412, "The upload protocol version is missing or isn't supported"],
  "other-version": [412, "The requested version of the answer isn't available"],
  "bad-range": [416, "The range is outside the file"],
  "capture-not-found": [404, "Capture not found"],
  "file-not-found": [404, "File not found"],
  "upload-not-found": [404, "Upload not found"],
  "block-not-found": [404, "Log block not found"],
  "no-picture": [501, "Pictures aren't available"],
  "table-not-found": [404, "Table not found"],
  "table-too-large": [413, "Table too large"],
  "sample-not-found": [404, "Sample not found"],
  "link-not-found": [404, "Link not found"],
  "note-not-found": [404, "Note not found"],
  "body-stalled": [408, "Upload stalled"],
  "wrong-state": [409, "The capture is not in the right state"],
  "upload-offset": [409, "Upload offset mismatch"],
  "capture-damaged": [409, "The capture was damaged on the disk"],
  "upload-expired": [410, "The upload has expired"],
  "link-expired": [410, "The link has expired"],
  "link-taken-back": [410, "The link was revoked"],
  "too-big": [413, "The upload is too big"],
  "bad-change": [422, "The capture does not allow this change"],
  "too-many-files": [422, "The capture has too many files"],
  "too-many-notes": [422, "The capture has too many notes"],
  "too-many-tags": [422, "The capture has too many tags"],
  "bad-zip": [422, "The zip can't be read"],
  "other-file": [422, "The file doesn't match"],
  "files-missing": [409, "Files are missing"],
  "files-overwritten": [409, "Ids in the files were overwritten"],
  "files-misread": [409, "The files were read incorrectly"],
  "bad-aglens-file": [422, "The .aglens file can't be read"],
  "newer-aglens-file": [422, "The .aglens file has a newer version"],
  "not-a-replacement": [422, "The file can't be replaced"],
  "several-captures": [409, "The files belong to several captures"],
  "undecided-server": [422, "The server of a file is unknown"],
  "nothing-to-analyse": [422, "Nothing to analyze"],
  "analysis-failed": [422, "The analysis failed"],
  "too-many-requests": [429, "Too many requests"],
  "live-not-allowed": [403, "Host isn't allowed"],
  "live-unreachable": [502, "Can't connect to the server"],
  "live-encryption": [502, "The server and AG Lens can't agree on encryption"],
  "live-certificate": [502, "The server's certificate isn't trusted"],
  "live-old-certificate": [422, "The server's certificate is old"],
  "live-starting": [503, "The server is not ready"],
  "live-busy": [503, "The server is out of a resource"],
  "live-login-refused": [422, "The server refused the login"],
  "live-permission": [422, "The login lacks a permission"],
  "live-every-database": [422, "The session would record every database"],
  "live-unsupported": [422, "The server doesn't support the events"],
  "live-no-session": [422, "Event session not found"],
  "live-session-exists": [409, "The event session already exists"],
  "live-statement-failed": [502, "The server refused a statement"],
  "live-connection-lost": [502, "The connection was lost"],
  "live-disconnected": [502, "The server disconnected the reader"],
  "live-run-ending": [409, "The run is ending"],
  "live-too-many-databases": [422, "Too many per-database views in this live session"],
  "live-too-many-replicas": [422, "Too many replicas in this live run"],
  "live-no-replica": [404, "Replica not found in the live run"],
  "live-session-stopped": [409, "The event session was stopped"],
  "live-same-server": [422, "The same server was entered twice"],
  "live-other-server": [502, "A different server answers"],
  "live-run-not-found": [404, "Live run not found"],
  "live-run-elsewhere": [421, "The live run is on another AG Lens server"],
  "live-control": [401, "The control key is missing or wrong"],
  "live-run-over": [409, "The live run is over"],
  "live-too-many-runs": [409, "Too many live runs"],
  "watch-not-found": [404, "Watch not found"],
  "watch-refused": [422, "The watch can't be kept like this"],
  "watch-elsewhere": [503, "The AG Lens server with the watch doesn't respond"],
  "too-many-watches": [409, "Too many watches"],
  "sql-wrong": [422, "The query has a mistake"],
  "sql-refused": [422, "The query uses more than the tables"],
  "sql-failed": [422, "The query returned no answer"],
  "sql-no-tables": [409, "No tables for SQL"],
  "sql-busy": [503, "Too many queries"],
  "sql-unavailable": [501, "No SQL here"],
  "catalogue-unreachable": [503, "The catalog doesn't respond"],
  "bucket-unreachable": [503, "The bucket of files doesn't respond"],
  ending: [503, "The server is stopping"],
  cancelled: [499, "Cancelled"],
  internal: [500, "Something went wrong"],
  "over-quota": [507, "The quota is used up"],
  "disk-full": [507, "The disk is full"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof TITLES;

const MOST_SENTENCE = 400;

/** A text of another program as one sentence: on one line, not too long, with a full stop. */
export function asSentence(message: string): string {
  const line = message.replaceAll(/\s+/gu, " ").trim().slice(0, MOST_SENTENCE);
  return /[.!?]$/u.test(line) ? line : `${line}.`;
}

/** The problem document of a code with its sentence. */
export function problemDocument(code: ProblemCode, detail: string): Problem {
  const [status, title] = TITLES[code];
  return { type: `urn:aglens:problem:${code}`, title, status, detail, code };
}

/** An error to throw from any handler. */
export function problem(code: ProblemCode, detail: string): ProblemError {
  return new ProblemError(problemDocument(code, detail));
}
