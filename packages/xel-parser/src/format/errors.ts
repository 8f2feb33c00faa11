import { FORMAT_VERSION } from "./constants.ts";

/**
 * Causes why bytes could not be read as a .xel file, or as a part of one. The first three, and `bad-event` of single
 * events, are thrown; all others are only gaps of the report.
 *
 * - `empty-file`, `not-xel`: the input has no bytes, or is no .xel file.
 * - `unsupported-version`: a file, a buffer or an event of another format version than 10.
 * - `truncated`: the file ends inside a buffer; it may still be being written.
 * - `data-after-end`: the data ends with a zeroed header, and buffers of another file follow.
 * - `zeroed`: zeros where a buffer of this file should begin.
 * - `joined-file`: another file was glued on; it is read.
 * - `bad-buffer-header`: no buffer begins at the expected byte, or its length is wrong.
 * - `bad-metadata`: a package record that cannot be read; `no-metadata`: events before any metadata.
 * - `bad-event`, `unknown-event`, `unknown-action`, `bad-time`: a record that cannot be read, or an unknown object in
 * it.
 * - `dictionary-full`: columns have more different texts than they can keep.
 */
export type XelErrorCode =
  | "empty-file"
  | "not-xel"
  | "unsupported-version"
  | "truncated"
  | "data-after-end"
  | "zeroed"
  | "joined-file"
  | "bad-buffer-header"
  | "bad-metadata"
  | "no-metadata"
  | "bad-event"
  | "unknown-event"
  | "unknown-action"
  | "bad-time"
  | "dictionary-full";

/** Input that is not a .xel file of version 10, or an offset where no event begins. */
export class XelFormatError extends Error {
  override readonly name = "XelFormatError";
  readonly code: XelErrorCode;
  /** Byte offset in the file. */
  readonly offset: number;

  constructor(code: XelErrorCode, offset: number, message: string) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Sentence for a part of a file, or a row of a live stream, that has another format version. */
export function otherVersion(what: string, version: number): string {
  return `${what} has format version ${version}; only version ${FORMAT_VERSION} (SQL Server 2012 and later) can be read. The option force tries others`;
}

/** Damage found inside a buffer; the reader turns it into a gap and continues after it. */
export class Damage extends Error {
  override readonly name = "Damage";
  readonly code: XelErrorCode;

  constructor(code: XelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts an error during the parsing of a buffer to Damage. Reading past the buffer's end appears as a RangeError of
 * DataView.
 */
export function asDamage(error: unknown, code: XelErrorCode): Damage {
  if (error instanceof Damage) return error;
  if (error instanceof RangeError) {
    return new Damage(code, "a length or an offset in it points outside its buffer");
  }
  throw error;
}
