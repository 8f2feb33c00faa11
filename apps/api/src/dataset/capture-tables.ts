/** The tables of one capture as Parquet files, from what its analysis stored. Runs in a thread. */
import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { decodeModelWithoutEvents, MODEL_FILES, type ModelFile, type Summary } from "@aglens/contract";
import { parquetPieces, ROW_GROUP_ROWS } from "@aglens/contract/parquet";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { tableMetadata, tableParts, TABLES_AT_REST } from "@aglens/ag-model/tables";
import { readSound } from "../captures/model-files.ts";
import type { Checksum } from "../store/checksum.ts";

export interface TablesToWrite {
  /** Folder of what the analysis stored, and its checksums by file name. */
  readonly from: string;
  readonly stored: Readonly<Record<string, Checksum>>;
  /** A folder that is made. */
  readonly to: string;
  /** Of the capture, into the metadata of each file. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Files by their names. */
export type WrittenTables = Readonly<Record<string, Checksum>>;

/**
 * @param onPiece called after each row group; what it throws ends the writing
 * @throws ProblemError `capture-damaged` where what was stored is not what is there
 */
export async function writeCaptureTables(
  { from, stored, to, metadata }: TablesToWrite,
  onPiece: () => void,
): Promise<WrittenTables> {
  const read = (name: string): Promise<Uint8Array> => readSound(join(from, name), name, stored[name]);
  const files = {} as Record<ModelFile, Uint8Array>;
  for (const name of MODEL_FILES) if (name !== "events.arrow") files[name] = await read(name);
  const model = decodeModelWithoutEvents(files);
  const { verdict } = JSON.parse(new TextDecoder().decode(await read(SUMMARY_FILE))) as Summary;
  await mkdir(to, { recursive: true });
  const written: Record<string, Checksum> = {};
  for (const name of TABLES_AT_REST) {
    const pieces = parquetPieces(
      tableParts(model, verdict, name, ROW_GROUP_ROWS),
      { ...tableMetadata(model), ...metadata },
      zstdCompressSync,
    );
    written[`${name}.parquet`] = await writePieces(join(to, `${name}.parquet`), pieces, onPiece);
  }
  return written;
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
