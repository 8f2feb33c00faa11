/** Captures written to `.aglens` files and read from them. Runs in a thread: both take seconds. */
import { mkdir, open, writeFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { CaptureModel } from "@aglens/ag-model/replication";
import type { FirstSummary } from "@aglens/contract";
import {
  aglensFileBytes,
  readAglensFile,
  type CaptureToPack,
  type PackedCapture,
  AGLENS_BOUNDS,
} from "@aglens/engine/aglens-file";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { firstAnswers, type FirstAnswer } from "@aglens/engine/answers";
import type { CaptureDigest } from "../../store/capture-state.ts";
import { checksumOfTable, type Checksum } from "../../store/checksum.ts";
import { digestOf } from "../derived/digest.ts";
import { readValid } from "../kept/model-files.ts";
import { randomAccess } from "../kept/random-access.ts";

export interface SaveRequest extends Omit<CaptureToPack, "tables" | "sources"> {
  /** Path for the file. */
  readonly path: string;
  /** Paths of the tables, with their checksums, by name. */
  readonly tables: Readonly<Record<string, { readonly path: string; readonly checksum: Checksum }>>;
  readonly sources: readonly { readonly id: string; readonly path: string }[];
}

/**
 * @param onBytes called after each piece; an error of it ends the writing
 * @throws ProblemError `capture-damaged`, and errors of `aglensFileBytes`
 */
export async function saveAglensFile(
  { path, tables, sources, ...what }: SaveRequest,
  onBytes: () => void,
): Promise<void> {
  const read: Record<string, Uint8Array> = {};
  for (const [name, table] of Object.entries(tables))
    read[name] = await readValid(table.path, name, table.checksum);
  const packed = sources.map((source) => ({ id: source.id, bytes: () => createReadStream(source.path) }));
  const file = await open(path, "wx");
  try {
    for await (const bytes of aglensFileBytes({ ...what, tables: read, sources: packed })) {
      await file.writeFile(bytes);
      onBytes();
    }
  } finally {
    await file.close();
  }
}

export interface OpenRequest {
  /** The `.aglens` file. */
  readonly path: string;
  /** Folder for the contents, which is created. */
  readonly folder: string;
  /** Limit for all event files together. */
  readonly maxBytes: number;
}

/** Content of an `.aglens` file, written to files. */
export interface OpenedAglensFile {
  readonly capture: PackedCapture;
  readonly tables: readonly { readonly name: string; readonly path: string; readonly checksum: Checksum }[];
  /** Event files in the `.aglens` file, by the ids of their files. */
  readonly sources: readonly { readonly id: string; readonly path: string }[];
  readonly digest: CaptureDigest | null;
  /** Answers to the first questions of the overview; empty where the tables do not answer them. */
  readonly first: readonly FirstAnswer[];
}

/** @param onBytes called after each piece; an error of it ends the reading @throws errors of `readAglensFile` */
export async function openAglensFile(
  { path, folder, maxBytes }: OpenRequest,
  onBytes: () => void,
): Promise<OpenedAglensFile> {
  const file = await randomAccess(path);
  try {
    const bounds = { ...AGLENS_BOUNDS, sourceBytes: maxBytes };
    const { capture, tables, model, sources: packed } = await readAglensFile(file, bounds);
    await mkdir(folder);
    const written: OpenedAglensFile["tables"][number][] = [];
    for (const [name, bytes] of Object.entries(tables)) {
      const target = join(folder, name);
      await writeFile(target, bytes, { flush: true });
      written.push({ name, path: target, checksum: await checksumOfTable(bytes) });
      onBytes();
    }
    const sources: OpenedAglensFile["sources"][number][] = [];
    for (const [index, source] of packed.entries()) {
      const target = join(folder, `source-${index}`);
      await writeAll(target, source.bytes(), onBytes);
      sources.push({ id: source.file.id, path: target });
    }
    const [summary, preview] = [tables[SUMMARY_FILE], tables[PREVIEW_FILE]];
    const digest = summary === undefined || preview === undefined ? null : digestOf(summary, preview);
    return { capture, tables: written, sources, digest, first: await firstOf(model, summary) };
  } finally {
    await file.close();
  }
}

/** These answers are computed here, so that people who open the capture do not wait until its tables are read. */
async function firstOf(model: CaptureModel, summary: Uint8Array | undefined): Promise<FirstAnswer[]> {
  try {
    return await firstAnswers(model, JSON.parse(new TextDecoder().decode(summary)) as FirstSummary);
  } catch {
    // The browser asks again when a person opens the capture, and then shows the error.
    return [];
  }
}

async function writeAll(path: string, pieces: AsyncIterable<Uint8Array>, onBytes: () => void): Promise<void> {
  const file = await open(path, "wx");
  try {
    for await (const bytes of pieces) {
      await file.writeFile(bytes);
      onBytes();
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
