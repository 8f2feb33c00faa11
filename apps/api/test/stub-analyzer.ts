/** An analyzer without threads: it recognizes files by their names, and its analyses end on request of the test. */
import type { Progress, WaitingAnalysis } from "@aglens/contract";
import type { AnalysisResult, KeptAnalysis } from "@aglens/engine/analysis";
import type { AnalysisRequest } from "../src/captures/analysis/analyze.ts";
import { CancelledError } from "../src/captures/jobs/job.ts";
import type { Analyzer } from "../src/captures/analysis/analyzer.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { NOTHING } from "@aglens/engine/files";
import { openAglensFile, saveAglensFile } from "../src/captures/analysis/aglens-files.ts";
import { unpackZip } from "../src/captures/reading/unpack.ts";
import type { FileToReceive, ReceivedFile } from "../src/captures/reading/received-file.ts";
import type { Recognized } from "@aglens/engine/files";
import { checksumOfFile } from "../src/store/checksum.ts";

/** A running analysis. As a real one, it settles when it is cancelled, and a later result is lost. */
export interface StubAnalysis {
  readonly request: AnalysisRequest;
  readonly cancelled: boolean;
  report(progress: Progress): void;
  preview(bytes: Uint8Array): void;
  /** Makes it one that waits for others; null makes it run. */
  wait(waiting: WaitingAnalysis | null): void;
  /** Reports the results to keep; the first answers are still being computed. */
  keep(result?: Partial<KeptAnalysis>): void;
  finish(result?: Partial<AnalysisResult>): void;
  fail(error: Error): void;
}

export interface StubAnalyzer extends Analyzer {
  /** Every analysis that was begun, oldest first. */
  readonly analyses: readonly StubAnalysis[];
  /** Kinds of the next files, by name, instead of an event file of a primary (or a topology, for .xml). */
  readonly recognised: Map<string, Partial<ReceivedFile> | Error>;
  unpack: Analyzer["unpack"];
  recognise: Analyzer["recognise"];
  follow: Analyzer["follow"];
  load: Analyzer["load"];
  mayBegin: Analyzer["mayBegin"];
  recognitions: Analyzer["recognitions"];
}

/** The files that a finished analysis leaves, without the tables. */
export const STUB_RESULT: AnalysisResult = {
  files: {
    [SUMMARY_FILE]: new TextEncoder().encode('{"captureId":"","name":""}'),
    [PREVIEW_FILE]: new Uint8Array([1, 2, 3]),
  },
  verdict: "Commits wait for the network.",
  severity: "slow",
  place: "network",
  blocks: 7,
};

export function stubAnalyzer(): StubAnalyzer {
  const analyses: StubAnalysis[] = [];
  const recognised = new Map<string, Partial<ReceivedFile> | Error>();
  return {
    analyses,
    recognised,
    expectFile: () => () => {},
    follow: () => null,
    recognise: (file) => ({
      done: receivedByName(file, recognised.get(file.name)),
      cancel: () => Promise.resolve(),
    }),
    // A thread does this in the product.
    unpack: (request, onBytes) => ({
      done: unpackZip(request, onBytes),
      cancel: () => Promise.resolve(),
    }),
    save: (request, onBytes) => ({
      done: saveAglensFile(request, onBytes).then(() => true as const),
      cancel: () => Promise.resolve(),
    }),
    open: (request, onBytes) => ({
      done: openAglensFile(request, onBytes),
      cancel: () => Promise.resolve(),
    }),
    check: () => Promise.resolve(),
    mayBegin: () => true,
    recognitions: [],
    mostAnalyses: 2,
    load: { analysing: 0, analysesWaiting: 0, recognising: 0, filesWaiting: 0 },
    analyse: (request, hears) => {
      const { onProgress, onPreview = () => {}, onPlace = () => {} } = hears;
      const { promise, resolve, reject } = Promise.withResolvers<AnalysisResult>();
      let cancelled = false;
      let waiting: WaitingAnalysis | null = null;
      analyses.push({
        request,
        get cancelled() {
          return cancelled;
        },
        report: onProgress,
        preview: onPreview,
        wait: (now) => {
          waiting = now;
          onPlace();
        },
        keep: (result = {}) => hears.onKept?.({ ...STUB_RESULT, ...result }),
        finish: (result = {}) => resolve({ ...STUB_RESULT, ...result }),
        fail: reject,
      });
      return {
        done: promise,
        get waiting() {
          return waiting;
        },
        cancel: () => {
          cancelled = true;
          reject(new CancelledError("Cancelled."));
          return Promise.resolve();
        },
      };
    },
  };
}

async function receivedByName(
  { name, path, keepSensitive = false, cameAs = path, sha256 }: FileToReceive,
  known: Partial<ReceivedFile> | Error = {},
): Promise<ReceivedFile> {
  if (known instanceof Error) throw known;
  const dropped = keepSensitive ? null : { values: 0, bytes: 0 };
  const came = sha256 ?? (await checksumOfFile(cameAs)).sha256;
  return { ...byName(name), dropped, sha256: came, keptSha256: came, ...known };
}

function byName(name: string): Recognized {
  if (name.endsWith(".xml")) return { ...NOTHING, kind: "topology" };
  return {
    ...NOTHING,
    kind: "xel",
    events: 3,
    detectedRole: "primary",
    evidence: "hadr_capture_log_block, 3 events",
  };
}
