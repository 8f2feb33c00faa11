/** Facts of all files of a folder as one answer: each event once, on UTC. */
import { inUtc } from "../errorlog/local-time.ts";
import { failoversOf } from "../happened/failovers.ts";
import { mergeEvents } from "../happened/merge-events.ts";
import { withServersOfFolders } from "../recognition/folder-servers.ts";
import { USES } from "../recognition/uses.ts";
import { SAMPLE_KINDS } from "../samples/read-samples.ts";
import type { Remark } from "../samples/samples.ts";
import type { Evidence, EvidenceEvent, EvidenceSeries, FailoverCause, RecognizedFile } from "../shapes.ts";
import type { FileFacts } from "./file-facts.ts";

/** Minutes that a server's local time is ahead of UTC, from its ERRORLOG. */
export interface ServerOffset {
  readonly server: string;
  readonly utcOffsetMinutes: number;
}

export interface FolderEvidence extends Evidence {
  /** All failovers by time. `cause` is the last one, which the files were collected for. */
  readonly failovers: readonly FailoverCause[];
  readonly offsets: readonly ServerOffset[];
}

const CHOOSE_ZONE =
  "Choose time zone: the head with the UTC adjustment is missing. AG Lens doesn't use the file until then.";
const CHOOSE_ZONE_OF_SAMPLES = "The file has no UTC offset. Choose its time zone.";
const MINUTE_US = 60_000_000;

/** A file's facts with its times in UTC, as far as any offset is known. */
interface Placed {
  readonly facts: FileFacts;
  readonly file: RecognizedFile;
  readonly events: readonly EvidenceEvent[];
  readonly series: readonly EvidenceSeries[];
}

/**
 * Puts the facts of files together. Times without an offset in their file are placed by the chosen one; samples without
 * either by the ERRORLOG of their server. A file without any offset isn't used.
 * @param chosenOffsets offsets that a person chose, in the order of the files; in minutes ahead of UTC, null for none
 */
export function mergeFacts(
  facts: readonly FileFacts[],
  chosenOffsets: readonly (number | null)[] = [],
): FolderEvidence {
  const named = withServersOfFolders(facts.map(({ file }) => file));
  const files = named.map((file, i): RecognizedFile => {
    const utcOffsetMinutes = file.utcOffsetMinutes ?? chosenOffsets[i] ?? null;
    return { ...file, utcOffsetMinutes };
  });
  const offsets = offsetsOf(files);
  const placed = facts.map((one, i): Placed =>
    SAMPLE_KINDS.has(one.file.kind)
      ? placedSamples(one, files[i]!, offsets)
      : placedEvents(one, files[i]!, files),
  );
  const events = mergeEvents(placed.map((one) => one.events));
  const failovers = failoversOf(events);
  // Events and their figures are before the samples of other files.
  const ordered = placed.toSorted((a, b) => orderOf(a) - orderOf(b));
  return {
    files: placed.map(({ file }) => file),
    events,
    series: ordered.flatMap(({ series }) => series),
    names: facts.flatMap(({ names }) => names),
    groups: facts.flatMap(({ groups }) => groups),
    notUnderstood: ordered.flatMap(({ facts: { notUnderstood } }) =>
      notUnderstood === null || notUnderstood.count === 0 ? [] : [notUnderstood],
    ),
    failovers,
    cause: failovers.at(-1) ?? null,
    offsets,
  };
}

const orderOf = ({ file }: Placed): number => (SAMPLE_KINDS.has(file.kind) ? 1 : 0);

function placedEvents(facts: FileFacts, file: RecognizedFile, all: readonly RecognizedFile[]): Placed {
  const offset = file.utcOffsetMinutes;
  if (facts.isLocal && offset === null) {
    const unused: RecognizedFile =
      file.state === "used" ? { ...file, state: "notUsed", use: CHOOSE_ZONE } : file;
    return { facts, file: unused, events: [], series: [] };
  }
  const own = facts.isLocal ? (offset ?? 0) : 0;
  const events = inUtc(facts.events, facts.nights, { own, next: nextOffset(file, all) });
  const { server } = file;
  return {
    facts,
    file: { ...file, use: [file.use, ...sentencesOf(facts.remarks, 0)].join(" ") },
    // Another file of the folder may name the server that this one doesn't.
    events: server === null ? events : events.map((event) => ({ ...event, server: event.server ?? server })),
    series: facts.series.map((series) => placedSeries(series, 0, server)),
  };
}

