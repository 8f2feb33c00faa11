/**
 * One capture in this browser: it is analyzed and then answers questions. Runs in its own thread, which ends with the
 * capture.
 */
import { decodeModel, MODEL_FILES } from "@aglens/contract";
import type { ModelFile, Progress } from "@aglens/contract";
import { readEventPieces } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import { prepareColumn, prepareDistributions, preparations } from "@aglens/ag-model/query";
import type { CaptureModel, PreparedEvents, Topology } from "@aglens/ag-model/replication";
import { aglensFileBytes, readAglensFile } from "@aglens/engine/aglens-file";
import type { CaptureToPack, PackedCapture } from "@aglens/engine/aglens-file";
import { analyzeFiles, PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import type { AnalyzedFile, AnalysisResult } from "@aglens/engine/analysis";
import { answer } from "@aglens/engine/answers";
import type { Answer, OpenSource, Question } from "@aglens/engine/answers";
import type { EncodedEvidence } from "@aglens/engine/evidence";
import { filesToAnalyze, withUniqueNames } from "@aglens/engine/files";
import { filetimeText } from "xel-parser/format";
import { bytesOf } from "./blob-bytes.ts";
import { blobOf, piecesOf, sourceBlob } from "./blob-file.ts";
import { giveBack } from "./give-back.ts";
import type { KeptTables } from "./kept-store.ts";

export type FileOfCapture = AnalyzedFile & {
  readonly blob: Blob;
  /** Its events where they are in memory; they are used up. */
  readonly columns: EventColumns | null;
  /** Events of exactly this file, prepared for the analysis; null where they were not prepared. */
  readonly prepared: PreparedEvents | null;
};

export interface CaptureToAnalyze {
  readonly files: readonly FileOfCapture[];
  /** Topology XML, and names of other files; each outweighs those before it. */
  readonly topologies: readonly (string | Topology)[];
  /** Facts of files of evidence, of a capture without an event file. */
  readonly facts?: readonly EncodedEvidence[];
}

/** A source file under the name that the model has for it. */
export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** A capture that was analyzed before. */
export interface CaptureToOpen {
  readonly tables: KeptTables;
  /** Those of its source files that are present: raw events are read from them. */
  readonly sources: readonly NamedBlob[];
}

/** Parts of a capture to write to a file. */
export type CaptureToSave = Omit<CaptureToPack, "tables" | "sources"> & {
  /** Event files that go along. */
  readonly sources: readonly { readonly id: string; readonly blob: Blob }[];
};

/** Contents of an `.aglens` file, without its tables. */
export interface OpenedFile {
  readonly capture: PackedCapture;
  readonly namesReplaced: boolean;
  readonly summary: Uint8Array;
  readonly preview: Uint8Array;
  readonly blocks: number;
  /** Included event files, by the ids of their files. */
  readonly sources: readonly { readonly id: string; readonly blob: Blob }[];
}

/** Facts about a capture that are available without its thread. */
export interface AnalyzedCapture extends Omit<AnalysisResult, "files"> {
  /** JSON. */
  readonly summary: Uint8Array;
}

export class CaptureWork {
  readonly #model: CaptureModel;
  readonly #sources = new Map<string, Blob>();

  /** Files that a server would store for the capture, by file name. */
  readonly tables: AnalysisResult["files"];

  private constructor(tables: AnalysisResult["files"], sources: readonly NamedBlob[]) {
    this.tables = tables;
    this.#model = modelOf(tables);
    this.giveSources(sources);
  }

  /** @throws AnalysisError */
  static async analyse(
    { files, topologies, facts }: CaptureToAnalyze,
    report: (progress: Progress) => void,
    onPreview: (preview: Uint8Array) => void,
  ): Promise<{ readonly work: CaptureWork; readonly analysed: AnalyzedCapture }> {
    const { files: made, ...result } = await analyzeFiles(
      { files, topologies, facts, decode: decoder(), preparedOf, giveBack },
      report,
      onPreview,
    );
    const sources = withUniqueNames(files).map(({ file, uniqueName }) => ({
      name: uniqueName,
      blob: file.blob,
    }));
    const summary = made[SUMMARY_FILE] ?? new Uint8Array();
    return { work: new CaptureWork(made, sources), analysed: { ...result, summary } };
  }

  /** @throws TableError when the tables are not valid */
  static async open({ tables, sources }: CaptureToOpen): Promise<CaptureWork> {
    const read = Object.entries(tables).map(async ([name, blob]) => [name, await bytesOf(blob)] as const);
    return new CaptureWork(Object.fromEntries(await Promise.all(read)), sources);
  }

  /** @throws ProblemError for a file that is not a valid `.aglens` file, or of another version */
  static async unpack(file: Blob): Promise<{ readonly work: CaptureWork; readonly opened: OpenedFile }> {
    const { capture, namesReplaced, tables, sources: packed } = await readAglensFile(sourceBlob(file));
    const sources: { readonly id: string; readonly blob: Blob }[] = [];
    for (const source of packed) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory
      sources.push({ id: source.file.id, blob: await blobOf(source.bytes()) });
    }
    const named = withUniqueNames(filesToAnalyze(capture.files)).flatMap(({ file: { id }, uniqueName }) =>
      sources.filter((source) => source.id === id).map(({ blob }) => ({ name: uniqueName, blob })),
    );
    const work = new CaptureWork(tables, named);
    const [summary, preview] = [tables[SUMMARY_FILE], tables[PREVIEW_FILE]].map(
      (bytes) => bytes ?? new Uint8Array(),
    );
    const { length: blocks } = work.#model.blocks;
    const opened = {
      capture,
      namesReplaced,
      sources,
      blocks,
      summary: summary as Uint8Array,
      preview: preview as Uint8Array,
    };
    return { work, opened };
  }

  /** The capture as an `.aglens` file. @throws ProblemError `too-big` */
  async save({ sources, ...what }: CaptureToSave): Promise<Blob> {
    const packed = sources.map(({ id, blob }) => ({ id, bytes: () => piecesOf(blob) }));
    return blobOf(aglensFileBytes({ ...what, tables: this.tables, sources: packed }));
  }

  /** Source files that are added later. */
  giveSources(sources: readonly NamedBlob[]): void {
    for (const { name, blob } of sources) this.#sources.set(name, blob);
  }

  readonly #open: OpenSource = (name) => {
    const blob = this.#sources.get(name);
    return Promise.resolve(blob === undefined ? null : sourceBlob(blob));
  };

  /** @throws ProblemError when the question does not fit the capture */
  ask(question: Question): Promise<Answer> {
    return answer(this.#model, question, this.#open);
  }

  /** Columns that questions about long ranges need, one at a time: between two of them questions are answered. */
  *prepare(): Generator<void> {
    for (const column of preparations(this.#model)) {
      column.keep(prepareColumn(column));
      yield;
    }
    yield* prepareDistributions(this.#model);
  }
}

/** Read from the tables, not from the analysis in memory, so that answers equal those of a server, to the bit. */
function modelOf(made: AnalysisResult["files"]): CaptureModel {
  const files = MODEL_FILES.map((name) => [name, made[name] ?? new Uint8Array()] as const);
  return decodeModel(Object.fromEntries(files) as Record<ModelFile, Uint8Array>);
}

const preparedOf = ({ prepared }: FileOfCapture): PreparedEvents | null => prepared;

/**
 * Returns the events of files where they are in memory. That uses them up: a file whose events are needed a second time
 * is read then.
 */
function decoder(): typeof readFileOf {
  const used = new WeakSet<FileOfCapture>();
  return (file, name, onProgress) => {
    const { columns } = file;
    if (columns === null || used.has(file)) return readFileOf(file, name, onProgress);
    used.add(file);
    return (async function* () {
      yield columns;
    })();
  };
}

const readFileOf = (
  { blob }: FileOfCapture,
  name: string,
  onProgress: (bytesDone: number, events: number, at: string | null) => void,
): AsyncIterable<EventColumns> =>
  readEventPieces(piecesOf(blob), name, {
    fileBytes: blob.size,
    onProgress: (bytesDone, events, ticks) =>
      onProgress(bytesDone, events, ticks === null ? null : filetimeText(ticks)),
  });
