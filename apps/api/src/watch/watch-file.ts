/**
 * The file that AGLENS_WATCH_FILE names: logins, receivers of messages and the mail server of watches. The operator
 * keeps it; nothing of it is stored elsewhere, and clients get names only.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { LiveLogin, LiveServer } from "@aglens/contract";
import { z } from "zod";
import { permitsHost } from "../live/server/allow-list.ts";
import { whereIs } from "../live/server/connection.ts";

const name = z.string().trim().min(1).max(64);
const text = z.string().min(1).max(256);

/** A secret in the file itself, in a file that it names, or in a variable of the environment. */
const Secret = z.union([
  z.strictObject({ value: z.string().min(1).max(4_096) }),
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ variable: z.string().min(1) }),
]);
type Secret = z.infer<typeof Secret>;

/** Servers that the login may be sent to, as in AGLENS_LIVE_HOSTS: host, host:port or *.suffix. */
const hosts = z.array(text.toLowerCase()).min(1).max(100).optional();

const Login = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("sql"), user: text, password: Secret, hosts }),
  z.strictObject({ kind: z.literal("ntlm"), domain: text, user: text, password: Secret, hosts }),
]);

const Receiver = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("teams"), url: Secret }),
  z.strictObject({ kind: z.literal("slack"), url: Secret }),
  /** `key` signs the body (HMAC with SHA-256). */
  z.strictObject({ kind: z.literal("webhook"), url: Secret, key: Secret.optional() }),
  z.strictObject({ kind: z.literal("email"), to: z.array(z.email()).min(1).max(20) }),
]);
export type Receiver = z.infer<typeof Receiver>;

const Mail = z.strictObject({
  host: text,
  port: z.number().int().min(1).max(65_535).default(587),
  /** "starttls" refuses a server without it. */
  security: z.enum(["starttls", "tls", "none"]).default("starttls"),
  from: z.email(),
  user: text.optional(),
  password: Secret.optional(),
});
export type Mail = z.infer<typeof Mail>;

const WatchFile = z.strictObject({
  logins: z.record(name, Login).default({}),
  receivers: z.record(name, Receiver).default({}),
  mail: Mail.optional(),
});
export type WatchFile = z.infer<typeof WatchFile>;

/** Why the file or a secret can't be used, as a sentence for the operator. It never has a part of a secret. */
export class WatchFileError extends Error {}

/** The file, read again at each use, so that a new password needs no restart. */
export class WatchSecrets {
  readonly #path: string | null;
  readonly #needsHosts: boolean;

  /**
   * @param path null where the setting is absent
   * @param needsHosts refuses a login without `hosts`: a person who chooses the server of a watch could have its
   *   password sent anywhere
   */
  constructor(path: string | null, needsHosts = false) {
    this.#path = path;
    this.#needsHosts = needsHosts;
  }

  /** @throws WatchFileError */
  async read(): Promise<WatchFile> {
    if (this.#path === null)
      throw new WatchFileError("AGLENS_WATCH_FILE is not set. It names the file with the logins of watches.");
    const content = await this.#textOf(this.#path);
    const json = jsonOf(content);
    if (json === undefined) throw new WatchFileError(`${this.#path} is not JSON.`);
    const file = WatchFile.safeParse(json);
    if (file.success) return file.data;
    const [first] = file.error.issues;
    throw new WatchFileError(`${this.#path}: ${first?.path.join(".") ?? ""} is wrong. ${kindOf(first)}`);
  }

  /** A login with its password, to be sent to that server. @throws WatchFileError */
  async login(of: string, server: LiveServer): Promise<LiveLogin> {
    const { hosts: _hosts, password, ...login } = await this.#loginFor(of, server);
    return { ...login, password: await this.secret(password) };
  }

  /** Whether there is such a login, and it may be sent to that server. @throws WatchFileError */
  async expectLogin(of: string, server: LiveServer): Promise<void> {
    await this.#loginFor(of, server);
  }

  async #loginFor(of: string, server: LiveServer): Promise<z.infer<typeof Login>> {
    const { logins } = await this.read();
    const login = Object.hasOwn(logins, of) ? logins[of] : undefined;
    if (login === undefined) throw new WatchFileError(`The file of AGLENS_WATCH_FILE has no login "${of}".`);
    if (login.hosts === undefined && this.#needsHosts)
      throw new WatchFileError(
        `The login "${of}" has no hosts in the file of AGLENS_WATCH_FILE. It needs them because AGLENS_LIVE_HOSTS permits any host.`,
      );
    const port = server.instance === undefined ? (server.port ?? 1433) : null;
    if (login.hosts !== undefined && !permitsHost(login.hosts, server.host, port))
      throw new WatchFileError(
        `The file of AGLENS_WATCH_FILE does not allow the login "${of}" on ${whereIs(server)}.`,
      );
    return login;
  }

  /** @throws WatchFileError */
  async secret(secret: Secret): Promise<string> {
    if ("value" in secret) return secret.value;
    if ("file" in secret)
      return (await this.#textOf(resolve(dirname(this.#path ?? ""), secret.file))).trimEnd();
    const value = process.env[secret.variable];
    if (value === undefined || value === "")
      throw new WatchFileError(`The variable ${secret.variable} is not set.`);
    return value;
  }

  async #textOf(path: string): Promise<string> {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      throw new WatchFileError(
        `Can't read ${path}: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`,
      );
    }
  }
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** The finding of zod, without the value, which may be a secret. */
function kindOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") return `It has an unknown key: ${issue.keys.join(", ")}.`;
  if (issue?.code === "invalid_type") return `It must be ${issue.expected}.`;
  return "See docs/operate/watches.md.";
}
