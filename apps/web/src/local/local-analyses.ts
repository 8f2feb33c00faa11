import type { Capture, CaptureFile } from "@aglens/contract";
import { xmlText, type Topology } from "@aglens/ag-model/replication";
import { readsEvidence, withEvidenceOf, type Answer, type Question } from "@aglens/engine/answers";
import { filesToPack } from "@aglens/engine/aglens-file";
import { isServersOnly } from "@aglens/engine/analysis";
import type { EncodedEvidence } from "@aglens/engine/evidence";
import {
  evidenceIn,
  filesToAnalyze,
  givenTo,
  namesToAnalyze,
  noProgress,
  refuseUnclearGroups,
} from "@aglens/engine/files";
import { problem, problemDocument } from "@aglens/engine/problems";
import { captureDigest } from "./capture-digest.ts";
import type { NamedBlob } from "./capture-work.ts";
import { type AnalysisListener, CaptureThread, type WorkThread } from "./capture-thread.ts";
import { expectComplete } from "./expected-files.ts";
import { problemOfError } from "./problem-of-error.ts";
import { type LocalFile, type LocalCapture, shown, expectBytes, notAnalyzed } from "./local-capture.ts";
import type { LocalMeans, LocalCaptures } from "./local-captures.ts";

/** The analyses of captures, and their results. Every method throws ProblemError for the caller to answer. */
export class LocalAnalyses {
  readonly #means: LocalMeans;
  readonly #captures: LocalCaptures;
  #ahead: WorkThread | null = null;

  constructor(means: LocalMeans, captures: LocalCaptures) {
    this.#means = means;
    this.#captures = captures;
  }

  /** Starts the analysis; watchers are notified of its end. */
  async analyse(id: string): Promise<Capture> {
    await this.#captures.readNames();
    const capture = this.#captures.expectNoAnalysis(id);
    this.#captures.renew(capture);
    const files = filesToAnalyze(capture.files);
    refuseUnclearGroups(capture.files);
    expectComplete(capture.expected ?? [], capture.files);
    expectBytes(filesToPack(capture.files), capture);
    this.#captures.outdate(capture);
    capture.digest = captureDigest(capture.files);
    capture.state = "analysing";
    capture.progress = noProgress(files);
    const running = (capture.running = Symbol(id));
    const texts = await Promise.all([topologiesOf(capture), files.length > 0 ? [] : factsOf(capture)]).catch(
      problemOfError,
    );
    const kept = capture.notes.length > 0 ? null : await this.#means.kept.find(capture.digest);
    // It was cancelled or deleted, and perhaps begun again, meanwhile.
    if (capture.running !== running) return shown(capture);
    if (!Array.isArray(texts)) {
      this.#captures.fail(capture, texts);
      return shown(capture);
    }
    const [topologies, facts] = texts;
    // Notes on the same files of an earlier visit.
    if (kept !== null && capture.notes.length === 0) capture.notes = kept.record.notes;
    const withBytes = files.map((file) => {
      const { blob = new Blob(), columns = null, prepared = null } = capture.bytes.get(file.id) ?? {};
      return { ...file, blob, columns, prepared: isServersOnly(file, files) ? prepared : null };
    });
    for (const file of files) takeEvents(capture.bytes.get(file.id));
    this.#means.readers.rest();
    capture.thread = new CaptureThread(
      () => this.#takeThread(),
      { kind: "analyse", capture: { files: withBytes, topologies, facts } },
      this.listenerOf(capture),
    );
    return shown(capture);
  }

  /** Handlers for the messages of a capture's thread. */
  listenerOf(capture: LocalCapture): AnalysisListener {
    const { id } = capture;
    return {
      onProgress: (progress) => {
        capture.progress = progress;
        this.#captures.publish(id, { kind: "progress", progress });
      },
      onPreview: (preview) => {
        capture.preview = preview;
      },
      onAnalyzed: (analysed) => {
        capture.analysed = analysed;
        capture.state = "ready";
        capture.progress = null;
        capture.running = null;
        this.#captures.keep(capture);
        this.#captures.publish(id, { kind: "ready" });
      },
      onOpened: () => {},
      onTables: (tables) => {
        if (capture.digest !== null) void this.#means.kept.keepTables(capture.digest, tables);
      },
      onFailed: (failure) => this.#captures.fail(capture, failure),
    };
  }

  cancel(id: string): Capture {
    const capture = this.#captures.find(id);
    if (capture.state !== "analysing")
      throw problem("wrong-state", "No analysis of this capture is running.");
    this.#captures.outdate(capture);
    this.#captures.publish(id, {
      kind: "failed",
      problem: problemDocument("cancelled", "The analysis was cancelled."),
    });
    return shown(capture);
  }

  /** The entire capture in bins, as soon as its blocks are joined. */
  preview(id: string): Uint8Array {
    const { preview } = this.#captures.find(id);
    if (preview !== null) return preview;
    throw problem("wrong-state", "There is no picture of this capture yet. Start the analysis first.");
  }

  /** Result of the analysis, under the capture's current name. JSON. */
  summary(id: string): unknown {
    const { analysed, name } = this.#captures.find(id);
    if (analysed === null) throw notAnalyzed(this.#captures.find(id));
    const summary = JSON.parse(new TextDecoder().decode(analysed.summary)) as object;
    return { ...summary, captureId: id, name };
  }

  async ask(id: string, question: Question, signal: AbortSignal | null): Promise<Answer> {
    const capture = this.#captures.find(id);
    if (capture.state !== "ready" || capture.thread === null) throw notAnalyzed(capture);
    if (readsEvidence(question)) capture.thread.giveSources(evidenceOf(capture));
    return capture.thread.ask(withEvidenceOf(question, capture.files), signal);
  }

  /** The thread of the next analysis loads its script while the user checks the recognized files. */
  startAhead(): void {
    if (this.#ahead !== null) return;
    this.#ahead = this.#means.startCapture();
    this.#ahead.listen({
      onMessage: () => {},
      onBroken: () => {
        this.#ahead = null;
      },
    });
  }

  #takeThread(): WorkThread {
    const thread = this.#ahead ?? this.#means.startCapture();
    this.#ahead = null;
    return thread;
  }
}

/** Facts that are on this page, by the ids of their files. */
const evidenceOf = ({ files, bytes }: LocalCapture): NamedBlob[] =>
  evidenceIn(files).flatMap(({ id }) => {
    const kept = bytes.get(id);
    return kept === undefined ? [] : [{ name: id, blob: kept.blob }];
  });

function topologiesOf({ files, bytes }: LocalCapture): Promise<(string | Topology)[]> {
  const read = async ({ id }: CaptureFile): Promise<string> => {
    const content = await bytes.get(id)?.blob.arrayBuffer();
    return xmlText(new Uint8Array(content ?? new ArrayBuffer())) ?? "";
  };
  return Promise.all(namesToAnalyze(files, read).map((names) => Promise.resolve(names)));
}

const factsOf = ({ files, bytes }: LocalCapture): Promise<EncodedEvidence[]> =>
  Promise.all(
    evidenceIn(files).map(async (file) => {
      const content = await bytes.get(file.id)?.blob.arrayBuffer();
      return { ...givenTo(file), bytes: new Uint8Array(content ?? new ArrayBuffer()) };
    }),
  );

/** They go over to the capture's thread. */
function takeEvents(file: LocalFile | undefined): void {
  if (file === undefined) return;
  file.columns = null;
  file.prepared = null;
}
