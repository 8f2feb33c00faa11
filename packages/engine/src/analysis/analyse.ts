/** The whole pipeline: files -> event columns -> model -> verdict and tables, wherever the files lie. Runs in a worker. */
import { filetimeText } from "xel-parser/format";
import { encodeModel, encodeWindow } from "@aglens/contract";
import type { Capture, CaptureFile, Progress } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { fileOf, mergeColumns } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import { summarise, wholeInBins } from "@aglens/ag-model/query";
import {
  buildModel,
  buffersOfEvents,
  mergeTopologies,
  ModelError,
  readTopology,
  TopologyError,
} from "@aglens/ag-model/replication";
import type { GiveBack, PreparedEvents, ServerInput, Topology } from "@aglens/ag-model/replication";
import type { FirstAnswer, firstAnswers } from "../answers/index.ts";
import { withUniqueNames } from "../files/index.ts";
import { AnalysisError } from "./analysis-error.ts";

/** The summary with its verdict, as the analysis found it; the capture's id and name are put in when it is asked for. */
export const SUMMARY_FILE = "summary.json";

/** The whole capture in a few hundred bins, as `window` answers them: the picture on cards. */
export const PREVIEW_FILE = "preview.arrow";

/** What the analysis needs to know of a file. */
export type AnalysedFile = Pick<CaptureFile, "id" | "name" | "size" | "role" | "replica"> & {
  /** What could not be read of the upload; where that was text, the .xel file in its place has no gaps of its own. */
  readonly gaps?: CaptureFile["gaps"];
};

/** @param at time of the last event read, UTC, ISO 8601; null leaves the one before */
export type OnFileProgress = (bytesDone: number, events: number, at: string | null) => void;

export interface FilesToAnalyse<File extends AnalysedFile = AnalysedFile> {
  readonly files: readonly File[];
  /** Reads one file's events, which get `uniqueName` for their file's name; called for all files at once. */
  readonly decode: (file: File, uniqueName: string, onProgress: OnFileProgress) => Promise<EventColumns>;
  /** What was prepared of just the columns that `decode` gives for a file; used up. */
  readonly preparedOf?: (file: File) => PreparedEvents | null;
  /** How the memory of events that were read is given back before the analysis is over; without it the collector finds it. */
  readonly giveBack?: GiveBack | undefined;
  /** Topology XML. */
  readonly topologies: readonly string[];
  /** Rejects when the files are not what was received, whatever a decoder makes of them. */
  readonly sound?: Promise<void>;
  /** Works out answers ahead, where they are kept. */
  readonly firstAnswers?: typeof firstAnswers;
}

/** Bins of the picture of a whole capture: about one per pixel of a card. */
const PREVIEW_BINS = 400;

export interface AnalysisResult {
  /** What is kept of it, by file name: the model's tables, the summary and the preview. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** What the overview asks first, but for a prediction; none where nobody keeps them. */
  readonly first?: readonly FirstAnswer[];
  readonly verdict: string;
  readonly severity: NonNullable<Capture["severity"]>;
  readonly place: NonNullable<Capture["place"]>;
  readonly blocks: number;
}

/**
 * Analyses the files of all replicas.
 * @param report called with progress, at most every REPORT_MS while files are read
 * @param onPreview called with the first picture, as soon as there is one
 * @throws AnalysisError with a sentence when the files cannot be analysed together
 */
export async function analyseFiles<File extends AnalysedFile>(
  {
    files,
    decode,
    preparedOf = () => null,
    giveBack,
    topologies,
    sound = Promise.resolve(),
    firstAnswers: answersOf,
  }: FilesToAnalyse<File>,
  report: (progress: Progress) => void,
  onPreview: (preview: Uint8Array) => void = () => {},
): Promise<AnalysisResult> {
  const progress = progressOf(files, report);
  const decoding = decodeAll(files, progress, decode);
  // Whatever the decoder makes of a damaged file, the damage is what is reported.
  decoding.catch(() => {});
  await sound;
  const decoded = await decoding;
  progress.phase("roles");
  const inputs = serverInputs(decoded, preparedOf, giveBack);
  const topology = topologyOf(topologies);
  const model = withSentence(() =>
    buildModel(inputs, topology, (phase, blocks) => progress.phase(phase, blocks)),
  );
  const preview = encodeWindow(wholeInBins(model, PREVIEW_BINS));
  onPreview(preview.slice());
  progress.phase("verdict", model.blocks.length);
  const verdict = diagnose(model);
  const summary = summarise(model, "", "", verdict);
  progress.phase("store", model.blocks.length);
  const first = (await answersOf?.(model, summary)) ?? [];
  return {
    files: {
      ...encodeModel(model),
      [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)),
      [PREVIEW_FILE]: preview,
    },
    first,
    verdict: verdict.sentence,
    severity: verdict.severity,
    place: verdict.place,
    blocks: model.blocks.length,
  };
}

