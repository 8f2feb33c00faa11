/** Why the service cannot start; the message is a sentence for whoever starts it. `code` is stable. */
export class StartError extends Error {
  readonly code:
    | "bad-setting"
    | "directory-in-use"
    | "directory-unusable"
    | "directory-foreign"
    | "port-in-use"
    | "address-unusable";
  constructor(code: StartError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
