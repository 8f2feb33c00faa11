export type ModelErrorCode = "model.noCapture" | "model.twoPrimaries" | "model.noBlocks";

/** The captures given do not make a model; the message is a sentence a DBA can act on. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
