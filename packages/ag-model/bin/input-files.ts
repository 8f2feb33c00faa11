/**
 * Groups the files of a command line into captures of servers, as the app does; a role on the command line is a hint.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { unreadableText, withProgress } from "xel-parser/commands";
import { XelFormatError } from "xel-parser/format";
import {
  EVENT_BYTES,
  ImpossibleIds,
  mergeColumns,
  roleOfKinds,
  type EventColumns,
  type EventFile,
} from "../src/events/index.ts";
import {
  groupFiles,
  type FileIdentity,
  type FileToGroup,
  type GroupedCapture,
  type GroupedServer,
  type Grouping,
} from "../src/grouping/index.ts";
import { joinedRolePeriods } from "../src/grouping/role-periods.ts";
import type { ModelInput, PreparedEvents, Role, Topology } from "../src/replication/index.ts";
import { EventThreads, threadsFor } from "./event-threads.ts";
import {
  giveBack,
  prepareFiles,
  readFileEvents,
  readInTurn,
  type EventWork,
  type FileEvents,
  type FilesRead,
  type FileToRead,
  type ServerEvents,
} from "./event-work.ts";
import { rolloversOf } from "./rollovers.ts";
import { emptyFile, notEventFile } from "./find-files.ts";
import { bytesAt, type NamedFile } from "./unpack.ts";

/** Files that the command line names together, with their role there. */
export interface InputFiles {
  readonly role: Role | null;
  readonly files: readonly NamedFile[];
}

/** A file has another role than the one it was given for, or no role. */
export class RoleError extends Error {
  readonly code = "analyze.role";
}

/** A capture in the form that the model needs. */
export interface InputCapture {
  readonly name: string;
  readonly inputs: readonly ModelInput[];
  /** Warnings about the grouping. */
  readonly warnings: readonly string[];
  /** Reason why it can't be analyzed; null when it can. */
  readonly refusal: string | null;
}

export interface InputCaptures {
  /** Newest first. */
  readonly captures: readonly InputCapture[];
  /** A sentence for each file without data for any capture. */
  readonly skipped: readonly string[];
  /** A sentence for each file whose events another file also contains. */
  readonly repeated: readonly string[];
  /** The skipped files without an event: damage may have destroyed all their events. */
  readonly withoutEvents: readonly EventFile[];
}

type File = FileToGroup & {
  readonly source: FileToRead;
  readonly role: Role | null;
} & ReadFile;

/** A file's events, and the files that it was read with; null for a file that was read alone. */
interface ReadFile {
  readonly read: FileEvents;
  readonly turn: FilesRead | null;
}

/** How files are read. */
export interface ReadingOptions {
  /** Files of other format versions are tried. */
  readonly force: boolean;
  /** Total size of the files from which they are read in threads, bytes. */
  readonly threadsFrom?: number;
  /** Keeps the events themselves, for lists of events. */
  readonly keepsEvents?: boolean;
}

/**
 * Reads and groups the files.
 * @throws RoleError for a file whose events show no role, or another than the one given
 */
export async function readInputFiles(
  given: readonly InputFiles[],
  topologies: readonly Topology[],
  { force, threadsFrom, keepsEvents = false }: ReadingOptions,
): Promise<InputCaptures> {
  const sizes = await sizesOf(given.flatMap((group) => group.files));
  const work = workFor(sizes, threadsFrom);
  try {
    const hashes = await hashesOf(sizes);
    const { files, skipped } = await withProgress(
      sizes.map(({ path }) => path),
      () => readAll(given, hashes, { force, keepsEvents, sizes, work }),
    );
    const { captures, unused } = groupFiles(files, topologies);
    return {
      captures: await Promise.all(captures.map((capture) => captureOf(capture, work))),
      ...unusedOf(unused, skipped),
    };
  } finally {
    // The model does not wait until threads have released their memory.
    void work.end();
  }
}

/** @param skipped a sentence for each file that could not be read */
function unusedOf(
  unused: Grouping<File>["unused"],
  skipped: readonly string[],
): Omit<InputCaptures, "captures"> {
  const [without, repeated] = [true, false].map((isSkipped) =>
    unused.filter(({ warning }) => (warning.code === "grouping.leftOut") === isSkipped),
  );
  return {
    skipped: [...skipped, ...without.map(({ warning }) => warning.sentence)],
    repeated: repeated.map(({ warning }) => warning.sentence),
    withoutEvents: without.map(({ file }) => file.read.file).filter(({ events }) => events === 0),
  };
}

/** One file after the other, in this thread; the model prepares the events itself. */
const here: EventWork = {
  isParallel: false,
  read: readFileEvents,
  readInTurn,
  prepare: (parts) => Promise.resolve({ columns: mergeColumns(parts) }),
  prepareFiles,
  end: () => Promise.resolve(),
};

function workFor(sizes: readonly FileSize[], threadsFrom: number | undefined): EventWork {
  const threads = threadsFor(
    sizes.map(({ size }) => size),
    threadsFrom,
  );
  return threads > 1 ? new EventThreads(threads) : here;
}

