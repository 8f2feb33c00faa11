/** Every setting, once: the reader of settings, `--help` and docs/operate/settings.md use this table. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { Role, ROLES } from "@aglens/contract";

/** Everything that can be set; only `readConfig` reads it. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /**
   * Names by which browsers reach this server, in addition to the loopback names and `host`; lower case, without ports.
   */
  readonly hosts: readonly string[];
  /** Directory that contains all data of the API. Safe to delete while the API is stopped. */
  readonly dataDirectory: string;
  /** Database in PostgreSQL that has the catalog; null for a file of the data directory. */
  readonly catalogue: string | null;
  /** File with its password; null for a database without one, or with one in ~/.pgpass. */
  readonly cataloguePasswordFile: string | null;
  /** Bucket for the files of captures, `s3://BUCKET/PREFIX`, which several servers have; null for the data directory of one. */
  readonly blobs: string | null;
  /** Bytes of this server's disk that copies of the bucket's files may take; null for half of it. */
  readonly cacheBytes: number | null;
  /** Name of this server for the others. */
  readonly serverName: string;
  /** Bytes of one upload, and of everything inside one zip. */
  readonly maxUploadBytes: number;
  /** Files of one capture. */
  readonly maxFiles: number;
  /** Hours that an upload in parts is kept after its last part. */
  readonly uploadKeepHours: number;
  /** Days until a capture is deleted; null keeps it. */
  readonly keepDays: number | null;
  /** Bytes of all captures from which the oldest are moved to the trash; null keeps them. */
  readonly keepBytes: number | null;
  /** Writing requests per minute and client. */
  readonly writesPerMinute: number;
  /** Connections at the same time. */
  readonly connections: number;
  /** Analyses at the same time; null for as many as there are cores. */
  readonly analyses: number | null;
  /** Bytes of memory that all analyses together may use; null for half of the process's memory. */
  readonly analysisMemoryBytes: number | null;
  /** Seconds for running answers when the process is asked to end. */
  readonly drainSeconds: number;
  /**
   * Seconds before that in which the server reports its end and continues to answer; null depends on whether there are
   * other servers.
   */
  readonly leaveSeconds: number | null;
  /** Built web app; the API serves without it when the directory is absent. */
  readonly webDirectory: string;
  /** Sample captures, one directory each. */
  readonly samplesDirectory: string;
  readonly logLevel: string;
  /** Hosts that live runs may attach to, see live/server/allow-list.ts; undefined: `networkReach` decides. */
  readonly liveHosts: string | undefined;
  /** Bytes of event buffers that one live run keeps for its capture; the oldest are deleted for newer ones. */
  readonly liveKeepBytes: number;
  /** Bytes of memory that the picture of one live run may use; above it the picture covers less time. */
  readonly liveMemoryBytes: number;
  /** Free space that uploads, analyses, and live runs leave on the disk of the data directory, in bytes; null for 5 %, at most 500 MB. */
  readonly keepFreeBytes: number | null;
  /** File of access tokens. */
  readonly tokenFile: string | null;
  readonly oidcIssuer: string | null;
  readonly oidcClient: string | null;
  /** File with the client's secret; null for a public client, which PKCE alone protects. */
  readonly oidcSecretFile: string | null;
  /** Name of the directory on the sign-in button; null for its host. */
  readonly oidcName: string | null;
  /** Claim of the ID token that lists groups or roles. */
  readonly oidcGroupsClaim: string;
  /** Claim of the ID token that names one person. */
  readonly oidcPersonClaim: string;
  /** Scopes, with spaces between them. */
  readonly oidcScopes: string;
  /** Minutes until the directory is asked again about who signed in. */
  readonly oidcConfirmMinutes: number;
  /** Header by which a reverse proxy names who is signed in, lower case; with the groups, commas between them. */
  readonly userHeader: string | null;
  readonly groupsHeader: string | null;
  /** Addresses and networks (10.4.0.0/16) of reverse proxies whose headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Groups of each role; `*` means all signed-in users. */
  readonly viewers: readonly string[];
  readonly contributors: readonly string[];
  readonly admins: readonly string[];
  /** Single people who have a role. */
  readonly people: Readonly<Record<Role, readonly string[]>>;
  /** Hours until a session ends. */
  readonly sessionHours: number;
  /** Address at which browsers reach the server, without a slash at its end; null uses the Host header. */
  readonly publicUrl: string | null;
  /** Files of a certificate and its key, PEM; null for plain HTTP. */
  readonly tlsCertificate: string | null;
  readonly tlsKey: string | null;
  /** Bytes that the files of all captures, and of one person's captures, may take; 0 for no limit. */
  readonly quotaBytes: number;
  readonly quotaBytesPerPerson: number;
  /** Maximum captures of one user that are analyzed or wait for it. 0 means no limit. */
  readonly analysesPerPerson: number;
  /** Live runs of one person that may be active at once. */
  readonly liveRunsPerPerson: number;
  /** File with logins, receivers of messages and the mail server of watches. */
  readonly watchFile: string | null;
  /** Reading requests per minute and client; 0 for no limit. */
  readonly readsPerMinute: number;
  /** Whether the tables of captures are kept as Parquet files too. */
  readonly keepsTables: boolean;
  /** Seconds that one query in SQL may take; 0 for no SQL. */
  readonly sqlSeconds: number;
  /** Most rows of an answer. */
  readonly sqlRows: number;
  /** Bytes of memory that DuckDB may use for it. */
  readonly sqlMemoryBytes: number;
}

