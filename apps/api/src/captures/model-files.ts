import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeModel, MODEL_FILES } from "@aglens/contract";
import type { ModelFile } from "@aglens/contract";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { checksumOf } from "../store/checksum.ts";
import type { Checksum } from "../store/checksum.ts";
import { RECORD_COPY_FILE } from "./record-copy-file.ts";
import { tablesDamaged } from "./soundness.ts";

/** Prepared columns of a long capture (`prepared-file.ts`): made when it is opened, not by its analysis. */
export const PREPARED_FILE = "prepared.bin";

/** The answers that the overview begins with (`first-answers-file.ts`). */
export const FIRST_ANSWERS_FILE = "first-answers.bin";

const DERIVED: ReadonlySet<string> = new Set([
  ...MODEL_FILES,
  SUMMARY_FILE,
  PREVIEW_FILE,
  PREPARED_FILE,
  RECORD_COPY_FILE,
  FIRST_ANSWERS_FILE,
]);

/** Whether a blob can be made again from the capture's files and its record; `.made` and `.new` are files that are being written. */
export function isDerived(key: string): boolean {
  return DERIVED.has(key) || /\.(?:made|new)$/u.test(key);
}

/**
 * Reads a stored analysis from its folder.
 * @param checksums by file name; a file without one is not checked
 * @throws ProblemError `capture-damaged` for a file that is not what was stored
 */
export async function readModel(
  folder: string,
  checksums: Readonly<Record<string, Checksum>>,
): Promise<CaptureModel> {
  const files = {} as Record<ModelFile, Uint8Array>;
  for (const name of MODEL_FILES) files[name] = await readSound(join(folder, name), name, checksums[name]);
  return decodeModel(files);
}

/** A file as it was stored. @throws ProblemError `capture-damaged` */
export async function readSound(
  path: string,
  name: string,
  expected: Checksum | undefined,
): Promise<Uint8Array> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  if (content === null) throw tablesDamaged(name, "is missing");
  if (expected === undefined || checksumOf(content).sha256 === expected.sha256) return content;
  throw tablesDamaged(name, "has other content than was stored (SHA-256)");
}
