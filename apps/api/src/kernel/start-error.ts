/**
 * Exit codes by reason, as in sysexits.h, so that a supervisor can decide about a restart: 78 configuration (a restart
 * does not help), 74 input and output, 75 another process has the resource for the moment.
 */
const EXIT_CODES = {
  "bad-setting": 78,
  "address-unusable": 78,
  "open-to-network": 78,
  "directory-foreign": 78,
  "directory-newer": 78,
  "directory-unusable": 74,
  "catalogue-damaged": 74,
  "directory-in-use": 75,
  "catalogue-unreachable": 75,
  "bucket-unreachable": 75,
  "port-in-use": 75,
} as const;

/** Reason why the service cannot start; the message is a sentence for the operator. `code` is stable. */
export class StartError extends Error {
  readonly code: keyof typeof EXIT_CODES;
  constructor(code: StartError["code"], message: string) {
    super(message);
    this.code = code;
  }

  /** Exit code of the process. */
  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}