/** One setting. Its name is both the environment variable's and the key's in the file that AGLENS_CONFIG names. */
interface Setting<Value> {
  readonly name: string;
  /** Effect of the setting, as `--help` and docs/operate/settings.md show it. */
  readonly about: string;
  /** Its text where it is not set. */
  readonly initial: string;
  /** Meaning of `initial`, where its text does not show it. */
  readonly initialWords?: string;
  /** An empty variable is a value, and differs from a missing one. */
  readonly takesEmpty?: boolean;
  /** @param base start of relative paths @throws WrongValue */
  readonly read: (text: string, base: string) => Value;
}

/** Requirement for a value; the sentence begins with the setting's name. */
export class WrongValue extends Error {}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
/** RFC 1035: letters, digits, hyphens between dots; underscores are found inside companies. */
const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*\.?$/u;

const MOST_DAYS = 36_500;

export const SETTINGS: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  host: {
    name: "HOST",
    about: "Address or name to listen on. An empty value is every interface, which needs authentication",
    initial: "127.0.0.1",
    takesEmpty: true,
    read: host,
  },
  port: {
    name: "PORT",
    about: "Port to listen on. 0 uses a free port",
    initial: "4700",
    read: wholeNumber(0, 65_535),
  },
  hosts: {
    name: "AGLENS_HOSTS",
    about:
      "Comma list of names by which browsers reach this server, in addition to loopback names and `HOST`",
    initial: "",
    initialWords: "none",
    read: hostNames,
  },
  dataDirectory: {
    name: "AGLENS_DATA",
    about: "Data directory",
    initial: ".data",
    read: path,
  },
  catalogue: {
    name: "AGLENS_CATALOGUE",
    about:
      "PostgreSQL database for the catalog, without the password, such as `postgres://aglens@db.example/aglens?sslmode=verify-full`",
    initial: "",
    initialWords: "`catalogue.sqlite` in the data directory",
    read: databaseAddress,
  },
  cataloguePasswordFile: {
    name: "AGLENS_CATALOGUE_PASSWORD_FILE",
    about: "File with the password of the database user",
    initial: "",
    initialWords: "the entry in `~/.pgpass`, if there is one",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  blobs: {
    name: "AGLENS_BLOBS",
    about:
      "Bucket for files of captures, such as `s3://aglens/captures`, for several servers on one `AGLENS_CATALOGUE`. Credentials, region, and endpoint come from the AWS SDK (`AWS_...`)",
    initial: "",
    initialWords: "the data directory",
    read: bucketPlace,
  },
  cacheBytes: {
    name: "AGLENS_CACHE_BYTES",
    about: "Maximum size of the local copies of the bucket's files, in bytes",
    initial: "",
    initialWords: "half of the disk",
    read: (text) => (text === "" ? null : wholeNumber(1)(text)),
  },
  serverName: {
    name: "AGLENS_SERVER_NAME",
    about: "Unique name of this server among the servers on one catalog",
    initial: "",
    initialWords: "the name of the computer",
    read: (text) => (text === "" ? hostname().replaceAll(/[^\w.-]/gu, "-") : serverName(text)),
  },
  maxUploadBytes: {
    name: "AGLENS_MAX_UPLOAD_BYTES",
    about: "Maximum size of one upload, and of the content of one zip, in bytes",
    initial: String(8 * GIB),
    read: wholeNumber(1),
  },
  maxFiles: {
    name: "AGLENS_MAX_FILES",
    about: "Maximum number of files of one capture",
    initial: "500",
    read: wholeNumber(1, 10_000),
  },
  uploadKeepHours: {
    name: "AGLENS_UPLOAD_KEEP_HOURS",
    about: "Hours to keep an incomplete upload after its last part",
    initial: "24",
    read: wholeNumber(1, 24 * 366),
  },
  keepDays: {
    name: "AGLENS_KEEP_DAYS",
    about: "Days until a capture expires. 0 means never",
    initial: "90",
    read: (text) => wholeNumber(0, MOST_DAYS)(text) || null,
  },
  keepBytes: {
    name: "AGLENS_KEEP_BYTES",
    about:
      "Maximum size of all captures with files and results, without the trash, in bytes. Above it, the oldest go to the trash. 0 means no limit",
    initial: "0",
    read: (text) => wholeNumber(0)(text) || null,
  },
  writesPerMinute: {
    name: "AGLENS_WRITES_PER_MINUTE",
    about: "Maximum write requests of one client in a minute",
    initial: "600",
    read: wholeNumber(1),
  },
  connections: {
    name: "AGLENS_CONNECTIONS",
    about: "Maximum open connections. A browser uses up to six. Above it, new ones are closed",
    initial: "5000",
    read: wholeNumber(1),
  },
  analyses: {
    name: "AGLENS_ANALYSES",
    about: "Maximum analyses at the same time. Others wait",
    initial: "",
    initialWords: "the number of cores",
    read: (text) => (text === "" ? null : wholeNumber(1, 1000)(text)),
  },
  analysisMemoryBytes: {
    name: "AGLENS_ANALYSIS_MEMORY_BYTES",
    about: "Memory that all running analyses may need, in bytes. One alone always runs",
    initial: "",
    initialWords: "half of the memory of the process",
    read: (text) => (text === "" ? null : wholeNumber(0)(text)),
  },
  drainSeconds: {
    name: "AGLENS_DRAIN_SECONDS",
    about: "Seconds for running answers to finish after SIGTERM",
    initial: "10",
    read: wholeNumber(0, 3600),
  },
  leaveSeconds: {
    name: "AGLENS_LEAVE_SECONDS",
    about:
      "Seconds to keep answering after `/readyz` starts to fail, before shutdown, so that a proxy uses another server",
    initial: "",
    initialWords: "`4` with `AGLENS_BLOBS`, else `0`",
    read: (text) => (text === "" ? null : wholeNumber(0, 3600)(text)),
  },
  webDirectory: {
    name: "AGLENS_WEB",
    about: "Folder of the built web app",
    initial: "apps/web/dist",
    read: path,
  },
  samplesDirectory: {
    name: "AGLENS_SAMPLES",
    about: "Folder of sample captures, with a folder for each",
    initial: "fixtures/captures",
    read: path,
  },
  logLevel: {
    name: "AGLENS_LOG",
    about: `Log level: ${LOG_LEVELS.join(", ")}. From \`info\` on, each answer is a line`,
    initial: "warn",
    read: oneOf(LOG_LEVELS),
  },
  liveHosts: {
    name: "AGLENS_LIVE_HOSTS",
    about: "Comma list of SQL Servers that live runs may attach to (docs/guide/attach.md). `*` means any",
    initial: "",
    initialWords: "any if only this computer reaches the server, otherwise none",
    read: (text) => text || undefined,
  },
  liveKeepBytes: {
    name: "AGLENS_LIVE_KEEP_BYTES",
    about: "Maximum size of the event buffers that a live run keeps, in bytes",
    initial: String(8 * GIB),
    read: wholeNumber(0),
  },
  liveMemoryBytes: {
    name: "AGLENS_LIVE_MEMORY_BYTES",
    about: "Maximum memory of a live run, in bytes. Above it, the picture reaches less far back",
    initial: String(64 * MIB),
    read: wholeNumber(64 * MIB),
  },
  keepFreeBytes: {
    name: "AGLENS_KEEP_FREE_BYTES",
    about:
      "Free space that uploads, analyses, and live runs leave on the disk of the data directory, in bytes",
    initial: "",
    initialWords: "5 % of the disk, at most 500 MB",
    read: (text) => (text === "" ? null : wholeNumber(0)(text)),
  },
  tokenFile: {
    name: "AGLENS_TOKEN_FILE",
    about: "File of access tokens for users and scripts",
    initial: "",
    initialWords: "none",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  oidcIssuer: {
    name: "AGLENS_OIDC_ISSUER",
    about: "OpenID Connect: https address of the directory (issuer)",
    initial: "",
    initialWords: "none",
    read: (text) => (text === "" ? null : address(/^https:$/u, "https://login.example/tenant")(text)),
  },
  oidcClient: {
    name: "AGLENS_OIDC_CLIENT",
    about: "OpenID Connect: client id of this server",
    initial: "",
    initialWords: "none",
    read: textOrNull,
  },
  oidcSecretFile: {
    name: "AGLENS_OIDC_SECRET_FILE",
    about: "OpenID Connect: file with the client secret",
    initial: "",
    initialWords: "a public client",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  oidcName: {
    name: "AGLENS_OIDC_NAME",
    about: "OpenID Connect: name of the directory on the sign-in button",
    initial: "",
    initialWords: "its host",
    read: textOrNull,
  },
  oidcGroupsClaim: {
    name: "AGLENS_OIDC_GROUPS_CLAIM",
    about: "OpenID Connect: claim of the ID token that lists groups or roles",
    initial: "groups",
    read: (text) => text,
  },
  oidcPersonClaim: {
    name: "AGLENS_OIDC_PERSON_CLAIM",
    about:
      "OpenID Connect: claim of the ID token that identifies a person for `AGLENS_PEOPLE`, such as `oid` of Entra ID. `email` counts only if the directory verified it",
    initial: "sub",
    read: personClaim,
  },
  oidcScopes: {
    name: "AGLENS_OIDC_SCOPES",
    about:
      "OpenID Connect: scopes, separated by spaces. `AGLENS_OIDC_CONFIRM_MINUTES` needs a refresh token: Entra ID and Okta issue it for `offline_access`",
    initial: "openid profile email",
    read: scopes,
  },
  oidcConfirmMinutes: {
    name: "AGLENS_OIDC_CONFIRM_MINUTES",
    about: "OpenID Connect: minutes between two checks of a signed-in user and their groups",
    initial: "5",
    read: wholeNumber(1, 60),
  },
  userHeader: {
    name: "AGLENS_USER_HEADER",
    about: "Header in which a reverse proxy sends the signed-in user. Needs `AGLENS_TRUSTED_PROXIES`",
    initial: "",
    initialWords: "none",
    read: headerName,
  },
  groupsHeader: {
    name: "AGLENS_GROUPS_HEADER",
    about: "Header in which that proxy sends the comma list of the user's groups",
    initial: "",
    initialWords: "none",
    read: headerName,
  },
  trustedProxies: {
    name: "AGLENS_TRUSTED_PROXIES",
    about:
      "Comma list of addresses and networks of reverse proxies whose user header and `X-Forwarded-*` are trusted",
    initial: "",
    initialWords: "none",
    read: networks,
  },
  viewers: {
    name: "AGLENS_VIEWERS",
    about: "Comma list of groups with the role viewer. `*` means everyone who signs in",
    initial: "",
    initialWords: "none",
    read: commaList,
  },
  contributors: {
    name: "AGLENS_CONTRIBUTORS",
    about: "Comma list of groups with the role contributor",
    initial: "",
    initialWords: "none",
    read: commaList,
  },
  admins: {
    name: "AGLENS_ADMINS",
    about: "Comma list of groups with the role admin",
    initial: "",
    initialWords: "none",
    read: commaList,
  },
  people: {
    name: "AGLENS_PEOPLE",
    about:
      "Comma list of single users with a role, `ROLE:PERSON`, such as `admin:7c9e`. PERSON is the claim of `AGLENS_OIDC_PERSON_CLAIM`, or the user from the proxy",
    initial: "",
    initialWords: "none",
    read: peopleByRole,
  },
  sessionHours: {
    name: "AGLENS_SESSION_HOURS",
    about: "Hours until a user has to sign in again",
    initial: "12",
    read: wholeNumber(1, 720),
  },
  publicUrl: {
    name: "AGLENS_PUBLIC_URL",
    about:
      "Address by which browsers reach the server through a proxy, with its path, such as `https://host.example/aglens`. OpenID Connect and links in messages of watches need it",
    initial: "",
    initialWords: "from the Host header",
    read: (text) =>
      text === "" ? null : address(/^https?:$/u, "https://aglens.corp.example")(text).replace(/\/$/u, ""),
  },
  tlsCertificate: {
    name: "AGLENS_TLS_CERTIFICATE",
    about: "File of the certificate for HTTPS (PEM), with intermediate certificates",
    initial: "",
    initialWords: "plain HTTP",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  tlsKey: {
    name: "AGLENS_TLS_KEY",
    about: "File of the private key of that certificate (PEM)",
    initial: "",
    initialWords: "none",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  quotaBytes: {
    name: "AGLENS_QUOTA_BYTES",
    about: "Maximum size of the files of all captures, with the trash, in bytes. 0 means no limit",
    initial: "0",
    read: wholeNumber(0),
  },
  quotaBytesPerPerson: {
    name: "AGLENS_QUOTA_BYTES_PER_PERSON",
    about: "Maximum size of the files of one user's captures, with the trash, in bytes. 0 means no limit",
    initial: "0",
    read: wholeNumber(0),
  },
  analysesPerPerson: {
    name: "AGLENS_ANALYSES_PER_PERSON",
    about: "Maximum captures of one user that are analyzed or wait for it. 0 means no limit",
    initial: "0",
    read: wholeNumber(0),
  },
  liveRunsPerPerson: {
    name: "AGLENS_LIVE_RUNS_PER_PERSON",
    about: "Maximum live runs of one user, of four in all. The last free one is for a user who has none",
    initial: "2",
    read: wholeNumber(1, 3),
  },
  watchFile: {
    name: "AGLENS_WATCH_FILE",
    about: "Watches: file with logins, receivers of messages, and the mail server (docs/operate/watches.md)",
    initial: "",
    initialWords: "no watches",
    read: (text) => (text === "" ? null : path(text, "")),
  },
  readsPerMinute: {
    name: "AGLENS_READS_PER_MINUTE",
    about: "Maximum read requests of one client in a minute. 0 means no limit",
    initial: "0",
    read: wholeNumber(0),
  },
  keepsTables: {
    name: "AGLENS_TABLES",
    about:
      "Keep the tables of each capture as Parquet files, for SQL and other tools (docs/reference/tables.md): `on` or `off`, the same on all servers",
    initial: "on",
    read: (text) => oneOf(["on", "off"])(text) === "on",
  },
  sqlSeconds: {
    name: "AGLENS_SQL_SECONDS",
    about: "Maximum seconds of one SQL query. 0 turns SQL off",
    initial: "10",
    read: wholeNumber(0, 3600),
  },
  sqlRows: {
    name: "AGLENS_SQL_ROWS",
    about: "Maximum rows of one SQL query",
    initial: "100000",
    read: wholeNumber(1, 1_000_000),
  },
  sqlMemoryBytes: {
    name: "AGLENS_SQL_MEMORY_BYTES",
    about: "Maximum memory of one SQL query, in bytes. Two run at the same time, each in its own process",
    initial: "1000000000",
    read: wholeNumber(64 * 1024 ** 2),
  },
};

/** Names a file of settings; it is no setting itself and cannot be in that file. */
export const CONFIG_FILE = "AGLENS_CONFIG";

const HELP = `AG Lens shows where every commit waits in a SQL Server Always On availability group.

A setting is an environment variable, or a key in the JSON file that ${CONFIG_FILE} names:
  { "PORT": 4700, "AGLENS_KEEP_DAYS": 30, "AGLENS_HOSTS": ["aglens.corp.example"] }
The variable is used if both are there. An empty variable is ignored, except HOST. A setting that is unknown or can't be read ends the
start with exit code 78.
`;

/** Output of `--help`. */
export function helpText(): string {
  const lines = Object.values(SETTINGS).map(
    (setting) =>
      `  ${setting.name}\n      ${plain(setting.about)}.\n      Default: ${plain(initialText(setting))}.`,
  );
  return `${HELP}\n${lines.join("\n")}\n`;
}

/** The rows of the table in docs/operate/settings.md. */
export function settingsRows(): string[] {
  return Object.values(SETTINGS).map(
    (setting) => `| \`${setting.name}\` | ${setting.about} | ${initialText(setting)} |`,
  );
}

function initialText({ initial, initialWords }: Setting<unknown>): string {
  if (initialWords !== undefined) return initialWords;
  return /^\d{5,}$/u.test(initial) ? Number(initial).toLocaleString("en") : `\`${initial}\``;
}

const plain = (text: string): string => text.replaceAll("`", "");

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new WrongValue(`must be a whole number ${bounds}, it is "${text}".`);
  };
}

/** Addresses of live runs begin with it. */
function serverName(text: string): string {
  if (/^[\w.-]{1,63}$/u.test(text)) return text;
  throw new WrongValue(`must be 1 to 63 letters, digits, dots, hyphens or underscores, it is "${text}".`);
}

function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new WrongValue(`must be one of ${values.join(", ")}, it is "${text}".`);
  };
}

