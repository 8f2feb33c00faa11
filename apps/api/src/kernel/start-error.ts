/**
 * Exit codes by reason, as sysexits.h has them, so that a supervisor knows what a restart can mend: 78 configuration (a
 * restart mends nothing), 74 input and output, 75 something else holds it for the moment.
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

  /** With which the process ends. */
  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}
