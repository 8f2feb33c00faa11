/** Why the service cannot start; the message is a sentence for whoever starts it. `code` is stable. */
export class StartError extends Error {
  readonly code:
    | "bad-setting"
    | "directory-in-use"
    | "directory-unusable"
    | "directory-foreign"
    | "port-in-use"
    | "address-unusable";
  /** What the process ends with: 78 (EX_CONFIG of sysexits.h) where trying again cannot help, else 1. */
  readonly exitCode: 1 | 78;
  constructor(code: StartError["code"], message: string) {
    super(message);
    this.code = code;
    this.exitCode = code === "bad-setting" ? 78 : 1;
  }
}