function path(text: string, base: string): string {
  return resolve(base, text);
}

function textOrNull(text: string): string | null {
  return text === "" ? null : text;
}

/** A complete address without a query. @param example for the sentence */
function address(protocol: RegExp, example: string): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (url !== null && protocol.test(url.protocol) && url.search === "" && url.hash === "") return url.href;
    throw new WrongValue(`must be an address such as ${example}, it is "${text}".`);
  };
}

/** Other accounts can see the environment of a process, so a password has a file. */
function databaseAddress(text: string): string | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:") {
    throw new WrongValue("must be an address such as postgres://aglens@db.example/aglens.");
  }
  if (url.password === "" && !url.searchParams.has("password")) return text;
  throw new WrongValue("must not have the password in it: AGLENS_CATALOGUE_PASSWORD_FILE names its file.");
}

function bucketPlace(text: string): string | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (url?.protocol === "s3:" && url.hostname !== "" && url.search + url.hash + url.username === "")
    return text;
  throw new WrongValue("must be a bucket and what names in it begin with, such as s3://aglens/captures.");
}

function headerName(text: string): string | null {
  if (/^[A-Za-z0-9-]*$/u.test(text)) return textOrNull(text.toLowerCase());
  throw new WrongValue(`must be the name of a header such as X-User, it is "${text}".`);
}

