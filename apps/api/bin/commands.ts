/** `npm run -s aglens -- COMMAND`: tasks of an operator outside the pages of AG Lens. */
import { resolve } from "node:path";
import pino from "pino";
import type { Logger } from "pino";
import { plural } from "@aglens/ag-model/words";
import { ACCESS_HELP } from "../src/access/access-help.ts";
import { newTokenLine } from "../src/access/new-token.ts";
import { readConfig } from "../src/settings/config.ts";
import type { Config } from "../src/settings/config.ts";
import { backUpDirectory } from "../src/maintenance/backup.ts";
import { checkDirectory, type CheckResult } from "../src/maintenance/check.ts";
import { StartError } from "../src/kernel/start-error.ts";
import { runWatchCommand } from "../src/maintenance/watch-command.ts";
import { unfinishedUploads } from "../src/uploads/upload-files.ts";

const USAGE = `aglens check [DIR]    verify the data directory (AGLENS_DATA, or DIR such as a backup) against its catalog; with AGLENS_BLOBS, the bucket
aglens backup DIR     copy the data directory to DIR, a new directory; AG Lens can stay running
aglens move           move the catalog of the data directory to PostgreSQL (AGLENS_CATALOGUE), and its files to a bucket if
                      AGLENS_BLOBS names one; stop AG Lens first
aglens token new [ROLE] [NAME]
                      print a line for AGLENS_TOKEN_FILE: a new token, the role (viewer, contributor or admin; default admin), the name
aglens watch ...      list, create, pause, resume, record and remove watches of a running AG Lens; aglens watch --help
aglens mcp [DIR]...   answer questions of an assistant about captures on this computer; aglens mcp --help
aglens help access    how to control access: ways to sign in, and roles
`;
const EX_USAGE = 64;

function printFindings(findings: readonly string[]): void {
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}

/** @param directory null for the directory of the settings */
async function check(directory: string | null, settings: Config): Promise<void> {
  const { captures, files, bytes, findings } = await checked(directory, settings);
  printFindings(findings);
  const what = `${plural(captures, "# capture")}, ${plural(files, "# file")}, ${plural(bytes, "# byte")}`;
  console.log(
    `${what}: ${findings.length === 0 ? "no problems found" : plural(findings.length, "# finding")}.`,
  );
}

async function checked(directory: string | null, settings: Config): Promise<CheckResult> {
  const { dataDirectory, catalogue: url, cataloguePasswordFile: passwordFile, blobs } = settings;
  if (directory !== null || blobs === null || url === null)
    return checkDirectory(directory ?? dataDirectory, settings);
  const { checkBucket } = await import("../src/maintenance/bucket-check.ts");
  return checkBucket({ url, passwordFile }, blobs, logOnStderr());
}

/** Standard output is for the results of commands. */
const logOnStderr = (): Logger => pino(pino.destination(process.stderr.fd));

async function backUp(directory: string, target: string): Promise<void> {
  const { captures, files, linked, findings } = await backUpDirectory(directory, target);
  printFindings(findings);
  console.log(`${plural(captures, "# capture")}, ${plural(files, "# file")} in ${target}.`);
  if (linked > 0) {
    console.log(
      `${plural(linked, "# file is", "# files are")} on the same disk as before, under a second name: copy ${target} to another one.`,
    );
  }
}

async function move({ dataDirectory, catalogue: url, cataloguePasswordFile, blobs }: Config): Promise<void> {
  if (url === null) {
    throw new StartError(
      "bad-setting",
      "Can't move the catalog: AGLENS_CATALOGUE isn't set. Set it to the address of the PostgreSQL database.",
    );
  }
  const { moveCatalog, MOVED_FILE, moveToBucket } = await import("../src/maintenance/move.ts");
  const place = { url, passwordFile: cataloguePasswordFile };
  if (blobs !== null) {
    const left = await unfinishedUploads(dataDirectory);
    if (left > 0)
      console.log(
        `${plural(left, "# upload is", "# uploads are")} unfinished and can't be moved: their senders must start again. To keep them, cancel this command, start AG Lens with the old settings, and wait until they finish. Then run aglens move again.`,
      );
    const { captures, links, files, bytes, findings } = await moveToBucket(
      dataDirectory,
      place,
      blobs,
      logOnStderr(),
    );
    printFindings(findings);
    const what = `${plural(captures, "# capture")} and ${plural(links, "# link")} are in PostgreSQL`;
    console.log(
      `${what}, ${plural(files, "# file")} with ${plural(bytes, "# byte")} in the bucket. The files in ${dataDirectory} are only copies now.`,
    );
    return;
  }
  const { captures, links } = await moveCatalog(dataDirectory, place);
  console.log(
    `${plural(captures, "# capture")} and ${plural(links, "# link")} are in PostgreSQL. The old catalog file is ${MOVED_FILE}. Delete it when you no longer need it.`,
  );
}

function printToken([role, ...name]: readonly string[]): void {
  try {
    console.log(newTokenLine(role, name.join(" ")));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = EX_USAGE;
  }
}

async function run([command, place, ...rest]: readonly string[]): Promise<void> {
  // These commands also work without readable settings: a new user has no settings yet.
  if (command === "token" && place === "new") return printToken(rest);
  if (command === "help" && place === "access") {
    process.stdout.write(ACCESS_HELP);
    return;
  }
  if (command === "watch") {
    const args = process.argv.slice(3);
    process.exitCode = await runWatchCommand(args, { out: console.log, error: console.error });
    return;
  }
  const config = readConfig(process.env, resolve(import.meta.dirname, "../../.."));
  const { dataDirectory } = config;
  if (command === "check") return check(place ?? null, config);
  if (command === "move") return move(config);
  if (command === "backup" && place !== undefined) {
    if (config.blobs === null) return backUp(dataDirectory, place);
    throw new StartError(
      "bad-setting",
      'Files of several servers are in a bucket. Dump the database first (pg_dump), then copy the bucket: what the dump names is in it (docs/operate/backup.md, "Several servers").',
    );
  }
  process.stdout.write(USAGE);
  process.exitCode = command === "--help" || command === "help" ? 0 : EX_USAGE;
}

// A backup is of this account alone, as the data directory is.
process.umask(0o077);
try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
