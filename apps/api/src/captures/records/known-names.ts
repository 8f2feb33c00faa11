/**
 * Names of servers, databases and availability groups that captures and live checks had, for the same ids in other captures.
 * Each owner has names of their own, so that a private capture's names reach nobody who can't see it; names of shared captures are
 * everybody's.
 */
import type { Logger } from "pino";
import { type CaptureFile, NAMES_FILE, type Owner } from "@aglens/contract";
import { captureNameOf, groupedFiles, type KnownNames as Names, withKnownNames } from "@aglens/engine/files";
import { z } from "zod";
import { semaphore } from "../../kernel/semaphore.ts";
import type { CaptureRecord } from "../../store/catalogue.ts";
import type { Facts } from "../../store/facts-of-server.ts";

/** Whose names they are: a capture's owner, and everybody where it is shared. */
interface Ownership {
  readonly owner?: Owner | undefined;
  readonly shared?: boolean | undefined;
}

export type NamedFile = Pick<CaptureFile, "name" | "kind" | "replicaNames" | "databaseNames" | "groupNames">;

/** A name of an id. One that a user gave outweighs one from a topology. */
const Remembered = z.object({ found: z.string().optional(), given: z.string().optional() });
type Remembered = z.infer<typeof Remembered>;
/** By kind and id, the one that was learned last at the end. */
const Memory = z.record(z.string(), Remembered);
type Memory = Map<string, Remembered>;

/** A name to be learned. */
interface Learned {
  readonly key: string;
  readonly name: string;
  readonly isGiven: boolean;
}

/** A topology has up to 2,200 names. */
const MOST_NAMES = 5_000;
/** Characters of a name in SQL Server (sysname). */
const LONGEST_NAME = 128;

const SHARED = "names in shared captures";
const factOf = (owner: Owner | undefined): string =>
  owner === undefined ? "names in captures of nobody" : `names in captures of ${owner.id}`;

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

export class KnownNames {
  readonly #facts: Facts;
  readonly #log: Logger;
  readonly #inTurn = semaphore(1);

  constructor(facts: Facts, log: Logger) {
    this.#facts = facts;
    this.#log = log;
  }

  /** Names for a capture: those of its owner, and those of shared captures. */
  async of({ owner }: Ownership): Promise<Names> {
    const [own, shared] = await Promise.all([this.#read(factOf(owner)), this.#read(SHARED)]);
    const names = new Map(
      [...shared.keys(), ...own.keys()].flatMap((key) => {
        const [a, b] = [own.get(key), shared.get(key)];
        const name = a?.given ?? b?.given ?? a?.found ?? b?.found;
        return name === undefined ? [] : [[key, name] as const];
      }),
    );
    return {
      replicas: ofKind(names, "replica"),
      databases: ofKind(names, "database"),
      groups: ofKind(names, "group"),
    };
  }

  /** Remembers names that files have. Never rejects: a capture does without. @param all files of the capture */
  learn(ownership: Ownership, files: readonly NamedFile[], all = files): Promise<void> {
    return this.#change(ownership, learnedFrom(files, all), (memory, { key, name, isGiven }) => {
      const before = memory.get(key);
      // The one that was learned last is forgotten last.
      memory.delete(key);
      memory.set(key, { ...before, ...(isGiven ? { given: name } : { found: name }) });
    });
  }

  /** Forgets names that a user gave and takes back with their file. Never rejects. @param left files that the capture still has */
  forget(ownership: Ownership, files: readonly NamedFile[], left: readonly NamedFile[]): Promise<void> {
    const still = new Set(left.filter(isNamesFile).flatMap(namesIn).map(textOf));
    const gone = files.filter(isNamesFile).flatMap(namesIn);
    const forgotten = gone.filter((name) => !still.has(textOf(name)));
    return this.#change(ownership, forgotten, (memory, { key, name }) => {
      const { given, ...rest } = memory.get(key) ?? {};
      if (given !== name) return;
      if (rest.found === undefined) memory.delete(key);
      else memory.set(key, rest);
    });
  }

  async #change(
    { owner, shared }: Ownership,
    names: readonly Learned[],
    change: (memory: Memory, name: Learned) => void,
  ): Promise<void> {
    if (names.length === 0) return;
    try {
      for (const fact of shared === true ? [factOf(owner), SHARED] : [factOf(owner)])
        await this.#inTurn(async () => {
          const memory = await this.#read(fact);
          const before = JSON.stringify([...memory]);
          for (const name of names) change(memory, name);
          if (JSON.stringify([...memory]) === before) return;
          await this.#facts.saveFact(
            fact,
            JSON.stringify(Object.fromEntries([...memory].slice(-MOST_NAMES))),
          );
        });
    } catch (error) {
      this.#log.warn({ err: error }, "names of servers and databases could not be remembered");
    }
  }

  async #read(fact: string): Promise<Memory> {
    const text = await this.#facts.fact(fact);
    return new Map(text === null ? [] : Object.entries(Memory.parse(JSON.parse(text))));
  }
}

function ofKind(names: ReadonlyMap<string, string>, kind: string): Map<string, string> {
  const start = `${kind} `;
  return new Map(
    [...names].flatMap(([key, name]) => (key.startsWith(start) ? [[key.slice(start.length), name]] : [])),
  );
}

const isNamesFile = ({ name, kind }: NamedFile): boolean => kind === "topology" && name === NAMES_FILE;

const textOf = ({ key, name }: Learned): string => `${key} ${name}`;

/** A file of names that a user gave repeats those of the capture's topologies, which nobody gave. */
function learnedFrom(files: readonly NamedFile[], all: readonly NamedFile[]): Learned[] {
  const topologies = all.filter((file) => file.kind === "topology" && !isNamesFile(file));
  const found = new Set(topologies.flatMap(namesIn).map(textOf));
  return files.flatMap(namesIn).filter((name) => !name.isGiven || !found.has(textOf(name)));
}

/** Names in a file, but for those that AG Lens makes where it knows none. A group is known by its replicas where it is the file's only one. */
function namesIn(file: NamedFile): Learned[] {
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

/** Whether AG Lens makes such names: by the role, or by the start of the id. */
const isMade = (name: string): boolean =>
  /^(?:Primary|Secondary|Database)(?: \d+)?$|^(?:database )?[\da-f]{8}(?: \(\d+\))?$/u.test(name);

/** The record with other files, each as the server that it is of, and with the name that they make where nobody gave it one. */
export function withFiles(record: CaptureRecord, changed: readonly CaptureFile[]): CaptureRecord {
  const { files, groups } = groupedFiles(changed);
  const { name, isUnnamed = false } = record;
  return { ...record, files, name: captureNameOf({ name, isUnnamed }, groups) };
}

/** The record with the names that are known by now; as it is where they do not change. */
export function withNames(record: CaptureRecord, known: Names): CaptureRecord {
  const named = withKnownNames(record.files, known);
  return named === record.files ? record : withFiles(record, named);
}
