import { isIP } from "node:net";
import { StartError } from "./start-error.ts";

/** Everything that can be set; only main.ts reads it from the environment. */
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

const GIB = 1024 ** 3;

/**
 * Configuration from environment variables.
 * @param environment usually process.env
 * @param root the repository's root, where defaults live
 * @throws StartError that names the variable when a number or a list cannot be read
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, root: string): Config {
  const keepDays = wholeNumber(environment, "AGLENS_KEEP_DAYS", 90);
  return {
    host: environment["HOST"] ?? "127.0.0.1",
    port: wholeNumber(environment, "PORT", 4700),
    hosts: hostNames(environment["AGLENS_HOSTS"]),
    dataDirectory: environment["AGLENS_DATA"] ?? `${root}/.data`,
    maxUploadBytes: wholeNumber(environment, "AGLENS_MAX_UPLOAD_BYTES", 8 * GIB),
    maxFiles: wholeNumber(environment, "AGLENS_MAX_FILES", 500),
    keepDays: keepDays === 0 ? null : keepDays,
    writesPerMinute: wholeNumber(environment, "AGLENS_WRITES_PER_MINUTE", 600),
    webDirectory: environment["AGLENS_WEB"] ?? `${root}/apps/web/dist`,
    samplesDirectory: environment["AGLENS_SAMPLES"] ?? `${root}/fixtures/captures`,
    logLevel: environment["AGLENS_LOG"] ?? "warn",
    liveHosts: environment["AGLENS_LIVE_HOSTS"],
    liveKeepBytes: wholeNumber(environment, "AGLENS_LIVE_KEEP_BYTES", 8 * GIB),
    keepFreeBytes: wholeNumber(environment, "AGLENS_KEEP_FREE_BYTES", null),
  };
}

/** A comma list of names or addresses; a port or a scheme would never match, so it is an error. */
function hostNames(list = ""): string[] {
  const names = list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !/^[\w.-]+$/u.test(name) && isIP(name) === 0);
  if (wrong === undefined) return names;
  throw new StartError(
    "bad-setting",
    `AGLENS_HOSTS must be a list of names with commas between them, such as aglens.corp.example; "${wrong}" is not a name.`,
  );
}

function wholeNumber<Otherwise extends number | null>(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: Otherwise,
): number | Otherwise {
  const text = environment[name];
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new StartError("bad-setting", `${name} must be a whole number, it is "${text}".`);
  }
  return value;
}
