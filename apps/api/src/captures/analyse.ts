/** The whole pipeline: stored files -> event columns -> model -> verdict and tables. Runs in a worker. */
import type { Capture, CaptureFile, Progress, StoredModel } from "xel-parser/contract";

export interface FileToRecognise {
  readonly path: string;
  readonly name: string;
}

/** What a file turned out to be. */
export type Recognised = Pick<
  CaptureFile,
  "kind" | "message" | "gaps" | "events" | "from" | "to" | "detectedRole" | "evidence" | "replicaId"
>;

export interface AnalysisRequest {
  readonly files: readonly (CaptureFile & { readonly path: string })[];
  /** Paths of topology XML files. */
  readonly topologies: readonly string[];
}

export interface AnalysisResult {
  readonly model: StoredModel;
  readonly verdict: string;
  readonly severity: NonNullable<Capture["severity"]>;
  readonly blocks: number;
}

export async function recogniseFile(_file: FileToRecognise): Promise<Recognised> {
  throw new Error("to come");
}

export async function analyseCapture(
  _request: AnalysisRequest,
  _report: (progress: Progress) => void,
): Promise<AnalysisResult> {
  throw new Error("to come");
}
