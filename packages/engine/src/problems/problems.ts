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
  "bad-request": [400, "The request cannot be understood"],
  "bad-file-name": [400, "The file has no usable name"],
  unauthorised: [401, "The delete token is missing or wrong"],
  "sign-in-needed": [401, "Nobody is signed in"],
  "passphrase-needed": [401, "The link asks for a passphrase"],
  "wrong-passphrase": [401, "That was not it"],
  "wrong-token": [401, "This token is not known here"],
  "too-many-tries": [429, "Too many wrong tries"],
  "no-role": [403, "No role"],
  "not-allowed": [403, "The role does not allow this"],
  "directory-unreachable": [502, "The directory does not answer"],
  "cross-site": [403, "Requests from other sites are refused"],
  "not-found": [404, "Not found"],
  "other-host": [421, "The name is none of this server's"],
  "wrong-type": [415, "The body is of another type"],
  "tus-version": [412, "The version of the upload protocol is missing or another one"],
  "other-version": [412, "The answer is not the version that was asked for"],
  "bad-range": [416, "The range is not in the file"],
  "capture-not-found": [404, "Capture not found"],
  "file-not-found": [404, "File not found"],
  "upload-not-found": [404, "Upload not found"],
  "block-not-found": [404, "Log block not found"],
  "no-picture": [501, "No pictures here"],
  "table-not-found": [404, "Table not found"],
  "table-too-large": [413, "Table too large"],
  "sample-not-found": [404, "Sample not found"],
  "link-not-found": [404, "Link not found"],
  "note-not-found": [404, "Note not found"],
  "body-stalled": [408, "The body stopped coming"],
  "wrong-state": [409, "The capture is not in the right state"],
  "upload-offset": [409, "The part does not begin where the upload ends"],
  "capture-damaged": [409, "The capture was damaged on the disk"],
  "upload-expired": [410, "The upload has expired"],
  "link-expired": [410, "The link has expired"],
  "link-taken-back": [410, "The link was taken back"],
  "too-big": [413, "The upload is too big"],
  "bad-change": [422, "The capture does not allow this change"],
  "too-many-files": [422, "The capture has too many files"],
  "too-many-notes": [422, "The capture has too many notes"],
  "too-many-tags": [422, "The capture has too many tags"],
  "bad-zip": [422, "The zip cannot be read"],
  "other-file": [422, "The file is another one"],
  "files-missing": [409, "Files are missing"],
  "files-overwritten": [409, "Ids in the files were overwritten"],
  "files-misread": [409, "The files were read in a wrong way"],
  "bad-aglens-file": [422, "The .aglens file cannot be read"],
  "newer-aglens-file": [422, "The .aglens file is of a newer version"],
  "not-a-replacement": [422, "The file cannot take the other's place"],
  "several-captures": [409, "The files are several captures"],
  "undecided-server": [422, "It cannot be known which server wrote a file"],
  "nothing-to-analyse": [422, "There is nothing to analyse"],
  "analysis-failed": [422, "The analysis failed"],
  "too-many-requests": [429, "Too many requests"],
  "live-not-allowed": [403, "This API may not attach to that host"],
  "live-unreachable": [502, "The server cannot be reached"],
  "live-encryption": [502, "The server and AG Lens do not agree on encryption"],
  "live-certificate": [502, "The server's certificate is not trusted"],
  "live-old-certificate": [422, "The server's certificate is old"],
  "live-starting": [503, "The server is not ready"],
  "live-busy": [503, "The server is short of something"],
  "live-login-refused": [422, "The server refused the login"],
  "live-permission": [422, "The login lacks a permission"],
  "live-every-database": [422, "The session would record every database"],
  "live-unsupported": [422, "The server has no events to read"],
  "live-no-session": [422, "There is no such event session"],
  "live-session-exists": [409, "The event session exists already"],
  "live-statement-failed": [502, "The server refused a statement"],
  "live-connection-lost": [502, "The connection was lost"],
  "live-disconnected": [502, "The server disconnected the reader"],
  "live-run-ending": [409, "The run is ending"],
  "live-too-many-databases": [422, "No more databases of a run can be looked at one by one"],
  "live-too-many-replicas": [422, "A run reads no more replicas"],
  "live-no-replica": [404, "The run has no such replica"],
  "live-session-stopped": [409, "The event session was stopped"],
  "live-same-server": [422, "The same server was given twice"],
  "live-other-server": [502, "Another server answers"],
  "live-run-not-found": [404, "Live run not found"],
  "live-run-elsewhere": [421, "Live run of another server"],
  "live-control": [401, "The control key is missing or wrong"],
  "live-run-over": [409, "The live run is over"],
  "live-too-many-runs": [409, "Too many live runs"],
  "sql-wrong": [422, "The query has a mistake"],
  "sql-refused": [422, "The query asks for more than the tables"],
  "sql-failed": [422, "The query ended without an answer"],
  "sql-no-tables": [409, "No tables for SQL"],
  "sql-busy": [503, "Too many queries"],
  "sql-unavailable": [501, "No SQL here"],
  "catalogue-unreachable": [503, "The catalogue does not answer"],
  "bucket-unreachable": [503, "The bucket of files does not answer"],
  ending: [503, "The server is being stopped"],
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
