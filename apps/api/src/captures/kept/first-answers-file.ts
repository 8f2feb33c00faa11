/**
 * The answers that a capture's overview begins with, as a file beside its tables: whoever opens a link sees the overview before the
 * tables are read. A file that is damaged, cut off or of other tables counts as none; what is asked is then worked out and kept anew.
 */
import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { FirstAnswer } from "@aglens/engine/answers";
import { FIRST_ANSWERS_FILE } from "./model-files.ts";

/** To be raised with each change of what these questions answer. */
export const FIRST_ANSWERS_FORMAT = 5;

const DIGEST_BYTES = 32;

interface Content {
  readonly format: number;
  /** `tablesDigest` of what they were worked out from. */
  readonly tables: string;
  readonly answers: readonly FirstAnswer[];
}

const digestOf = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** @param tables `tablesDigest` */
export async function writeFirstAnswers(
  folder: string,
  tables: string,
  answers: readonly FirstAnswer[],
): Promise<void> {
  const content = serialize({ format: FIRST_ANSWERS_FORMAT, tables, answers } satisfies Content);
  const path = join(folder, FIRST_ANSWERS_FILE);
  const unfinished = `${path}.new`;
  try {
    await writeFile(unfinished, Buffer.concat([content, digestOf(content)]));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The answers; none where there is no sound file of these tables. */
export async function readFirstAnswers(folder: string, tables: string): Promise<readonly FirstAnswer[]> {
  const bytes = await readFile(join(folder, FIRST_ANSWERS_FILE)).catch(() => null);
  if (bytes === null || bytes.length < DIGEST_BYTES) return [];
  const content = bytes.subarray(0, -DIGEST_BYTES);
  if (!digestOf(content).equals(bytes.subarray(-DIGEST_BYTES))) return [];
  // The digest is of any version: what this one reads is known by the format.
  const { format, tables: of, answers } = deserialize(content) as Content;
  return format === FIRST_ANSWERS_FORMAT && of === tables ? answers : [];
}