interface Reading {
  readonly force: boolean;
  readonly keepsEvents: boolean;
  readonly sizes: readonly FileSize[];
  readonly work: EventWork;
}

/** Reads the files and returns them in their order, so that the first of several failures is reported. */
async function readAll(
  given: readonly InputFiles[],
  hashes: ReadonlyMap<string, string>,
  how: Reading,
): Promise<{ readonly files: File[]; readonly skipped: string[] }> {
  const files: File[] = [];
  const skipped: string[] = [];
  const readings = readingsOf(
    given.flatMap((group) => group.files),
    how,
  );
  for (const { role, files: sources } of given) {
    const own: File[] = [];
    for (const source of sources) {
      const found = await readings.get(source)!();
      if (typeof found === "string") skipped.push(found);
      else own.push(fileOf({ ...source, force: how.force }, found, role, hashes.get(source.path) ?? ""));
    }
    if (role !== null && own.length > 0)
      expectRole(
        role,
        own[0].source.name,
        own.map(({ read }) => read),
      );
    files.push(...own);
  }
  return { files, skipped };
}

/** Readings of the events of each file. Where there are threads, all files are requested at once and wait for one. */
function readingsOf(
  sources: readonly NamedFile[],
  how: Reading,
): ReadonlyMap<NamedFile, () => Promise<ReadFile | string>> {
  const readings = new Map(
    turnsOf(sources, how).flatMap((files) => {
      const turn = once(() => readTurn(files, how));
      return files.map((source, i) => [source, once(() => readFile(source, i, turn, how))] as const);
    }),
  );
  if (how.work.isParallel) for (const read of readings.values()) read().catch(() => {});
  return readings;
}

/** Groups of files that are read one after the other with the first one; each file alone where its events are kept. */
const turnsOf = (sources: readonly NamedFile[], { keepsEvents }: Reading): NamedFile[][] =>
  keepsEvents ? sources.map((source) => [source]) : rolloversOf(sources);

/** Caches the first result of a function. */
function once<T>(ask: () => T): () => T {
  let answer: { readonly of: T } | undefined;
  return () => (answer ??= { of: ask() }).of;
}

/** Null where each file has to be checked alone for its server, or for damage. */
async function readTurn(
  files: readonly NamedFile[],
  { force, keepsEvents, sizes, work }: Reading,
): Promise<FilesRead | null> {
  // Standard input can be read only once.
  if (keepsEvents || files.some(({ path }) => path === "-")) return null;
  const paths = new Set(files.map(({ path }) => path));
  const bytes = sizes.reduce((sum, { path, size }) => sum + (paths.has(path) ? size : 0), 0);
  const turn = work.readInTurn(
    files.map(({ path, name }) => ({ path, name, force })),
    bytes / EVENT_BYTES,
  );
  return turn.catch(() => null);
}

/**
 * Events of a file; for an unreadable file, a sentence with the reason.
 * @param turn the files it is read with, in which it is number `i`
 */
async function readFile(
  { path, name }: NamedFile,
  i: number,
  turn: () => Promise<FilesRead | null>,
  { force, keepsEvents, work }: Reading,
): Promise<ReadFile | string> {
  const together = await turn();
  if (together !== null) return { read: together.files[i], turn: together };
  try {
    return { read: await work.read({ path, name, force }, keepsEvents || path === "-"), turn: null };
  } catch (error) {
    const text = refusedText(name, error);
    if (text === undefined) throw error;
    return text;
  }
}

/** Reason why a file isn't used; undefined for a fault of AG Lens. */
function refusedText(name: string, error: unknown): string | undefined {
  if (error instanceof ImpossibleIds) return error.message;
  if (!(error instanceof XelFormatError)) return unreadableText(name, error);
  const { code, message } = error;
  if (code === "not-xel") return notEventFile(name);
  return code === "empty-file" ? emptyFile(name) : `Can't read ${name}. ${message}`;
}

function fileOf(source: FileToRead, found: ReadFile, role: Role | null, hash: string): File {
  const { name } = source;
  const { identity, file } = found.read;
  const folder = dirname(name);
  return {
    ...found,
    source,
    role,
    name: basename(name),
    folder: folder === "." ? "" : folder.replace(/^\/+/u, ""),
    size: file.size,
    hash,
    identity,
    events: file.events,
  };
}

interface FileSize {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Without standard input, pipes and missing files. */
async function sizesOf(files: readonly NamedFile[]): Promise<FileSize[]> {
  const sizes: FileSize[] = [];
  for (const { path } of files) {
    const found = path === "-" ? null : await stat(path).catch(() => null);
    if (found?.isFile() === true) sizes.push({ path, size: found.size });
  }
  return sizes;
}

/** SHA-256 of the files that may be equal to another: with the same size, beginning and end. */
async function hashesOf(sizes: readonly FileSize[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  const ofOneSize = withOthers(sizes, ({ size }) => String(size));
  const edges = new Map(
    await Promise.all(ofOneSize.map(async (file) => [file, await edgesOf(file)] as const)),
  );
  const alike = withOthers(ofOneSize, (file) => edges.get(file)!);
  for (const path of new Set(alike.map((file) => file.path))) {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
    hashes.set(path, hash.digest("hex"));
  }
  return hashes;
}

/** Selects the files that share their key with another file. */
const withOthers = (files: readonly FileSize[], said: (file: FileSize) => string): FileSize[] =>
  [...Map.groupBy(files, said).values()].filter((same) => same.length > 1).flat();

/**
 * Bytes of a file's beginning and end that distinguish it from others: a full rollover file has the size of all the
 * others, but begins at another time.
 */
const EDGE_BYTES = 64 * 1024;

async function edgesOf({ path, size }: FileSize): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await bytesAt(path, 0, EDGE_BYTES));
  hash.update(await bytesAt(path, -EDGE_BYTES, EDGE_BYTES));
  return `${size} ${hash.digest("hex")}`;
}

