/**
 * `schema`: the schema cannot be expressed; `unknownName`: it has no such event, column or action; `badValue`: the type
 * cannot represent it.
 */
export type XelWriteErrorCode = "schema" | "unknownName" | "badValue";

/** A schema or value that cannot be written. */
export class XelWriteError extends Error {
  readonly code: XelWriteErrorCode;
  constructor(code: XelWriteErrorCode, message: string) {
    super(message);
    this.name = "XelWriteError";
    this.code = code;
  }
}
