/** A copy of a data directory in the state of one moment, also while AG Lens runs. */
import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recordedFiles } from "../captures/derived/recorded-files.ts";
import { RECORD_COPY_FILE } from "../captures/kept/record-copy-file.ts";
import { StartError } from "../kernel/start-error.ts";
import { CAPTURES_FOLDER } from "../store/blobs.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import { captureIn, captureText } from "../store/stored-record.ts";
import { isInPostgres, openCatalogFile, sqliteCaptures } from "./open-stored-captures.ts";
import type { StoredCaptures } from "./stored-captures.ts";

export interface BackupResult {
  readonly captures: number;
  readonly files: number;
  /** Files that are the same file under a second name, because the backup is on the same file system. */
  readonly linked: number;
  /** A sentence for each file that was not there to be copied. */
  readonly findings: readonly string[];
}

/** A capture that changes while it is copied is copied again so often. */
const MOST_TRIES = 5;
const TRY_AGAIN_MS = 200;

/**
 * Copies the catalog by SQLite's own means, then the files of each capture that it has; files are never changed in
 * place, so that a second name is as good as a copy. A capture that changes meanwhile is copied in its state at that
 * time. Live runs that are being recorded, and `lost-and-found`, are not copied.
 * @param target created by this; it appears under that name when it is complete
 * @throws StartError when the directory cannot be read or the target exists
 */
export async function backUpDirectory(directory: string, target: string): Promise<BackupResult> {
  if (isInPostgres(directory)) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${directory} is in PostgreSQL. Dump that database first (pg_dump), then copy the directory: what the dump names is in it (docs/operate/backup.md, "Catalog in PostgreSQL").`,
    );
  }
  const database = openCatalogFile(directory);
  const captures = sqliteCaptures(database);
  const unfinished = `${resolve(target)}.unfinished`;
  try {
    await expectFree(directory, target);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(join(unfinished, CAPTURES_FOLDER), { recursive: true });
    database.prepare("VACUUM INTO ?").run(join(unfinished, "catalogue.sqlite"));
    const result = await copyCaptures(directory, captures, unfinished);
    await copyFile(join(directory, "format.json"), join(unfinished, "format.json"));
    await rename(unfinished, resolve(target));
    return result;
  } finally {
    await captures.close();
  }
}

async function expectFree(directory: string, target: string): Promise<void> {
  const inside = relative(resolve(directory), resolve(target));
  if (inside === "" || !inside.startsWith("..")) {
    throw new StartError(
      "bad-setting",
      `${target} lies in the data directory. Give another place for the backup.`,
    );
  }
  const entries = await readdir(target).catch(() => null);
  if (entries !== null && entries.length > 0) {
    throw new StartError(
      "bad-setting",
      `${target} exists and is not empty. Give a new place for each backup.`,
    );
  }
  await mkdir(dirname(resolve(target)), { recursive: true });
}

async function copyCaptures(
  directory: string,
  captures: StoredCaptures,
  target: string,
): Promise<BackupResult> {
  const copied = new DatabaseSync(join(target, "catalogue.sqlite"));
  const totals = { captures: 0, files: 0, linked: 0 };
  const findings: string[] = [];
  try {
    const remove = copied.prepare("DELETE FROM captures WHERE id = ?");
    const update = copied.prepare("UPDATE captures SET expires = ?, record = ? WHERE id = ?");
    for (const row of copied.prepare("SELECT id, record FROM captures").all()) {
      const id = String(row["id"]);
      const { record, missing, files, linked } = await copyCapture(
        directory,
        captures,
        target,
        id,
        String(row["record"]),
      );
      if (record === null) {
        remove.run(id);
        continue;
      }
      update.run(record.expires, captureText(record), id);
      totals.captures += 1;
      totals.files += files;
      totals.linked += linked;
      findings.push(...missing.map((name) => `Capture ${id} (${record.name}): ${name} is missing.`));
    }
    return { ...totals, findings };
  } finally {
    copied.close();
  }
}

interface CopiedCapture {
  /** The copied record; null when it was deleted meanwhile. */
  readonly record: CaptureRecord | null;
  readonly missing: readonly string[];
  readonly files: number;
  readonly linked: number;
}

async function copyCapture(
  directory: string,
  captures: StoredCaptures,
  target: string,
  id: string,
  atFirst: string,
): Promise<CopiedCapture> {
  const to = join(target, CAPTURES_FOLDER, id);
  let record: CaptureRecord | null = captureIn(atFirst);
  for (let tries = 1; ; tries += 1) {
    const keys = recordedFiles(record).map(({ key }) => key);
    const copied = await copyFiles(join(directory, CAPTURES_FOLDER, id), to, keys);
    const now = await captures.record(id);
    const isSame = JSON.stringify(now) === JSON.stringify(record);
    if ((isSame && copied.missing.length === 0) || tries === MOST_TRIES) return { record, ...copied };
    await rm(to, { recursive: true, force: true });
    if (now === null) return { record: null, missing: [], files: 0, linked: 0 };
    record = now;
    // A missing file may appear soon.
    if (isSame) await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
  }
}

async function copyFiles(
  from: string,
  to: string,
  names: readonly string[],
): Promise<Omit<CopiedCapture, "record">> {
  const missing: string[] = [];
  let [files, linked] = [0, 0];
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names) {
    const how = await linkOrCopy(join(from, name), join(to, name));
    if (how === "missing") missing.push(name);
    else files += 1;
    if (how === "linked") linked += 1;
  }
  if (names.length > 0) await linkOrCopy(join(from, RECORD_COPY_FILE), join(to, RECORD_COPY_FILE));
  return { missing, files, linked };
}

async function linkOrCopy(from: string, to: string): Promise<"linked" | "copied" | "missing"> {
  try {
    await link(from, to);
    return "linked";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return "copied";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
    throw error;
  }
}