/** Claims that people may choose or change themselves, by the documents of directories. */
const CHOSEN_CLAIMS: ReadonlySet<string> = new Set([
  "preferred_username",
  "name",
  "nickname",
  "given_name",
  "family_name",
  "upn",
  "unique_name",
]);

function personClaim(text: string): string {
  if (!CHOSEN_CLAIMS.has(text)) return text;
  throw new WrongValue(
    `must be a claim that people cannot change themselves, such as sub or oid; ${text} is not one.`,
  );
}

function scopes(text: string): string {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  if (words.includes("openid")) return words.join(" ");
  throw new WrongValue(`must have the scope openid, it is "${text}".`);
}

function peopleByRole(text: string): Record<Role, string[]> {
  const people: Record<Role, string[]> = { viewer: [], contributor: [], admin: [] };
  for (const entry of commaList(text)) {
    const colon = entry.indexOf(":");
    const role = Role.safeParse(entry.slice(0, Math.max(0, colon)));
    const person = entry.slice(colon + 1).trim();
    if (!role.success || person === "")
      throw new WrongValue(
        `must have entries such as admin:PERSON, with one of the roles ${ROLES.join(", ")}; "${entry}" isn't valid.`,
      );
    people[role.data].push(person);
  }
  return people;
}

function commaList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function networks(text: string): string[] {
  const list = commaList(text);
  const wrong = list.find((entry) => {
    const [, address = "", bits = "0"] = /^([^/]+)(?:\/(\d{1,3}))?$/u.exec(entry) ?? [];
    const family = isIP(address);
    return family === 0 || Number(bits) > (family === 4 ? 32 : 128);
  });
  if (wrong === undefined) return list;
  throw new WrongValue(
    `must be addresses or networks with commas between them, such as 10.4.0.10 or 10.4.0.0/16; "${wrong}" isn't valid.`,
  );
}

function host(text: string): string {
  if (text === "" || isIP(text) !== 0 || HOST_NAME.test(text)) return text;
  throw new WrongValue(`must be an address or a name to listen on, such as 127.0.0.1; it is "${text}".`);
}

/** A port or a scheme would never match, so it is an error. */
function hostNames(list: string): string[] {
  const names = commaList(list.toLowerCase());
  const wrong = names.find((name) => !HOST_NAME.test(name) && isIP(name) === 0);
  if (wrong === undefined) return names;
  throw new WrongValue(
    `must be a list of names with commas between them, such as aglens.corp.example; "${wrong}" is not a name.`,
  );
}