/** State and use of a file whose times are local, by its offset from UTC; null where none is known. */
export function useByOffset(
  kind: RecognizedFile["kind"],
  offsetMinutes: number | null,
): Pick<RecognizedFile, "state" | "use"> {
  if (offsetMinutes !== null) return USES[kind];
  return { state: "notUsed", use: SAMPLE_KINDS.has(kind) ? CHOOSE_ZONE_OF_SAMPLES : CHOOSE_ZONE };
}

/** Whether the ERRORLOG of the server has the offset of such a file, where it doesn't state its own. */
export const hasOffsetOfServer = (kind: RecognizedFile["kind"]): boolean => SAMPLE_KINDS.has(kind);

/** Offset of the file that the server wrote after this one: ERRORLOG.1 comes before ERRORLOG. */
function nextOffset({ name, kind, server }: RecognizedFile, all: readonly RecognizedFile[]): number | null {
  if (kind !== "errorlog" || server === null) return null;
  const number = rotationOf(name);
  const next = all.find(
    (file) =>
      file.kind === "errorlog" &&
      file.server?.toUpperCase() === server.toUpperCase() &&
      rotationOf(file.name) === number - 1,
  );
  return next?.utcOffsetMinutes ?? null;
}

const rotationOf = (name: string): number => Number(/ERRORLOG\.(\d+)/iu.exec(name)?.[1] ?? 0);

function placedSamples(facts: FileFacts, file: RecognizedFile, offsets: readonly ServerOffset[]): Placed {
  const ofServer = offsets.find(({ server }) => server.toUpperCase() === file.server?.toUpperCase());
  const offset = file.utcOffsetMinutes ?? ofServer?.utcOffsetMinutes ?? null;
  const known = facts.series.filter(({ isLocal }) => offset !== null || !isLocal);
  const remarks = sentencesOf(
    facts.remarks.filter(({ isLocal }) => offset !== null || !isLocal),
    offset ?? 0,
  );
  if (known.length < facts.series.length) remarks.push(CHOOSE_ZONE_OF_SAMPLES);
  return {
    facts,
    file: withUse(file, known.length > 0, remarks),
    events: [],
    series: known.map((series) => placedSeries(series, series.isLocal ? (offset ?? 0) : 0, file.server)),
  };
}

function withUse(file: RecognizedFile, hasSamples: boolean, remarks: readonly string[]): RecognizedFile {
  if (file.state !== "used") return file;
  if (hasSamples) return { ...file, use: [file.use, ...remarks].join(" ") };
  const reason = remarks.length > 0 ? remarks.join(" ") : "The file has no samples that AG Lens uses.";
  return { ...file, state: "notUsed", use: reason };
}

function placedSeries(
  { metric, unit, server, of, form, atUs, values, source }: EvidenceSeries,
  offsetMinutes: number,
  serverOfFile: string | null,
): EvidenceSeries {
  return {
    metric,
    unit,
    server: server ?? serverOfFile,
    of,
    form,
    atUs: offsetMinutes === 0 ? atUs : atUs.map((us) => us - offsetMinutes * MINUTE_US),
    values,
    source,
  };
}

const sentencesOf = (remarks: readonly Remark[], offsetMinutes: number): string[] =>
  remarks.map(({ text, timesUs, isLocal }) =>
    text.replace(/\{(\d)\}/gu, (_, at: string) =>
      utcText((timesUs[Number(at)] ?? Number.NaN) - (isLocal ? offsetMinutes * MINUTE_US : 0)),
    ),
  );

const utcText = (us: number): string => {
  const ms = us / 1000;
  // Beyond this, Date has no text.
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString().slice(0, 19).replace("T", " ") : "?";
};

/** The newest ERRORLOG of each server has its offset of today; names sort `ERRORLOG` before `ERRORLOG.1`. */
function offsetsOf(files: readonly RecognizedFile[]): ServerOffset[] {
  const offsets = new Map<string, number>();
  for (const { kind, server, utcOffsetMinutes } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (kind === "errorlog" && server !== null && utcOffsetMinutes !== null && !offsets.has(server))
      offsets.set(server, utcOffsetMinutes);
  return Array.from(offsets, ([server, utcOffsetMinutes]) => ({ server, utcOffsetMinutes }));
}
