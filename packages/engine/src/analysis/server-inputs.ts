/** Files -> the events of each server, prepared for the model. */
import { filetimeText } from "xel-parser/format";
import { mergeColumns, ownIdsOf } from "@aglens/ag-model/events";
import type { EventColumns, EventFile } from "@aglens/ag-model/events";
import { buffersOfEvents, prepareInTurn } from "@aglens/ag-model/replication";
import type { GiveBack, ModelInput, PreparedEvents } from "@aglens/ag-model/replication";
import { eventsIn, withUniqueNames } from "../files/index.ts";
import type { AnalyzedFile } from "./analyzed-file.ts";
import type { OnFileProgress, ProgressReport } from "./progress.ts";

/** Source of the events of files. */
export interface EventsOfFiles<File extends AnalyzedFile> {
  /**
   * Reads one file's events, in one or several pieces (`readEventPieces`); `uniqueName` is the file's name among the
   * others, independent of the name in its events. Called for the files of one server in turn, perhaps more than once.
   * The caller uses up the events: each call returns new ones.
   */
  readonly decode: (
    file: File,
    uniqueName: string,
    onProgress: OnFileProgress,
  ) => AsyncIterable<EventColumns>;
  /** Prepared events of a file that was read before; used up, and returned only once. */
  readonly preparedOf?: (file: File) => PreparedEvents | null;
  /** Frees the memory of events that were read before the analysis ends; without it the garbage collector does so. */
  readonly giveBack?: GiveBack | undefined;
}

/** A file of a server, and its name among the files of the capture. */
interface NamedFile<File extends AnalyzedFile> {
  readonly file: File;
  readonly uniqueName: string;
}

/**
 * Whether an analysis uses the prepared events of a file alone: several files of a server have to be prepared together.
 */
export const isServersOnly = <File extends Pick<AnalyzedFile, "replica">>(
  file: File,
  files: readonly File[],
): boolean => files.every((other) => other === file || other.replica !== file.replica);

/** One input per server; its role is a hint for a server whose events show no role. */
export async function serverInputs<File extends AnalyzedFile>(
  files: readonly File[],
  from: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<ModelInput[]> {
  // Files and servers in a fixed order: the tables must not depend on the order of the files.
  const servers = [...Map.groupBy(withUniqueNames(files).toSorted(inOrder), ({ file }) => file.replica)].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  const read = await Promise.all(
    servers.map(async ([name, members]) => ({
      name,
      members,
      prepared: await preparedOf(members, from, progress),
    })),
  );
  progress.phase("roles");
  return Promise.all(
    read.map(async ({ name, members, prepared }) => ({
      role: members.some(({ file }) => file.role === "primary")
        ? ("primary" as const)
        : ("secondary" as const),
      giveBack: from.giveBack,
      ...(isRoleWord(name) ? {} : { name }),
      ...(sharesId(prepared, read) ? { columns: await columnsOf(members, from, progress) } : { prepared }),
    })),
  );
}

/** By the first event, as it was recognized; files without events are first. */
function inOrder({ file: a }: NamedFile<AnalyzedFile>, { file: b }: NamedFile<AnalyzedFile>): number {
  const [atA, atB] = [a.from ?? "", b.from ?? ""];
  if (atA !== atB) return atA < atB ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

/** The events of a server, prepared: when its only file was read before, or file by file now. */
async function preparedOf<File extends AnalyzedFile>(
  members: readonly NamedFile<File>[],
  from: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<PreparedEvents> {
  const [only, ...others] = members;
  const known = only === undefined || others.length > 0 ? null : (from.preparedOf?.(only.file) ?? null);
  if (only !== undefined && known !== null) {
    const { file, uniqueName } = only;
    const events = withNames(known, file, uniqueName);
    reportRead(file, events, known.length === 0 ? null : known.lastTicks, progress);
    return events;
  }
  return prepareInTurn({
    files: members.map((member) => () => readPieces(member, from, progress)),
    events: eventsIn(members.reduce((sum, { file: { size } }) => sum + size, 0)),
    release: (columns) => from.giveBack?.(buffersOfEvents({ columns })),
  });
}

async function* readPieces<File extends AnalyzedFile>(
  { file, uniqueName }: NamedFile<File>,
  { decode }: EventsOfFiles<File>,
  progress: ProgressReport,
): AsyncGenerator<EventColumns> {
  const pieces = decode(file, uniqueName, (...done) => progress.file(file.id, ...done));
  for await (const columns of pieces) {
    // A decoder does not report every buffer, so its last report may be from before the end.
    if (columns.files.length > 0) reportRead(file, columns, columns.ticks.at(-1) ?? null, progress);
    yield withNames(columns, file, uniqueName);
  }
}

function reportRead(
  { id, size }: AnalyzedFile,
  { files }: { readonly files: readonly EventFile[] },
  last: bigint | null,
  progress: ProgressReport,
): void {
  const events = files.reduce((sum, file) => sum + file.events, 0);
  progress.file(id, size, events, last === null ? null : filetimeText(last));
}

/** Events with their file's name among the others, and with the gaps of its upload, unless reading it found those itself. */
const withNames = <Events extends { readonly files: readonly EventFile[] }>(
  events: Events,
  { gaps: ofUpload = [] }: AnalyzedFile,
  name: string,
): Events => ({
  ...events,
  files: events.files.map((file) => ({
    ...file,
    name,
    gaps:
      file.gaps.length > 0 ? file.gaps : ofUpload.map(({ before: _before, after: _after, ...gap }) => gap),
  })),
});

/** A role as a placeholder for a missing name, so that the model may find a better one. */
const isRoleWord = (name: string): boolean => /^(?:primary|secondary(?: \d+)?)$/iu.test(name);

/** Whether files of another server have an id in common with these: the model then joins both servers. */
function sharesId(one: PreparedEvents, all: readonly { readonly prepared: PreparedEvents }[]): boolean {
  const own = new Set(ownIdsOf(one.examples));
  return all.some(
    ({ prepared }) => prepared !== one && ownIdsOf(prepared.examples).some((id) => own.has(id)),
  );
}

/** The events themselves, for a preparation together with other files. */
async function columnsOf<File extends AnalyzedFile>(
  members: readonly NamedFile<File>[],
  from: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<EventColumns> {
  const parts: EventColumns[] = [];
  for (const member of members)
    for await (const columns of readPieces(member, from, progress)) parts.push(columns);
  return mergeColumns(parts);
}
