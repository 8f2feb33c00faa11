import { zstdCompressSync } from "node:zlib";
import { encodeParquetTable } from "@aglens/contract/parquet";
import { answer, type OpenSource, type ParquetEncoder, type Question } from "@aglens/engine/answers";
import { ProblemError } from "@aglens/engine/problems";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { checksumOf } from "../../store/checksum.ts";
import type { AnswerReport } from "./answer-thread.ts";

const parquet: ParquetEncoder = (table, metadata) => encodeParquetTable(table, metadata, zstdCompressSync);

/** Parts of an open capture that a thread answers from: its columns and its event files. */
export interface OpenedCapture {
  readonly model: Promise<CaptureModel>;
  readonly open: OpenSource;
}

/**
 * The answer to a question, or the problem for the client; any other error ends the thread.
 * @param from parts of the capture; null when the question has to be asked again later
 */
export async function reportOn(
  { model, open }: OpenedCapture,
  question: Question,
  from: (model: CaptureModel) => CaptureModel | Promise<CaptureModel> | null = (whole) => whole,
): Promise<AnswerReport> {
  try {
    const asked = from(await model);
    if (asked === null) return { kind: "later" };
    const given = await answer(await asked, question, open, parquet);
    return { kind: "answer", answer: { ...given, digest: checksumOf(given.bytes).sha256 } };
  } catch (error) {
    if (error instanceof ProblemError) return { kind: "problem", problem: error.problem };
    throw error;
  }
}
