/** The complete pipeline: files -> event columns -> model -> verdict and tables, on any storage. Runs in a worker. */
import { encodeModel, encodeWindow } from "@aglens/contract";
import type { Capture, Progress } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import type { Verdict } from "@aglens/ag-model/diagnosis";
import { ImpossibleIds } from "@aglens/ag-model/events";
import { summarise, captureInBins } from "@aglens/ag-model/query";
import {
  buildModel,
  mergeTopologies,
  ModelError,
  readTopology,
  TopologyError,
} from "@aglens/ag-model/replication";
import type { CaptureModel, Topology } from "@aglens/ag-model/replication";
import type { FirstAnswer, firstAnswers } from "../answers/index.ts";
import type { EncodedEvidence } from "../evidence/index.ts";
import { analyzeAlone } from "./alone.ts";
import type { AnalyzedFile } from "./analyzed-file.ts";
import { AnalysisError } from "./analysis-error.ts";
import { topologyIn } from "../files/index.ts";
import { progressOf } from "./progress.ts";
import type { ProgressReport } from "./progress.ts";
import { serverInputs } from "./server-inputs.ts";
import type { EventsOfFiles } from "./server-inputs.ts";

/** The summary with its verdict, as the analysis wrote it; the capture's id and name are added when it is requested. */
export const SUMMARY_FILE = "summary.json";

/** The entire capture in a few hundred bins, as `window` returns them: the picture on cards. */
export const PREVIEW_FILE = "preview.arrow";

export interface FilesToAnalyze<File extends AnalyzedFile = AnalyzedFile> extends EventsOfFiles<File> {
  readonly files: readonly File[];
  /** Topology XML, and names of other files; each outweighs those before it. */
  readonly topologies: readonly (string | Topology)[];
  /** Facts of files of evidence of a capture without any event file; empty for others. */
  readonly facts?: readonly EncodedEvidence[] | undefined;
  /** Rejects when the files differ from the received ones, even if a decoder can read them. */
  readonly sound?: Promise<void>;
  /** Works out answers ahead, where they are kept. */
  readonly firstAnswers?: typeof firstAnswers;
}

/** Bins of the picture of an entire capture: about one per pixel of a card. */
const PREVIEW_BINS = 400;

/** Result of an analysis, and its stored tables. */
export interface KeptAnalysis {
  /** By file name: the model's tables, the summary and the preview. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly verdict: string;
  readonly severity: NonNullable<Capture["severity"]>;
  readonly place: NonNullable<Capture["place"]>;
  readonly blocks: number;
}

export interface AnalysisResult extends KeptAnalysis {
  /** Answers to the first questions of the overview, except for a prediction; absent where no server keeps them. */
  readonly first?: readonly FirstAnswer[];
}

/**
 * Analyzes the files of all replicas.
 * @param report called with progress, at most every REPORT_MS while files are read
 * @param onPreview called with the first picture, as soon as there is one
 * @param onKept called with the tables to keep, before answers are computed
 * @throws AnalysisError with a sentence when the files cannot be analyzed together
 */
export async function analyzeFiles<File extends AnalyzedFile>(
  request: FilesToAnalyze<File>,
  report: (progress: Progress) => void,
  onPreview: (preview: Uint8Array) => void = () => {},
  onKept: (kept: KeptAnalysis) => void = () => {},
): Promise<AnalysisResult> {
  const progress = progressOf(request.files, report);
  const { model, ...judged } = await modelOf(request, progress);
  const preview = encodeWindow(captureInBins(model, PREVIEW_BINS));
  onPreview(preview.slice());
  progress.phase("verdict", model.blocks.length);
  const verdict = judged.verdict ?? diagnose(model);
  const summary = summarise(model, "", "", verdict);
  progress.phase("store", model.blocks.length);
  const kept = {
    files: {
      ...encodeModel(model),
      [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)),
      [PREVIEW_FILE]: preview,
    },
    verdict: verdict.sentence,
    severity: verdict.severity,
    place: verdict.place,
    blocks: model.blocks.length,
  };
  onKept(kept);
  return { ...kept, first: (await request.firstAnswers?.(model, summary)) ?? [] };
}

/** The model of event files; without any, that of files of evidence alone, with its verdict. */
async function modelOf<File extends AnalyzedFile>(
  request: FilesToAnalyze<File>,
  progress: ProgressReport,
): Promise<{ readonly model: CaptureModel; readonly verdict?: Verdict }> {
  const { files, topologies, facts = [], sound = Promise.resolve() } = request;
  if (files.length === 0) {
    await sound;
    return analyzeAlone(facts);
  }
  const reading = serverInputs(files, request, progress);
  // The damage is reported, not the decoder's error about a damaged file.
  reading.catch(() => {});
  await sound;
  const inputs = await reading.catch(withItsSentence);
  const topology = topologyOf(files, topologies);
  return {
    model: withSentence(() => buildModel(inputs, topology, (phase, blocks) => progress.phase(phase, blocks))),
  };
}

/** Names that event files have from other captures, and the topologies, which outweigh them. */
function topologyOf(
  files: readonly AnalyzedFile[],
  own: readonly (string | Topology)[],
): Topology | undefined {
  const remembered = files.map(topologyIn).filter((topology) => topology !== null);
  if (remembered.length + own.length === 0) return undefined;
  return withSentence(() =>
    mergeTopologies([
      ...remembered,
      ...own.map((names) => (typeof names === "string" ? readTopology(names) : names)),
    ]),
  );
}

/** Errors that the files themselves cause are shown to the user unchanged. */
function withSentence<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return withItsSentence(error);
  }
}

/** @throws AnalysisError for an error of the files, and any other as it is */
function withItsSentence(error: unknown): never {
  if (error instanceof ModelError || error instanceof TopologyError)
    throw new AnalysisError(error.code, error.message);
  if (error instanceof ImpossibleIds)
    throw new AnalysisError(error.code, `${error.message} Copy the files from the servers again.`);
  throw error;
}
