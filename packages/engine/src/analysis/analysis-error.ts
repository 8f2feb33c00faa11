/** A failure with a sentence for the user, e.g. "no primary among the files". */
export class AnalysisError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
