/** Analyses stored files. Runs in a worker. */
import { readFile } from "node:fs/promises";
import type { Progress } from "@aglens/contract";
import { xmlText } from "@aglens/ag-model/replication";
import type { PreparedEvents, Topology } from "@aglens/ag-model/replication";
import { analyzeFiles } from "@aglens/engine/analysis";
import type { AnalyzedFile, AnalysisResult, KeptAnalysis } from "@aglens/engine/analysis";
import { firstAnswers } from "@aglens/engine/answers";
import type { GivenToFile } from "@aglens/engine/evidence";
import type { IncomingBlob } from "../../store/blobs.ts";
import { whenComplete } from "../reading/arrival.ts";
import { decodeHere } from "../reading/decode.ts";
import type { DecodeFile } from "../reading/decode.ts";
import { giveBack } from "../reading/give-back.ts";
import { expectValidSources } from "../kept/valid-sources.ts";
import type { SourceToCheck } from "../kept/valid-sources.ts";

export type FileToAnalyze = AnalyzedFile & { readonly path: string };

export interface AnalysisRequest {
  readonly files: readonly FileToAnalyze[];
  /** Paths of topology XML files, and names of other files; each outweighs those before it. */
  readonly topologies: readonly (string | Topology)[];
  /** Facts of files of evidence, of a capture without an event file. */
  readonly facts?: readonly (GivenToFile & { readonly path: string })[];
  /** Files to compare with their checksums: all whose checksum is known. */
  readonly sources?: readonly SourceToCheck[];
  /** Files that are not at their paths yet, by those. */
  readonly coming?: Readonly<Record<string, IncomingBlob>>;
}

/** Functions that an analysis uses, and its listeners. */
export interface AnalysisTools {
  readonly decode?: DecodeFile;
  /** Prepared parts of the columns from `decode`, by the path of the file. */
  readonly preparedAt?: ReadonlyMap<string, PreparedEvents>;
  /** Called with the first picture, as soon as there is one. */
  readonly onPreview?: (preview: Uint8Array) => void;
  /** Called with the results to keep, before the first answers are computed. */
  readonly onKept?: (kept: KeptAnalysis) => void;
}

/**
 * Analyses the files of all replicas, as many at a time as `decode` has cores for.
 * @param report called with progress, also while files are read
 * @throws AnalysisError with a sentence when the files cannot be analyzed together
 */
export async function analyzeCapture(
  { files, topologies, facts = [], sources = [], coming = {} }: AnalysisRequest,
  report: (progress: Progress) => void,
  { decode = decodeHere, preparedAt = new Map(), onPreview, onKept }: AnalysisTools = {},
): Promise<AnalysisResult> {
  const bytesOf = async (path: string): Promise<Uint8Array> => {
    if (coming[path] !== undefined) await whenComplete(coming[path]);
    return readFile(path);
  };
  const namesOf = async (names: string | Topology): Promise<string | Topology> =>
    typeof names === "string" ? (xmlText(await bytesOf(names)) ?? "") : names;
  const request = {
    files,
    topologies: await Promise.all(topologies.map(namesOf)),
    facts: await Promise.all(
      facts.map(async ({ path, ...given }) => ({ ...given, bytes: await bytesOf(path) })),
    ),
    sound: expectValidSources(sources),
    firstAnswers,
    preparedOf: ({ path }: FileToAnalyze) => preparedAt.get(path) ?? null,
    decode: ({ path, size }: FileToAnalyze, name: string, onProgress: Parameters<DecodeFile>[1]) =>
      decode({ path, name, size, coming: coming[path] }, onProgress),
    giveBack,
  };
  return analyzeFiles(request, report, onPreview, onKept);
}
