export type ModelErrorCode = "model.noCapture" | "model.twoPrimaries" | "model.noBlocks";

/** The captures do not make a model; the message is a sentence that tells a DBA the remedy. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The files have no log block of an availability database with a known time. */
export const noBlocks = (): ModelError =>
  new ModelError(
    "model.noBlocks",
    "The files hold no log blocks of an availability database: capture the data movement session again.",
  );
