/** Names by id that files provide to other captures, and their precedence. The caller decides where they are kept. */
import { type CaptureFile, NAMES_FILE } from "@aglens/contract";
import type { KnownNames } from "./known-names.ts";

export type NamedFile = Pick<CaptureFile, "name" | "kind" | "replicaNames" | "databaseNames" | "groupNames">;

/** A name of an id. One that a user gave outweighs one from a topology. */
export interface RememberedName {
  readonly found?: string | undefined;
  readonly given?: string | undefined;
}

/** By kind and id, the one that was learned last at the end. */
export type NamesMemory = Map<string, RememberedName>;

/** A name to be learned. */
export interface LearnedName {
  readonly key: string;
  readonly name: string;
  readonly isGiven: boolean;
}

/** Characters of a name in SQL Server (sysname). */
const LONGEST_NAME = 128;

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** Learns a name; the last learned name is forgotten last. */
export function learnName(memory: NamesMemory, { key, name, isGiven }: LearnedName): void {
  const before = memory.get(key);
  memory.delete(key);
  memory.set(key, { ...before, ...(isGiven ? { given: name } : { found: name }) });
}

/** Removes a name that a user set. */
export function forgetName(memory: NamesMemory, { key, name }: LearnedName): void {
  const { given, ...rest } = memory.get(key) ?? {};
  if (given !== name) return;
  if (rest.found === undefined) memory.delete(key);
  else memory.set(key, rest);
}

/** The names of several memories; the first one outweighs the others. */
export function knownNames(...memories: readonly NamesMemory[]): KnownNames {
  const keys = new Set(memories.toReversed().flatMap((memory) => [...memory.keys()]));
  const names = new Map(
    [...keys].flatMap((key) => {
      const all = memories.flatMap((memory) => memory.get(key) ?? []);
      const known =
        all.find(({ given }) => given !== undefined)?.given ?? all.find(({ found }) => found)?.found;
      return known === undefined ? [] : [[key, known] as const];
    }),
  );
  return {
    replicas: ofKind(names, "replica"),
    databases: ofKind(names, "database"),
    groups: ofKind(names, "group"),
  };
}

function ofKind(names: ReadonlyMap<string, string>, kind: string): Map<string, string> {
  const start = `${kind} `;
  return new Map(
    [...names].flatMap(([key, name]) => (key.startsWith(start) ? [[key.slice(start.length), name]] : [])),
  );
}

export const isNamesFile = ({ name, kind }: Pick<NamedFile, "name" | "kind">): boolean =>
  kind === "topology" && name === NAMES_FILE;

/** Whether the names of a file are its own: of a topology, or of events in AlwaysOn_health. Those of event files are from other captures. */
export const hasOwnNames = ({ kind }: Pick<NamedFile, "kind">): boolean =>
  kind === "topology" || kind === "evidence";

/**
 * Files that name servers, without excluded ones. A file outweighs those before it: topologies, then AlwaysOn_health,
 * which the servers wrote themselves, then names from a user.
 */
export function namingFiles<File extends Pick<CaptureFile, "name" | "kind" | "given">>(
  files: readonly File[],
): File[] {
  const weightOf = (file: File): number => (isNamesFile(file) ? 2 : file.kind === "evidence" ? 1 : 0);
  return files
    .filter((file) => hasOwnNames(file) && file.given.role !== "ignored")
    .toSorted((a, b) => weightOf(a) - weightOf(b));
}

export const textOf = ({ key, name }: LearnedName): string => `${key} ${name}`;

/** A file of names that a user entered repeats the names of the capture's topologies, which no user entered. */
export function learnedFrom(files: readonly NamedFile[], all = files): LearnedName[] {
  const topologies = all.filter((file) => hasOwnNames(file) && !isNamesFile(file));
  const found = new Set(topologies.flatMap(namesIn).map(textOf));
  return files.flatMap(namesIn).filter((name) => !name.isGiven || !found.has(textOf(name)));
}

/**
 * Names in a file, except for those that AG Lens creates where no name is known. A group is identified by its replicas
 * where it is the file's only one.
 */
export function namesIn(file: NamedFile): LearnedName[] {
  const { replicaNames, databaseNames, groupNames } = file;
  const replicas = Object.entries(replicaNames);
  const [group = "", ...others] = groupNames;
  const named = [
    ...replicas.map(([id, name]) => ({ kind: "replica", id, name })),
    ...Object.entries(databaseNames).map(([id, name]) => ({ kind: "database", id, name })),
    ...(others.length === 0 ? replicas.map(([id]) => ({ kind: "group", id, name: group })) : []),
  ];
  return named
    .filter(({ id, name }) => GUID.test(id) && name !== "" && name.length <= LONGEST_NAME && !isMade(name))
    .map(({ kind, id, name }) => ({ key: `${kind} ${id}`, name, isGiven: isNamesFile(file) }));
}

/** Whether AG Lens creates such names: by the role, or by the start of the id. */
const isMade = (name: string): boolean =>
  /^(?:Primary|Secondary|Database)(?: \d+)?$|^(?:database )?[\da-f]{8}(?: \(\d+\))?$/u.test(name);
