import { looksLikeXel, readXel, XelFormatError, type FileReport, type XelEvent } from "xel-parser/format";
import { readTextEvents, textKindOf } from "xel-parser/text-events";
import { readErrorlog, type ErrorlogReading } from "../errorlog/read-errorlog.ts";
import { readHealth, type HealthReading } from "../health/read-health.ts";
import type {
  Evidence,
  EvidenceEvent,
  FailoverCause,
  FileKind,
  NotUnderstood,
  RecognizedFile,
  ReplicaName,
} from "../shapes.ts";
import { failoversOf } from "./failovers.ts";
import { mergeEvents } from "./merge-events.ts";

/** A recognized file and its bytes, from the beginning each time. */
export interface FolderFile {
  readonly recognized: RecognizedFile;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** How the files of a folder are read. */
export interface ReadEventsOptions {
  /** Keeps statements of DDL, and texts of messages that may name logins. */
  readonly keepSensitive?: boolean;
  /** Offsets that a person chose for files that don't state theirs, by the file's name; in minutes ahead of UTC. */
  readonly chosenOffsets?: ReadonlyMap<string, number>;
}

/** Everything that happened, by the files that report it. */
export interface HappenedEvents extends Pick<
  Evidence,
  "events" | "names" | "series" | "notUnderstood" | "cause"
> {
  /** The files as far as reading shows more than recognition: a missing time zone, damage. */
  readonly files: readonly RecognizedFile[];
  /** All failovers by time. `cause` is the last one, which the files were collected for. */
  readonly failovers: readonly FailoverCause[];
}

const HEALTH_KINDS: ReadonlySet<FileKind> = new Set(["alwaysOnHealth", "clusterDiagnostics", "systemHealth"]);

interface Read {
  readonly file: RecognizedFile;
  readonly events: readonly EvidenceEvent[];
  readonly names: readonly ReplicaName[];
  readonly series: Evidence["series"];
  readonly notUnderstood: NotUnderstood;
}

/**
 * Reads what happened from ERRORLOG files and from the sessions of SQL Server and the cluster; other files stay as they
 * are. A file that can't be read is damaged, and the others are read all the same.
 */
export async function readHappenedEvents(
  files: readonly FolderFile[],
  options: ReadEventsOptions = {},
): Promise<HappenedEvents> {
  const read: Read[] = [];
  for (const file of files) read.push(await readFile(file, files, options));
  const events = mergeEvents(read.map((one) => one.events));
  const failovers = failoversOf(events);
  return {
    files: read.map(({ file }) => file),
    events,
    names: read.flatMap(({ names }) => names),
    series: read.flatMap(({ series }) => series),
    notUnderstood: read.flatMap(({ notUnderstood }) => (notUnderstood.count > 0 ? [notUnderstood] : [])),
    failovers,
    cause: failovers.at(-1) ?? null,
  };
}

async function readFile(
  file: FolderFile,
  all: readonly FolderFile[],
  options: ReadEventsOptions,
): Promise<Read> {
  const { recognized } = file;
  const nothing = {
    events: [],
    names: [],
    series: [],
    notUnderstood: { file: recognized.name, count: 0, first: [] },
  };
  if (recognized.state !== "used") return { file: recognized, ...nothing };
  try {
    if (recognized.kind === "errorlog") return await readLog(file, all, options);
    if (HEALTH_KINDS.has(recognized.kind)) return await readSession(file, options);
    return { file: recognized, ...nothing };
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return { file: { ...recognized, state: "damaged", use: error.message }, ...nothing };
  }
}

const CHOOSE_ZONE =
  "Choose time zone: the head with the UTC adjustment is missing. AG Lens doesn't use the file until then.";

async function readLog(
  { recognized, open }: FolderFile,
  all: readonly FolderFile[],
  { chosenOffsets, keepSensitive = false }: ReadEventsOptions,
): Promise<Read> {
  const { name, server } = recognized;
  const reading: ErrorlogReading = await readErrorlog(
    {
      name,
      server,
      chosenOffsetMinutes: chosenOffsets?.get(name) ?? null,
      nextOffsetMinutes: nextOffset(recognized, all),
      keepSensitive,
    },
    open(),
  );
  const { events, notUnderstood, utcOffsetMinutes } = reading;
  const file: RecognizedFile =
    utcOffsetMinutes === null
      ? { ...recognized, state: "notUsed", use: CHOOSE_ZONE }
      : { ...recognized, utcOffsetMinutes };
  return { file, events, names: [], series: [], notUnderstood };
}

/** Offset of the file that the server wrote after this one: ERRORLOG.1 comes before ERRORLOG. */
function nextOffset({ name, server }: RecognizedFile, all: readonly FolderFile[]): number | null {
  const number = rotationOf(name);
  const next = all.find(
    ({ recognized }) =>
      recognized.kind === "errorlog" &&
      recognized.server === server &&
      rotationOf(recognized.name) === number - 1,
  );
  return next?.recognized.utcOffsetMinutes ?? null;
}

const rotationOf = (name: string): number => Number(/ERRORLOG\.(\d+)/iu.exec(name)?.[1] ?? 0);

async function readSession(
  { recognized, open }: FolderFile,
  { keepSensitive = false }: ReadEventsOptions,
): Promise<Read> {
  const { name, server } = recognized;
  const lost: { report?: FileReport } = {};
  const reading: HealthReading = await readHealth({ name, server, keepSensitive }, eventsOf(open(), lost));
  const gaps = lost.report?.gaps ?? [];
  const { count, first } = reading.notUnderstood;
  return {
    file: server === null ? { ...recognized, ...serverOf(reading) } : recognized,
    events: reading.events,
    names: reading.names,
    series: reading.series,
    notUnderstood: {
      file: name,
      count: count + gaps.length + (lost.report?.unlistedGaps ?? 0),
      first: [...gaps.slice(0, 2).map(({ message }) => message), ...first],
    },
  };
}

function serverOf({ names }: HealthReading): Partial<RecognizedFile> {
  const servers = new Set(names.map(({ server }) => server));
  return servers.size === 1 ? { server: [...servers][0]!, serverFrom: "content" } : {};
}

/** The events of a .xel file, event XML or CSV; the report of what was lost goes into `lost`. */
async function* eventsOf(
  chunks: AsyncIterable<Uint8Array>,
  lost: { report?: FileReport },
): AsyncGenerator<XelEvent> {
  const all = chunks[Symbol.asyncIterator]();
  const first = await all.next();
  const head = first.done === true ? new Uint8Array() : first.value;
  async function* again(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await all.next(); next.done !== true; next = await all.next()) yield next.value;
  }
  const kind = looksLikeXel(head) ? undefined : textKindOf(head);
  lost.report = yield* kind === undefined ? readXel(again()) : readTextEvents(kind, again());
}