/** One input per server; its role is a hint for a server whose events show none. */
function serverInputs<File extends AnalysedFile>(
  decoded: readonly DecodedFile<File>[],
  preparedOf: (file: File) => PreparedEvents | null,
  giveBack: GiveBack | undefined,
): ServerInput[] {
  // Files and servers in an order of their own: the tables must not depend on which file came first.
  const inOrder = decoded.toSorted(
    (a, b) => compareTicks(a.columns, b.columns) || compareNames(a.file, b.file),
  );
  const servers = Map.groupBy(inOrder, ({ file }) => file.replica);
  return [...servers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => ({
      role: members.some(({ file }) => file.role === "primary") ? "primary" : "secondary",
      columns: mergedColumns(
        members.map(({ columns }) => columns),
        giveBack,
      ),
      ...preparedOfOnly(members, preparedOf),
      giveBack,
      ...(isRoleWord(name) ? {} : { name }),
    }));
}

/** The columns of a server's files together; those of each file are not needed beside them. */
function mergedColumns(parts: readonly EventColumns[], giveBack: GiveBack | undefined): EventColumns {
  const merged = mergeColumns(parts);
  if (parts.length > 1) giveBack?.(parts.flatMap((columns) => buffersOfEvents({ columns })));
  return merged;
}

/** What was prepared of a server's one file is prepared of the server; of several it would have to be of all together. */
function preparedOfOnly<File extends AnalysedFile>(
  [only, ...others]: readonly DecodedFile<File>[],
  preparedOf: (file: File) => PreparedEvents | null,
): Pick<ServerInput, "prepared"> {
  const prepared = only === undefined || others.length > 0 ? null : preparedOf(only.file);
  return prepared === null ? {} : { prepared };
}

const compareTicks = ({ ticks: [a = 0n] }: EventColumns, { ticks: [b = 0n] }: EventColumns): number =>
  a === b ? 0 : a < b ? -1 : 1;

const compareNames = ({ name: a }: AnalysedFile, { name: b }: AnalysedFile): number =>
  a === b ? 0 : a < b ? -1 : 1;

/** A word for want of a name, so that the model may find a better one. */
const isRoleWord = (name: string): boolean => /^(?:primary|secondary(?: \d+)?)$/iu.test(name);

function topologyOf(texts: readonly string[]): Topology | undefined {
  if (texts.length === 0) return undefined;
  return withSentence(() => mergeTopologies(texts.map(readTopology)));
}

/** What the files themselves are to blame for is shown to the user as it is. */
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

interface DecodedFile<File extends AnalysedFile> {
  readonly file: File;
  readonly columns: EventColumns;
}

/** Each file with its event columns. */
async function decodeAll<File extends AnalysedFile>(
  files: readonly File[],
  progress: ProgressReport,
  decode: FilesToAnalyse<File>["decode"],
): Promise<DecodedFile<File>[]> {
  return Promise.all(
    withUniqueNames(files).map(async ({ file, uniqueName }) => {
      const { id, size, gaps = [] } = file;
      const columns = await decode(file, uniqueName, (...done) => progress.file(id, ...done));
      // A decoder does not report every buffer, so its last report may be from before the end.
      progress.file(id, size, fileOf(columns).events, lastTime(columns));
      return { file, columns: withGaps(columns, gaps) };
    }),
  );
}

function lastTime({ ticks, length }: EventColumns): string | null {
  const last = ticks[length - 1];
  return last === undefined ? null : filetimeText(last);
}

/** A file's columns with the gaps of its upload, unless reading it found those itself. */
function withGaps(columns: EventColumns, gaps: CaptureFile["gaps"]): EventColumns {
  const file = fileOf(columns);
  if (gaps.length === 0 || file.gaps.length > 0) return columns;
  const ofUpload = gaps.map(({ before: _before, after: _after, ...gap }) => gap);
  return { ...columns, files: [{ ...file, gaps: ofUpload }] };
}

interface ProgressReport {
  file(id: string, ...done: Parameters<OnFileProgress>): void;
  phase(phase: Progress["phase"], blocks?: number): void;
}

const REPORT_MS = 100;

/** Keeps the progress of all files together and reports it, not more often than people can see. */
function progressOf(files: readonly AnalysedFile[], report: (progress: Progress) => void): ProgressReport {
  const perFile = new Map(
    files.map(({ id }) => [id, { id, bytesDone: 0, events: 0, at: null as string | null }]),
  );
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0);
  let phase: Progress["phase"] = "decode";
  let blocks = 0;
  let last = 0;
  const reportAll = (): void => {
    last = performance.now();
    const now = [...perFile.values()];
    report({
      phase,
      bytesDone: now.reduce((sum, { bytesDone }) => sum + bytesDone, 0),
      bytesTotal,
      events: now.reduce((sum, { events }) => sum + events, 0),
      blocks,
      files: now,
    });
  };
  return {
    file: (id, bytesDone, events, at) => {
      perFile.set(id, { id, bytesDone, events, at: at ?? perFile.get(id)?.at ?? null });
      if (performance.now() - last >= REPORT_MS) reportAll();
    },
    phase: (next, count = 0) => {
      phase = next;
      blocks = count;
      reportAll();
    },
  };
}
