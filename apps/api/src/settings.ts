/** Every setting, once: what reads it, `--help` and docs/operate.md come from this table. */
import { isIP } from "node:net";
import { resolve } from "node:path";

/** Everything that can be set; only `readConfig` reads it. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Names by which browsers reach this server beside the loopback names and `host`; lower case, without ports. */
  readonly hosts: readonly string[];
  /** Directory that holds everything the API keeps. Safe to delete while the API is stopped. */
  readonly dataDirectory: string;
  /** Bytes of one upload, and of everything inside one zip. */
  readonly maxUploadBytes: number;
  /** Files of one capture. */
  readonly maxFiles: number;
  /** Days until a capture is deleted; null keeps it. */
  readonly keepDays: number | null;
  /** Writing requests per minute and client. */
  readonly writesPerMinute: number;
  /** Built web app; the API serves without it when the directory is absent. */
  readonly webDirectory: string;
  /** Sample captures, one directory each. */
  readonly samplesDirectory: string;
  readonly logLevel: string;
  /** Hosts that live runs may attach to, see live/allow-list.ts; undefined leaves it to `host`. */
  readonly liveHosts: string | undefined;
  /** Bytes of event buffers that one live run keeps for its capture; the oldest are given up for newer ones. */
  readonly liveKeepBytes: number;
  /** Bytes of the data directory's disk that uploads, analyses and live runs leave free; null for 5 %, at most 500 MB. */
  readonly keepFreeBytes: number | null;
}

/** One setting. Its name is both the environment variable's and the key's in the file that AGLENS_CONFIG names. */
interface Setting<Value> {
  readonly name: string;
  /** What it sets, as `--help` and docs/operate.md show it. */
  readonly about: string;
  /** Its text where nobody sets it. */
  readonly initial: string;
  /** What `initial` comes to, where its text does not show that. */
  readonly initialWords?: string;
  /** @param base what a relative path is relative to @throws WrongValue */
  readonly read: (text: string, base: string) => Value;
}

/** What a value must be; the sentence begins with the setting's name. */
export class WrongValue extends Error {}

const GIB = 1024 ** 3;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
/** RFC 1035: letters, digits, hyphens between dots; underscores are found inside companies. */
const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*\.?$/u;

const MOST_DAYS = 36_500;

export const SETTINGS: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  host: {
    name: "HOST",
    about: "Address or name to listen on",
    initial: "127.0.0.1",
    read: host,
  },
  port: {
    name: "PORT",
    about: "Port to listen on; 0 takes a free one",
    initial: "4700",
    read: wholeNumber(0, 65_535),
  },
  hosts: {
    name: "AGLENS_HOSTS",
    about:
      "Names by which browsers reach this server, beside the loopback names and `HOST`, with commas between them",
    initial: "",
    initialWords: "none",
    read: hostNames,
  },
  dataDirectory: {
    name: "AGLENS_DATA",
    about: "Directory that holds everything that is kept",
    initial: ".data",
    read: path,
  },
  maxUploadBytes: {
    name: "AGLENS_MAX_UPLOAD_BYTES",
    about: "Bytes of one upload, and of everything inside one zip",
    initial: String(8 * GIB),
    read: wholeNumber(1),
  },
  maxFiles: {
    name: "AGLENS_MAX_FILES",
    about: "Files of one capture",
    initial: "500",
    read: wholeNumber(1, 10_000),
  },
  keepDays: {
    name: "AGLENS_KEEP_DAYS",
    about: "Days until a capture is deleted; 0 keeps captures for good",
    initial: "90",
    read: (text) => wholeNumber(0, MOST_DAYS)(text) || null,
  },
  writesPerMinute: {
    name: "AGLENS_WRITES_PER_MINUTE",
    about: "Writing requests of one client within a minute",
    initial: "600",
    read: wholeNumber(1),
  },
  webDirectory: {
    name: "AGLENS_WEB",
    about: "The built web app",
    initial: "apps/web/dist",
    read: path,
  },
  samplesDirectory: {
    name: "AGLENS_SAMPLES",
    about: "Sample captures, a directory each",
    initial: "fixtures/captures",
    read: path,
  },
  logLevel: {
    name: "AGLENS_LOG",
    about: `What is logged: ${LOG_LEVELS.join(", ")}; from \`info\` on a line for each answer`,
    initial: "warn",
    read: oneOf(LOG_LEVELS),
  },
  liveHosts: {
    name: "AGLENS_LIVE_HOSTS",
    about: "SQL Servers that live runs may attach to, with commas between them (live.md); `*` for any",
    initial: "",
    initialWords: "any while `HOST` is a loopback address, else none",
    read: (text) => text || undefined,
  },
  liveKeepBytes: {
    name: "AGLENS_LIVE_KEEP_BYTES",
    about: "Bytes of event buffers that a live run keeps for its capture",
    initial: String(8 * GIB),
    read: wholeNumber(0),
  },
  keepFreeBytes: {
    name: "AGLENS_KEEP_FREE_BYTES",
    about: "Bytes of the data directory's disk that uploads, analyses and live runs leave free",
    initial: "",
    initialWords: "5 % of the disk, at most 500 MB",
    read: (text) => (text === "" ? null : wholeNumber(0)(text)),
  },
};

/** Names a file of settings; it is no setting itself and cannot be in that file. */
export const CONFIG_FILE = "AGLENS_CONFIG";

const HELP = `AG Lens shows where every commit waits in a SQL Server Always On availability group.

A setting is an environment variable, or a key in the JSON file that ${CONFIG_FILE} names:
  { "PORT": 4700, "AGLENS_KEEP_DAYS": 30, "AGLENS_HOSTS": ["aglens.corp.example"] }
Where both are there, the variable is used. An empty variable counts as none. A setting that is unknown or cannot be read
ends the start with exit code 78.
`;

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.values(SETTINGS).map(
    (setting) =>
      `  ${setting.name}\n      ${plain(setting.about)}.\n      Otherwise: ${plain(initialText(setting))}.`,
  );
  return `${HELP}\n${lines.join("\n")}\n`;
}

/** The rows of the table in docs/operate.md. */
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

function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new WrongValue(`must be one of ${values.join(", ")}, it is "${text}".`);
  };
}

function path(text: string, base: string): string {
  return resolve(base, text);
}

function host(text: string): string {
  if (isIP(text) !== 0 || HOST_NAME.test(text)) return text;
  throw new WrongValue(`must be an address or a name to listen on, such as 127.0.0.1; it is "${text}".`);
}

/** A port or a scheme would never match, so it is an error. */
function hostNames(list: string): string[] {
  const names = list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !HOST_NAME.test(name) && isIP(name) === 0);
  if (wrong === undefined) return names;
  throw new WrongValue(
    `must be a list of names with commas between them, such as aglens.corp.example; "${wrong}" is not a name.`,
  );
}
