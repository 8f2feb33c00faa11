/** The tables of one capture as Parquet files, from its stored analysis. Runs in a thread. */
import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import {
  decodeModelWithoutEvents,
  type FailoverCause,
  MODEL_FILES,
  type ModelFile,
  type Summary,
  type Verdict,
} from "@aglens/contract";
import { mayHaveDatabases } from "@aglens/ag-model/evidence";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { parquetPieces, ROW_GROUP_ROWS } from "@aglens/contract/parquet";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { tabledEvidence, type EvidenceSource } from "@aglens/engine/answers";
import {
  isEvidenceTable,
  tableMetadata,
  tableParts,
  TABLES_AT_REST,
  type TableAtRest,
  type TabledEvidence,
} from "@aglens/ag-model/tables";
import { readValid } from "../captures/kept/model-files.ts";
import { openAt } from "../captures/kept/random-access.ts";
import type { Checksum } from "../store/checksum.ts";

export interface TablesToWrite {
  /** Folder of the stored analysis, and its checksums by file name. */
  readonly from: string;
  readonly stored: Readonly<Record<string, Checksum>>;
  /** Its other files, and their paths by their ids. */
  readonly evidence: {
    readonly sources: readonly EvidenceSource[];
    readonly paths: Readonly<Record<string, string>>;
  };
  /** A folder that is made. */
  readonly to: string;
  /** Facts about the capture for the metadata of each file. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Some tables of a capture, from files that were read already. */
export interface ShareToWrite extends Pick<TablesToWrite, "evidence" | "to" | "metadata"> {
  readonly tables: readonly TableAtRest[];
  /** Files of the analysis, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Files by their names. */
export type WrittenTables = Readonly<Record<string, Checksum>>;

/** Tables, and what was found in the evidence for them. */
export interface TablesResult {
  readonly files: WrittenTables;
  /** Cause of the last failover during the capture; null without one, or where no table of evidence was written. */
  readonly failover: FailoverCause["kind"] | null;
  /** Sentences about files of evidence that are not in the tables; null without any. */
  readonly notShown: string | null;
}

/** Tables that a second thread writes: about half of the work. */
const BESIDE: readonly TableAtRest[] = ["blocks", "commits", "stages"];

/** Bytes of the stored analysis from which a second thread is worth its start: some 50,000 log blocks. */
const WORTH_A_THREAD_BYTES = 12_000_000;

/**
 * Writes all tables of a capture. A second thread writes some of them if the analysis stored at least `worthBytes`.
 * @param onPiece called after each row group; an error of it ends the writing
 * @throws ProblemError `capture-damaged` where a stored file has changed
 */
export async function writeCaptureTables(
  { from, stored, evidence, to, metadata }: TablesToWrite,
  onPiece: () => void,
  beside: (share: ShareToWrite) => Promise<TablesResult>,
  worthBytes = WORTH_A_THREAD_BYTES,
): Promise<TablesResult> {
  const bytes = STORED.reduce((sum, name) => sum + (stored[name]?.bytes ?? 0), 0);
  const isLarge = bytes >= worthBytes;
  const files: Record<string, Uint8Array> = {};
  for (const name of STORED) {
    const content = await readValid(join(from, name), name, stored[name]);
    files[name] = isLarge ? shared(content) : content;
  }
  await mkdir(to, { recursive: true });
  const share = (tables: readonly TableAtRest[]): ShareToWrite => ({
    tables,
    files,
    evidence,
    to,
    metadata,
  });
  if (!isLarge) return writeShare(share(TABLES_AT_REST), onPiece);
  const own = TABLES_AT_REST.filter((name) => !BESIDE.includes(name));
  const halves: [Promise<TablesResult>, Promise<TablesResult>] = [
    writeShare(share(own), onPiece),
    beside(share(BESIDE)),
  ];
  // Both threads have ended before an error makes the caller remove the folder.
  await Promise.allSettled(halves);
  const [first, second] = await Promise.all(halves);
  return {
    files: { ...first.files, ...second.files },
    failover: first.failover ?? second.failover,
    notShown: first.notShown ?? second.notShown,
  };
}

const STORED: readonly string[] = [...MODEL_FILES.filter((name) => name !== "events.arrow"), SUMMARY_FILE];

/** A copy that two threads have at once. */
function shared(content: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(content.byteLength));
  copy.set(content);
  return copy;
}

/** @param onPiece called after each row group; an error of it ends the writing */
export async function writeShare(
  { tables, files, evidence, to, metadata }: ShareToWrite,
  onPiece: () => void,
): Promise<TablesResult> {
  const model = decodeModelWithoutEvents(files as Record<ModelFile, Uint8Array>);
  const { verdict } = JSON.parse(Buffer.from(files[SUMMARY_FILE] ?? []).toString()) as Summary;
  const { tabled, notShown } = tables.some(isEvidenceTable)
    ? await tabledEvidence(model, evidence.sources, openAt(evidence.paths))
    : { notShown: null };
  const written = await writeTables({ model, verdict, evidence: tabled, tables, to, metadata }, onPiece);
  const failover = tabled === undefined ? null : lastFailover(tabled, model);
  return { files: written, failover, notShown };
}

/** A capture in memory, and which of its tables are written where. */
interface CaptureToWrite extends Pick<ShareToWrite, "tables" | "to" | "metadata"> {
  readonly model: CaptureModel;
  readonly verdict: Pick<Verdict, "findings">;
  readonly evidence?: TabledEvidence | undefined;
}

/** @param onPiece called after each row group; an error of it ends the writing */
export async function writeTables(
  { model, verdict, evidence, tables, to, metadata }: CaptureToWrite,
  onPiece: () => void = () => {},
): Promise<WrittenTables> {
  const written: Record<string, Checksum> = {};
  for (const name of tables) {
    const pieces = parquetPieces(
      tableParts(model, verdict, name, ROW_GROUP_ROWS, evidence),
      { ...tableMetadata(model), ...metadata },
      zstdCompressSync,
    );
    written[`${name}.parquet`] = await writePieces(join(to, `${name}.parquet`), pieces, onPiece);
  }
  return written;
}

/** A log may have failovers of weeks before, and of other groups of its server. */
function lastFailover(
  { events, failovers, originUs }: TabledEvidence,
  { duration, databases }: CaptureModel,
): TablesResult["failover"] {
  const names = databases.map(({ name }) => name);
  const during = failovers.filter(
    ({ atUs, untilUs, group }) =>
      (untilUs ?? atUs) >= originUs && atUs <= originUs + duration && mayHaveDatabases(group, names, events),
  );
  return during.at(-1)?.kind ?? null;
}

async function writePieces(
  path: string,
  pieces: Iterable<Uint8Array>,
  onPiece: () => void,
): Promise<Checksum> {
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "wx");
  try {
    for (const piece of pieces) {
      hash.update(piece);
      bytes += piece.byteLength;
      await file.appendFile(piece);
      onPiece();
    }
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}
