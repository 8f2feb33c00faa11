/** Files -> the events of each server, prepared for the model. */
import { filetimeText } from "xel-parser/format";
import { mergeColumns, ownIdsOf } from "@aglens/ag-model/events";
import type { EventColumns, EventFile } from "@aglens/ag-model/events";
import { buffersOfEvents, prepareParts } from "@aglens/ag-model/replication";
import type { GiveBack, ModelInput, PreparedEvents } from "@aglens/ag-model/replication";
import { withUniqueNames } from "../files/index.ts";
import type { AnalysedFile } from "./analysed-file.ts";
import type { OnFileProgress, ProgressReport } from "./progress.ts";

/** Where the events of files come from. */
export interface EventsOfFiles<File extends AnalysedFile> {
  /** Reads one file's events, which get `uniqueName` for their file's name; called for all files at once. */
  readonly decode: (file: File, uniqueName: string, onProgress: OnFileProgress) => Promise<EventColumns>;
  /** What was prepared of a file's events when it was read before; used up, and given only once. */
  readonly preparedOf?: (file: File) => PreparedEvents | null;
  /** How the memory of events that were read is given back before the analysis is over; without it the collector finds it. */
  readonly giveBack?: GiveBack | undefined;
}

/** A file's events: their columns, or what was prepared of them. */
type FileEvents =
  | { readonly columns: EventColumns; readonly prepared: null }
  | { readonly columns: null; readonly prepared: PreparedEvents };

interface FileRead<File extends AnalysedFile> {
  readonly file: File;
  readonly uniqueName: string;
  readonly events: FileEvents;
}

/** One input per server; its role is a hint for a server whose events show none. */
export async function serverInputs<File extends AnalysedFile>(
  files: readonly File[],
  from: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<ModelInput[]> {
  const read = await Promise.all(
    withUniqueNames(files).map(async ({ file, uniqueName }) => {
      const isAlone = files.every((other) => other === file || other.replica !== file.replica);
      const prepared = isAlone ? (from.preparedOf?.(file) ?? null) : null;
      const events: FileEvents =
        prepared === null
          ? { columns: await readColumns(file, uniqueName, from, progress), prepared }
          : { columns: null, prepared: withNames(prepared, file, uniqueName) };
      const { files: own } = events.columns ?? events.prepared;
      const read = own.reduce((sum, each) => sum + each.events, 0);
      const times = timesOf(events);
      // A decoder does not report every buffer, so its last report may be from before the end.
      progress.file(file.id, file.size, read, times === null ? null : filetimeText(times.last));
      return { file, uniqueName, events };
    }),
  );
  // Files and servers in an order of their own: the tables must not depend on which file came first.
  const servers = [...Map.groupBy(read.toSorted(inOrder), ({ file }) => file.replica)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  progress.phase("roles");
  return Promise.all(
    servers.map(async ([name, members]) => ({
      role: members.some(({ file }) => file.role === "primary")
        ? ("primary" as const)
        : ("secondary" as const),
      giveBack: from.giveBack,
      ...(isRoleWord(name) ? {} : { name }),
      ...(sharesId(members, read) ? await columnsOf(members, from, progress) : preparedOf(members, from)),
    })),
  );
}

async function readColumns<File extends AnalysedFile>(
  file: File,
  uniqueName: string,
  { decode }: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<EventColumns> {
  const columns = await decode(file, uniqueName, (...done) => progress.file(file.id, ...done));
  return withNames(columns, file, uniqueName);
}

/** Events with their file's name among the others, and with the gaps of its upload, unless reading it found those itself. */
const withNames = <Events extends { readonly files: readonly EventFile[] }>(
  events: Events,
  { gaps: ofUpload = [] }: AnalysedFile,
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

/** When the first and the last event were published, FILETIME ticks; null without any. */
function timesOf({
  columns,
  prepared,
}: FileEvents): { readonly first: bigint; readonly last: bigint } | null {
  if ((columns ?? prepared).length === 0) return null;
  return columns === null
    ? { first: prepared.firstTicks, last: prepared.lastTicks }
    : { first: columns.ticks[0] ?? 0n, last: columns.ticks.at(-1) ?? 0n };
}

function inOrder(a: FileRead<AnalysedFile>, b: FileRead<AnalysedFile>): number {
  const atA = timesOf(a.events)?.first ?? 0n;
  const atB = timesOf(b.events)?.first ?? 0n;
  return atA === atB ? (a.file.name < b.file.name ? -1 : 1) : atA < atB ? -1 : 1;
}

/** A word for want of a name, so that the model may find a better one. */
const isRoleWord = (name: string): boolean => /^(?:primary|secondary(?: \d+)?)$/iu.test(name);

const idsOf = ({ events: { columns, prepared } }: FileRead<AnalysedFile>): string[] =>
  ownIdsOf(columns ?? prepared.examples);

/** Whether files that were given as another server's name an id in common with these: the model makes one server of both. */
function sharesId<File extends AnalysedFile>(
  members: readonly FileRead<File>[],
  all: readonly FileRead<File>[],
): boolean {
  const own = new Set(members.flatMap(idsOf));
  return all.some((other) => !members.includes(other) && idsOf(other).some((id) => own.has(id)));
}

/** The events themselves, which take part in another preparation than their own. */
async function columnsOf<File extends AnalysedFile>(
  members: readonly FileRead<File>[],
  from: EventsOfFiles<File>,
  progress: ProgressReport,
): Promise<{ readonly columns: EventColumns }> {
  const parts = await Promise.all(
    members.map(async ({ file, uniqueName, events }) =>
      events.columns === null ? readColumns(file, uniqueName, from, progress) : events.columns,
    ),
  );
  return { columns: mergeColumns(parts) };
}

/** The events prepared, those of several files together. */
function preparedOf<File extends AnalysedFile>(
  members: readonly FileRead<File>[],
  { giveBack }: EventsOfFiles<File>,
): { readonly prepared: PreparedEvents } {
  const only = members[0]?.events;
  if (only?.prepared) return { prepared: only.prepared };
  const parts = members.flatMap(({ events: { columns } }) => columns ?? []);
  const prepared = prepareParts(parts);
  giveBack?.(parts.flatMap((columns) => buffersOfEvents({ columns })));
  return { prepared };
}