/** A role may change within a capture, but if the server never had this role, the command line is wrong. */
function expectRole(role: Role, path: string, files: readonly FileEvents[]): void {
  const had = rolesIn(files.map(({ identity }) => identity));
  if (had.has(role)) return;
  const found = roleOfKinds(sumOf(files.map(({ kinds }) => kinds)));
  if (found.role === "unknown" && had.size === 0) throw new RoleError(`${path}: ${found.evidence}`);
  throw new RoleError(
    `${path} was given as ${role}, but its events are those of a ${found.role} (${found.evidence}).`,
  );
}

/** The roles that a server had by the events of several files. */
function rolesIn(files: readonly FileIdentity[]): Set<Role> {
  const byDatabase = Map.groupBy(
    files.flatMap(({ databases }) => databases),
    ({ id }) => id,
  );
  const ranges = [...byDatabase.values()].flatMap((parts) =>
    joinedRolePeriods(parts.map((part) => part.stretches)),
  );
  return new Set(ranges.map((range) => range.role));
}

function sumOf(counts: readonly Uint32Array[]): Uint32Array {
  const sum = new Uint32Array(Math.max(0, ...counts.map(({ length }) => length)));
  for (const own of counts) for (let kind = 0; kind < own.length; kind++) sum[kind] += own[kind];
  return sum;
}

async function captureOf(
  { name, servers, warnings }: GroupedCapture<File>,
  work: EventWork,
): Promise<InputCapture> {
  const refusal = warnings.find(({ refuses }) => refuses)?.sentence ?? null;
  return {
    name,
    inputs: refusal === null ? await inputsOf(servers, work) : [],
    warnings: warnings.map(({ sentence }) => sentence),
    refusal,
  };
}

/**
 * One input per server; its role is a hint for a server whose events show none: the one on the command line, else the
 * role of most events.
 */
function inputsOf(servers: readonly GroupedServer<File>[], work: EventWork): Promise<ModelInput[]> {
  const given = servers.find(({ files }) => files.some(({ role }) => role === "primary"));
  const primary = given ?? servers.find(({ roleHint }) => roleHint === "primary");
  return Promise.all(
    servers.map(async (server) => ({
      role: server === primary ? "primary" : "secondary",
      ...(await eventsOfServer(server, servers, work)),
      ...(server.ids.length > 0 ? { id: server.ids[0] } : {}),
      ...(hasName(server) ? { name: server.name } : {}),
    })),
  );
}

/** A server's events: the events themselves if they were kept, else the prepared ones. */
async function eventsOfServer(
  server: GroupedServer<File>,
  all: readonly GroupedServer<File>[],
  work: EventWork,
): Promise<Pick<ModelInput, "giveBack"> & ServerEvents> {
  const files = server.files.toSorted((a, b) => (a.identity.fromTicks < b.identity.fromTicks ? -1 : 1));
  // The model joins two servers whose events name the same id, and needs the events of both.
  const isShared = all.some((other) => other !== server && other.ids.some((id) => server.ids.includes(id)));
  if (isShared || files.some(({ read }) => read.columns !== null)) {
    const parts = files.map(async ({ source, read }) => read.columns ?? (await columnsOf(source, work)));
    return work.prepare(await Promise.all(parts));
  }
  return { prepared: preparedOf(files) ?? (await preparedAgain(files, work)), giveBack };
}

/** Returns the events that were prepared when the files were read, where exactly these files were read together. */
function preparedOf(files: readonly File[]): PreparedEvents | null {
  const [{ turn }] = files;
  if (turn === null || turn.files.length !== files.length) return null;
  return files.every(({ read }, i) => read === turn.files[i]) ? turn.prepared : null;
}

function preparedAgain(files: readonly File[], work: EventWork): Promise<PreparedEvents> {
  const events = files.reduce((sum, file) => sum + file.identity.events, 0);
  return work.prepareFiles(
    files.map(({ source }) => source),
    events,
  );
}

async function columnsOf(source: FileToRead, work: EventWork): Promise<EventColumns> {
  const { columns } = await work.read(source, true);
  return columns!;
}

/** A folder named after a role, or with the start of an id, is no name. */
const hasName = ({ name, nameFrom }: GroupedServer<File>): boolean =>
  (nameFrom === "topology" || nameFrom === "folder") && !/^(?:primary|secondary(?: \d+)?)$/iu.test(name);
