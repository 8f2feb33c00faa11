/** One capture in this browser: analysed, and then asked. Runs in a thread of its own, which ends with the capture. */
import { decodeModel, MODEL_FILES } from "@aglens/contract";
import type { ModelFile, Progress } from "@aglens/contract";
import { readEvents } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import { prepareColumn, prepareDistributions, preparations } from "@aglens/ag-model/query";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { analyseFiles, SUMMARY_FILE } from "@aglens/engine/analysis";
import type { AnalysedFile, AnalysisResult } from "@aglens/engine/analysis";
import { answer } from "@aglens/engine/answers";
import type { Answer, OpenSource, Question } from "@aglens/engine/answers";
import { withUniqueNames } from "@aglens/engine/files";
import { filetimeText } from "xel-parser/format";
import { piecesOf, sourceBlob } from "./blob-file.ts";

export type FileOfCapture = AnalysedFile & {
  readonly blob: Blob;
  /** Its events where they are known; they are used up. */
  readonly columns: EventColumns | null;
};

export interface CaptureToAnalyse {
  readonly files: readonly FileOfCapture[];
  /** Topology XML. */
  readonly topologies: readonly string[];
}

/** What is known of a capture without asking its thread. */
export interface AnalysedCapture extends Omit<AnalysisResult, "files"> {
  /** JSON. */
  readonly summary: Uint8Array;
}

export class CaptureWork {
  readonly #model: CaptureModel;
  readonly #open: OpenSource;

  /** What a server would store of the capture, by file name. */
  readonly tables: AnalysisResult["files"];

  private constructor(tables: AnalysisResult["files"], open: OpenSource) {
    this.tables = tables;
    this.#model = modelOf(tables);
    this.#open = open;
  }

  /** @throws AnalysisError */
  static async analyse(
    { files, topologies }: CaptureToAnalyse,
    report: (progress: Progress) => void,
    onPreview: (preview: Uint8Array) => void,
  ): Promise<{ readonly work: CaptureWork; readonly analysed: AnalysedCapture }> {
    const { files: made, ...result } = await analyseFiles({ files, topologies, decode }, report, onPreview);
    const blobs = new Map(withUniqueNames(files).map(({ file, uniqueName }) => [uniqueName, file.blob]));
    const open: OpenSource = (name) => {
      const blob = blobs.get(name);
      return Promise.resolve(blob === undefined ? null : sourceBlob(blob));
    };
    const summary = made[SUMMARY_FILE] ?? new Uint8Array();
    return { work: new CaptureWork(made, open), analysed: { ...result, summary } };
  }

  /** @throws ProblemError when the question does not fit the capture */
  ask(question: Question): Promise<Answer> {
    return answer(this.#model, question, this.#open);
  }

  /** What questions about long ranges need, one column at a time: between two of them questions are answered. */
  *prepare(): Generator<void> {
    for (const column of preparations(this.#model)) {
      column.keep(prepareColumn(column));
      yield;
    }
    yield* prepareDistributions(this.#model);
  }
}

/** From the tables, not from what the analysis had in memory: answers are those of a server, to the bit. */
function modelOf(made: AnalysisResult["files"]): CaptureModel {
  const files = MODEL_FILES.map((name) => [name, made[name] ?? new Uint8Array()] as const);
  return decodeModel(Object.fromEntries(files) as Record<ModelFile, Uint8Array>);
}

function decode(
  { blob, columns }: FileOfCapture,
  name: string,
  onProgress: (bytesDone: number, events: number, at: string | null) => void,
): Promise<EventColumns> {
  if (columns !== null) {
    // The name that the files of a capture have together may be another.
    return Promise.resolve({ ...columns, files: columns.files.map((file) => ({ ...file, name })) });
  }
  return readEvents(piecesOf(blob), name, {
    fileBytes: blob.size,
    onProgress: (bytesDone, events, ticks) =>
      onProgress(bytesDone, events, ticks === null ? null : filetimeText(ticks)),
  });
}
