/** The beginning of a capture, analysed on its own while the whole is read. Runs in a worker. */
import { filetimeOfUnixMs } from "xel-parser/format";
import { encodeWindow } from "@aglens/contract";
import type { Beginning, Summary } from "@aglens/contract";
import { commitLatencies, commonCoverage, stageColumn } from "@aglens/ag-model/columns";
import { eventsBetween, ImpossibleIds } from "@aglens/ag-model/events";
import { firstAtOrAfter, largest } from "@aglens/ag-model/numbers";
import { summarise, wholeInBins } from "@aglens/ag-model/query";
import { buildModel, mergeTopologies, ModelError, readTopology } from "@aglens/ag-model/replication";
import type { CaptureModel, Topology } from "@aglens/ag-model/replication";
import { withUniqueNames } from "../files/index.ts";
import type { AnalysedFile } from "./analysed-file.ts";
import { serverInputs } from "./server-inputs.ts";
import type { EventsOfFiles } from "./server-inputs.ts";

export interface BeginningWanted<File extends AnalysedFile = AnalysedFile> {
  readonly files: readonly File[];
  /** Topology XML. */
  readonly topologies: readonly string[];
  readonly decode: EventsOfFiles<File>["decode"];
  /** Called between steps; what it throws ends the analysis. */
  readonly checkpoint?: () => void;
}

export interface AnalysedBeginning {
  readonly model: CaptureModel;
  readonly summary: Omit<Summary, "marks" | "beginning"> & { readonly beginning: Beginning };
  /** The slowest block per column up to the edge, as `encodeWindow` writes it. */
  readonly picture: Uint8Array;
}

/** Bins of a picture of the whole; the beginning has its share of them. */
const WHOLE_BINS = 400;

/** In the place of a verdict, which is on the whole. */
export const NO_VERDICT: Summary["verdict"] = {
  sentence: "",
  severity: "none",
  cause: "none",
  place: "none",
  stage: null,
  replica: null,
  window: null,
  evidence: [],
  checkNext: [],
  findings: [],
  episodes: [],
};

/** FILETIME ticks of a text as files have them, to the millisecond. */
const ticksOf = (text: string): bigint => filetimeOfUnixMs(Date.parse(text));

/**
 * Analyses what a share of a capture's time holds: from where all servers have files.
 * @param share above 0, at most 1
 * @returns null while that is no complete log block
 */
export async function analyseBeginning<File extends AnalysedFile>(
  { files, topologies, decode, checkpoint = () => {} }: BeginningWanted<File>,
  share: number,
): Promise<AnalysedBeginning | null> {
  const times = timesOf(files);
  if (times === null) return null;
  const until = times.from + BigInt(Math.round(Number(times.to - times.from) * share));
  const named = withUniqueNames(files).map(({ file, uniqueName }) => ({ ...file, name: uniqueName }));
  const inTime = named.filter(
    (file) => !isTimed(file) || (ticksOf(file.from) <= until && ticksOf(file.to) >= times.from),
  );
  const from = { decode: decodeUntil(decode, until) };
  const reading = serverInputs(inTime, from, { file: () => {}, phase: () => {} });
  const model = await modelOf(async () => buildModel(await reading, topologyOf(topologies), checkpoint));
  return model === null ? null : beginningOf(model, Number(times.to - model.origin) / TICKS_PER_US);
}

const TICKS_PER_US = 10;

/** From where all servers have files, and to where any has, FILETIME ticks; null where no file says so. */
function timesOf(files: readonly AnalysedFile[]): { readonly from: bigint; readonly to: bigint } | null {
  const timed = files.filter(isTimed);
  if (timed.length === 0) return null;
  const firsts = [...Map.groupBy(timed, ({ replica }) => replica).values()].map((own) =>
    own.map(({ from }) => ticksOf(from)).reduce((a, b) => (b < a ? b : a)),
  );
  const lasts = timed.map(({ to }) => ticksOf(to));
  const [from, to] = [firsts.reduce(later), lasts.reduce(later)];
  return to <= from ? null : { from, to };
}

const isTimed = <File extends AnalysedFile>(file: File): file is File & { from: string; to: string } =>
  file.from !== null && typeof file.to === "string";

const later = (a: bigint, b: bigint): bigint => (b > a ? b : a);

/** Reads a file's events as long as they were published up to an instant. */
function decodeUntil<File extends AnalysedFile>(
  decode: EventsOfFiles<File>["decode"],
  until: bigint,
): EventsOfFiles<File>["decode"] {
  return async function* (file, uniqueName, onProgress) {
    let events = 0;
    for await (const columns of decode(file, uniqueName, onProgress)) {
      const end = columns.ticks.findIndex((ticks) => ticks > until);
      if (end < 0) {
        events += columns.length;
        yield columns;
        continue;
      }
      events += end;
      // The last piece has the file.
      const own = { name: uniqueName, size: file.size, events, gaps: [] };
      yield { ...eventsBetween(columns, 0, end), files: [own] };
      return;
    }
  };
}

function topologyOf(texts: readonly string[]): Topology | undefined {
  return texts.length === 0 ? undefined : mergeTopologies(texts.map(readTopology));
}

/** What is wrong with the files is for the analysis of the whole to say; a beginning may just be without log blocks. */
async function modelOf(build: () => Promise<CaptureModel>): Promise<CaptureModel | null> {
  try {
    return await build();
  } catch (error) {
    if (error instanceof ModelError || error instanceof ImpossibleIds) return null;
    throw error;
  }
}

function beginningOf(model: CaptureModel, wholeUs: number): AnalysedBeginning | null {
  const edgeUs = edgeOf(model);
  const blocks = firstAtOrAfter(model.blocks.time, edgeUs);
  if (!(edgeUs > 0) || blocks === 0) return null;
  const beginning = { edgeUs, wholeUs: Math.max(wholeUs, edgeUs), blocks };
  const bins = Math.ceil((WHOLE_BINS * edgeUs) / beginning.wholeUs);
  return {
    model,
    summary: { ...summarise(model, "", "", NO_VERDICT), warnings: [], beginning },
    picture: encodeWindow(wholeInBins(model, bins, edgeUs)),
  };
}

/** Up to where all blocks are complete, µs: what began later may not have had as long as the slowest one took. NaN where no time is common. */
function edgeOf(model: CaptureModel): number {
  const [, to] = commonCoverage(model);
  const paths = model.hops.map((_, secondary) => largest(stageColumn(model, secondary, "remoteHarden")));
  const longest = largest([0, largest(commitLatencies(model)), ...paths]);
  return to - longest;
}
