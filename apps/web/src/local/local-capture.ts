import {
  Summary,
  type Capture,
  type CaptureBrief,
  type CaptureFile,
  type Problem,
  type Progress,
} from "@aglens/contract";
import type { EventColumns } from "@aglens/ag-model/events";
import type { PreparedEvents } from "@aglens/ag-model/replication";
import { filesToPack } from "@aglens/engine/aglens-file";
import { groupedFiles } from "@aglens/engine/files";
import type { KeptNote } from "@aglens/engine/notes";
import { problem } from "@aglens/engine/problems";
import { CaptureThread } from "./capture-thread.ts";
import type { AnalyzedCapture } from "./capture-work.ts";
import type { ExpectedFile } from "./expected-files.ts";
import type { KeptHandle } from "./kept-store.ts";

/** A file of a capture. */
export interface LocalFile {
  readonly blob: Blob;
  /** Its events until an analysis uses them. */
  columns: EventColumns | null;
  /** Events of exactly this file, prepared for the analysis; null where they were not prepared. */
  prepared: PreparedEvents | null;
  /** Handle of the file on the disk, when the browser provides one. */
  readonly handle: KeptHandle | null;
}

/** A capture of this browser. */
export interface LocalCapture {
  readonly id: string;
  readonly created: string;
  name: string;
  /** True while its files name it. */
  isUnnamed: boolean;
  state: Capture["state"];
  files: readonly CaptureFile[];
  readonly bytes: Map<string, LocalFile>;
  problem: Problem | null;
  progress: Progress | null;
  preview: Uint8Array | null;
  analysed: AnalyzedCapture | null;
  thread: CaptureThread | null;
  /** Identity of the running analysis; each analysis has its own. */
  running: symbol | null;
  notes: readonly KeptNote[];
  isDeleted: boolean;
  /** Digest in the names of links and kept captures; null until the capture was analyzed. */
  digest: string | null;
  /** The only files that it accepts; null where it accepts any. */
  readonly expected: readonly ExpectedFile[] | null;
}

/** Bytes of a file that was recognized before. */
export function addBytes({ bytes }: LocalCapture, id: string, blob: Blob, handle: KeptHandle | null): void {
  bytes.set(id, { blob, columns: null, prepared: null, handle });
}

/** Source files of an analyzed capture that are not open: the capture was opened from its kept or saved copy. */
export const filesWithout = ({ state, files, bytes }: LocalCapture): CaptureFile[] =>
  state === "ready" ? filesToPack(files).filter(({ id }) => !bytes.has(id)) : [];

/** A capture as the API shows it. */
export function shown(capture: LocalCapture): Capture {
  const { id, name, created, state, files, progress, problem: failure, analysed } = capture;
  const { groups, unused } = groupedFiles(files);
  const missing = new Set(filesWithout(capture));
  return {
    id,
    name,
    created,
    expires: null,
    state,
    files: files.map((file) => ({ ...file, isMissing: missing.has(file) })),
    groups,
    unused,
    progress,
    problem: failure,
    verdict: analysed?.verdict ?? null,
    severity: analysed?.severity ?? null,
    place: analysed?.place ?? null,
  };
}

/** A capture in a list. */
export function briefOf(capture: LocalCapture): CaptureBrief {
  const { files, ...rest } = shown(capture);
  const times = files.flatMap(({ role, from }) => (role === "ignored" || from === null ? [] : [from]));
  const { id, name, created, expires, state, problem: failure, verdict, severity, place } = rest;
  return {
    id,
    name,
    created,
    expires,
    state,
    problem: failure,
    verdict,
    severity,
    place,
    owner: null,
    shared: false,
    files: files.length,
    from: times.sort()[0] ?? null,
    p95Us: p95Of(capture),
  };
}

/** 95th percentile of commit latency, µs; null before the analysis and without a commit. */
function p95Of({ analysed }: LocalCapture): number | null {
  if (analysed === null) return null;
  return Summary.parse(JSON.parse(new TextDecoder().decode(analysed.summary))).commits.latency.p95;
}

/** @throws ProblemError `files-missing` for a capture that was kept without its files */
export function expectBytes(files: readonly CaptureFile[], { bytes }: LocalCapture): void {
  const missing = files.find(({ id }) => !bytes.has(id));
  if (missing === undefined) return;
  throw problem(
    "files-missing",
    `${missing.name} is not open: the capture was kept without its files. Give them to it under Raw events, or drop them on the first screen, to analyze them again.`,
  );
}

export const notAnalyzed = ({ state }: LocalCapture): Error =>
  problem("wrong-state", `The capture has no analysis to ask: it is ${state}. Start the analysis first.`);
