/** The whole pipeline: stored files -> event columns -> model -> verdict and tables. Runs in a worker. */
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { encodeModel } from "xel-parser/contract";
import type { Capture, CaptureFile, Progress, StoredModel } from "xel-parser/contract";
import { diagnose } from "xel-parser/diagnosis";
import { mergeColumns, readEvents, recognise } from "xel-parser/events";
import type { EventColumns } from "xel-parser/events";
import { XelFormatError } from "xel-parser/format";
import {
  buildModel,
  mergeTopologies,
  ModelError,
  readTopology,
  ticksToIso,
  TopologyError,
} from "xel-parser/replication";
import type { CaptureModel, ReplicaInput, Topology } from "xel-parser/replication";
import { uniqueNames } from "./file-name.ts";
import { AnalysisError } from "./job.ts";

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

const CHUNK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Reads a file to tell what it is: role, evidence, time, gaps. What cannot be read is an answer, not an error. */
export async function recogniseFile({ path, name }: FileToRecognise): Promise<Recognised> {
  const text = xmlText(await readHead(path));
  if (text !== null) return recogniseXml(text, name);
  try {
    return describe(await readEvents(chunksOf(path), name));
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return unreadable(`${name}, byte ${error.offset}: ${sentence(error.message)} ${LEFT_OUT}`);
  }
}

/** A file that takes no part, with the sentence that says why. */
export function unreadable(message: string): Recognised {
  return { ...NOTHING, kind: "unreadable", message };
}

const LEFT_OUT = "The file is left out of the analysis.";
const NOTHING = {
  message: null,
  gaps: [],
  events: 0,
  from: null,
  to: null,
  detectedRole: "unknown",
  evidence: "",
  replicaId: null,
} as const satisfies Omit<Recognised, "kind">;

function describe(columns: EventColumns): Recognised {
  const found = recognise(columns);
  const [file] = columns.files;
  const any = columns.length > 0;
  return {
    kind: "xel",
    message: null,
    gaps: file.gaps.map(({ code, offset, bytes, message }) => ({ code, offset, bytes, message })),
    events: file.events,
    from: any ? ticksToIso(found.fromTicks) : null,
    to: any ? ticksToIso(found.toTicks) : null,
    detectedRole: found.role,
    evidence: found.evidence,
    replicaId: found.replicaId,
  };
}

function recogniseXml(head: string, name: string): Recognised {
  if (head.includes("<AGInfoRoot")) {
    return { ...NOTHING, kind: "topology", evidence: "AGInfoRoot, names of replicas and databases" };
  }
  return unreadable(
    `${name}, byte 0: the XML has no AGInfoRoot, so it is no topology of an availability group. ${LEFT_OUT}`,
  );
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Text of bytes that begin as XML does, in UTF-8 or in the UTF-16 that SQL Server's tools write; null for anything else. */
export function xmlText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const text = new TextDecoder(utf16 ? "utf-16le" : "utf-8").decode(bytes);
  return /^\s*</u.test(text) ? text : null;
}

function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** Reads one file's events; the worker gives a version that does it on another core. */
export type DecodeFile = (
  file: { readonly path: string; readonly name: string; readonly size: number },
  onProgress: (bytesDone: number, events: number) => void,
) => Promise<EventColumns>;

/** Reads one file's events on this thread. */
export const decodeHere: DecodeFile = ({ path, name }, onProgress) =>
  readEvents(chunksOf(path), name, { onProgress });

/**
 * Analyses the files of all replicas.
 * @param report called with progress, at most every REPORT_MS while files are read
 * @throws AnalysisError with a sentence when the files cannot be analysed together
 */
export async function analyseCapture(
  request: AnalysisRequest,
  report: (progress: Progress) => void,
  decode: DecodeFile = decodeHere,
): Promise<AnalysisResult> {
  const progress = progressOf(request.files, report);
  const columns = await decodeAll(request.files, progress, decode);
  progress.phase("roles");
  const inputs = replicaInputs(request.files, columns);
  const topology = await topologyOf(request.topologies);
  progress.phase("join");
  const model = modelOf(inputs, topology);
  progress.blocks(model.blocks.length);
  progress.phase("verdict");
  const { sentence: verdict, severity } = diagnose(model);
  progress.phase("store");
  return { model: encodeModel(model), verdict, severity, blocks: model.blocks.length };
}

/** A default of the upload is no name that the user gave. */
const UNNAMED = /^(?:primary|secondary|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/iu;

/** One input per replica: there is one primary, and secondaries differ by the word the user may have corrected. */
function replicaInputs(files: AnalysisRequest["files"], columns: readonly EventColumns[]): ReplicaInput[] {
  const groups = Map.groupBy(files.keys(), (index) =>
    files[index].role === "primary" ? "primary" : `secondary ${files[index].replica}`,
  );
  return [...groups.values()].map((members) => {
    const { role, replica } = files[members[0]];
    return {
      role: role === "primary" ? "primary" : "secondary",
      columns: mergeColumns(members.map((index) => columns[index])),
      ...(UNNAMED.test(replica) ? {} : { name: replica }),
    };
  });
}

async function topologyOf(paths: readonly string[]): Promise<Topology | undefined> {
  if (paths.length === 0) return undefined;
  const texts = await Promise.all(paths.map(async (path) => xmlText(await readFile(path)) ?? ""));
  return withSentence(() => mergeTopologies(texts.map(readTopology)));
}

const modelOf = (inputs: readonly ReplicaInput[], topology: Topology | undefined): CaptureModel =>
  withSentence(() => buildModel(inputs, topology));

/** What the files themselves are to blame for is told to the user as it is. */
function withSentence<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ModelError || error instanceof TopologyError) {
      throw new AnalysisError(error.code, error.message);
    }
    throw error;
  }
}

/** Event columns of each file, in the order of the files; as many at a time as `decode` has cores for. */
async function decodeAll(
  files: AnalysisRequest["files"],
  progress: ProgressReport,
  decode: DecodeFile,
): Promise<EventColumns[]> {
  const names = [...uniqueNames(files).keys()];
  return Promise.all(
    files.map((file, index) =>
      decode({ path: file.path, name: names[index], size: file.size }, (bytesDone, events) =>
        progress.file(index, bytesDone, events),
      ),
    ),
  );
}

interface ProgressReport {
  file(index: number, bytesDone: number, events: number): void;
  phase(phase: Progress["phase"]): void;
  blocks(count: number): void;
}

const REPORT_MS = 100;

/** Keeps the progress of all files together and reports it, not more often than people can see. */
function progressOf(files: AnalysisRequest["files"], report: (progress: Progress) => void): ProgressReport {
  const perFile = files.map(({ id }) => ({ id, bytesDone: 0, events: 0 }));
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0);
  let phase: Progress["phase"] = "decode";
  let blocks = 0;
  let last = 0;
  const tell = (): void => {
    last = performance.now();
    report({
      phase,
      bytesDone: perFile.reduce((sum, { bytesDone }) => sum + bytesDone, 0),
      bytesTotal,
      events: perFile.reduce((sum, { events }) => sum + events, 0),
      blocks,
      files: perFile.map((file) => ({ ...file })),
    });
  };
  return {
    file: (index, bytesDone, events) => {
      Object.assign(perFile[index], { bytesDone, events });
      if (performance.now() - last >= REPORT_MS) tell();
    },
    phase: (next) => {
      phase = next;
      tell();
    },
    blocks: (count) => {
      blocks = count;
    },
  };
}
