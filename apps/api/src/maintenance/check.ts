/** Compares a data directory with its catalog; reads only. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { plural } from "@aglens/ag-model/words";
import { isDerived } from "../captures/derived/derived-things.ts";
import { recordedFiles } from "../captures/derived/recorded-files.ts";
import { captureFolders, DATASET_FOLDER, readMark } from "../dataset/dataset-folder.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import { damageOfFile } from "../store/checksum.ts";
import { filesInDirectory } from "./checked-files.ts";
import type { CheckedFiles } from "./checked-files.ts";
import { openStoredCaptures } from "./open-stored-captures.ts";
import type { CatalogSettings } from "./open-stored-captures.ts";
import type { StoredCaptures } from "./stored-captures.ts";

export interface CheckResult {
  readonly captures: number;
  readonly files: number;
  readonly bytes: number;
  /** A sentence for each thing that is not as it should be. */
  readonly findings: readonly string[];
}

/** A capture that changes while it is checked is checked again so often. */
const MOST_TRIES = 3;

/**
 * Checks that the catalog can be read, that each file of each capture is there with the content that was stored, and that no
 * file is there that no capture has. May run while AG Lens runs.
 * @throws StartError when the directory or its catalog cannot be read
 */
export async function checkDirectory(
  directory: string,
  settings: CatalogSettings = { catalogue: null, cataloguePasswordFile: null },
): Promise<CheckResult> {
  const captures = await openStoredCaptures(directory, settings);
  try {
    const { findings, ...checked } = await checkCaptures(captures, filesInDirectory(directory));
    const tables = await datasetFindings(join(directory, DATASET_FOLDER), new Set(await captures.ids()));
    return { ...checked, findings: [...findings, ...tables, ...(await lostFolders(directory))] };
  } finally {
    await captures.close();
  }
}

/** The catalog, and the files of all captures. */
export async function checkCaptures(captures: StoredCaptures, kept: CheckedFiles): Promise<CheckResult> {
  const findings = await catalogFindings(captures);
  let [files, bytes] = [0, 0];
  const ids = await captures.ids();
  for (const id of ids) {
    const checked = await checkCapture(kept, captures, id);
    findings.push(...checked.findings);
    files += checked.files;
    bytes += checked.bytes;
  }
  findings.push(...(await foldersWithoutRecord(kept, captures)));
  return { captures: ids.length, files, bytes, findings };
}

async function catalogFindings(captures: StoredCaptures): Promise<string[]> {
  const findings = (await captures.damage()).map((line) => `The catalogue is damaged: ${line}.`);
  const count = await captures.looseLinks();
  if (count === 0) return findings;
  return [...findings, plural(count, "# link leads to no capture.", "# links lead to no capture.")];
}

interface CheckedCapture {
  readonly findings: string[];
  readonly files: number;
  readonly bytes: number;
}

const NOTHING_CHECKED: CheckedCapture = { findings: [], files: 0, bytes: 0 };

async function checkCapture(
  kept: CheckedFiles,
  captures: StoredCaptures,
  id: string,
): Promise<CheckedCapture> {
  for (let tries = 1; ; tries += 1) {
    const record = await captures.record(id);
    // Deleted since the list was read, or named by the check of the records.
    if (record === null) return (await captures.ids()).includes(id) ? unreadable(id) : NOTHING_CHECKED;
    const checked = await checkFiles(kept, record);
    const isSame = JSON.stringify(await captures.record(id)) === JSON.stringify(record);
    if (checked.findings.length === 0 || isSame || tries === MOST_TRIES) return checked;
  }
}

const unreadable = (id: string): CheckedCapture => ({
  ...NOTHING_CHECKED,
  findings: [`The record of capture ${id} cannot be read.`],
});

async function checkFiles(kept: CheckedFiles, record: CaptureRecord): Promise<CheckedCapture> {
  const findings: string[] = [];
  let bytes = 0;
  const report = (what: string): void =>
    void findings.push(`Capture ${record.id} (${record.name}): ${what}.`);
  const files = recordedFiles(record);
  for (const file of files) {
    bytes += file.bytes;
    const damage = await kept.damage(record.id, file);
    if (damage === null) continue;
    if (file.isDerived) report(`${file.name} ${damage}; it is made again when it is needed`);
    else report(`${file.name} (${file.key}) ${damage}`);
  }
  const named = new Set(files.map(({ key }) => key));
  const present = await kept.keys(record.id);
  for (const name of present)
    if (!named.has(name) && !isDerived(name)) report(`has no file ${name}, which lies in its folder`);
  return { findings, files: files.length, bytes };
}

async function foldersWithoutRecord(kept: CheckedFiles, captures: StoredCaptures): Promise<string[]> {
  const folders = await kept.captures();
  const ids = new Set(await captures.ids());
  return folders
    .filter((name) => !ids.has(name))
    .map(
      (name) =>
        `The files in captures/${name} are of no capture; the next start moves them to lost-and-found.`,
    );
}

/** Tables as Parquet files can always be made again, so a finding asks for nothing but the next start. */
async function datasetFindings(dataset: string, ids: ReadonlySet<string>): Promise<string[]> {
  const findings: string[] = [];
  for (const path of await captureFolders(dataset)) {
    const folder = join(dataset, path);
    const mark = await readMark(folder);
    if (mark === null)
      findings.push(
        `The tables in ${DATASET_FOLDER}/${path} are not whole, or of no capture; the next start puts that right.`,
      );
    else if (!ids.has(mark.capture))
      findings.push(
        `The tables in ${DATASET_FOLDER}/${path} are of no capture; the next start removes them.`,
      );
    for (const [name, checksum] of Object.entries(mark?.files ?? {})) {
      const damage = await damageOfFile(join(folder, name), checksum);
      if (damage !== null)
        findings.push(
          `${DATASET_FOLDER}/${path}/${name} ${damage}; delete its folder, and the next start writes it again.`,
        );
    }
  }
  return findings;
}

async function lostFolders(directory: string): Promise<string[]> {
  const folders = await readdir(join(directory, "lost-and-found")).catch(() => []);
  return folders.map((name) => `lost-and-found/${name} can be restored or deleted.`);
}
