/**
 * Names of servers, databases and availability groups from captures and live checks, for the same ids in other
 * captures. Each owner has separate names, so that names of a private capture are shown only to people who can see it;
 * all people can see names of shared captures.
 */
import type { Logger } from "pino";
import type { CaptureFile, Owner } from "@aglens/contract";
import {
  captureNameOf,
  forgetName,
  groupedFiles,
  isNamesFile,
  knownNames,
  type KnownNames as Names,
  learnedFrom,
  type LearnedName,
  learnName,
  type NamedFile,
  namesIn,
  type NamesMemory,
  textOf,
  withKnownNames,
} from "@aglens/engine/files";
import { z } from "zod";
import { semaphore } from "../../kernel/semaphore.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { Facts } from "../../store/facts-of-server.ts";

/** Owners of names: the capture's owner, and all people where it is shared. */
interface Ownership {
  readonly owner?: Owner | undefined;
  readonly shared?: boolean | undefined;
}

/** By kind and id. */
const Memory = z.record(z.string(), z.object({ found: z.string().optional(), given: z.string().optional() }));

/** A topology has up to 2,200 names. */
const MOST_NAMES = 5_000;
const SHARED = "names in shared captures";
const factOf = (owner: Owner | undefined): string =>
  owner === undefined ? "names in captures without an owner" : `names in captures of ${owner.id}`;

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
    return knownNames(own, shared);
  }

  /** Remembers names that files have. Never rejects: a capture does without. @param all files of the capture */
  learn(ownership: Ownership, files: readonly NamedFile[], all = files): Promise<void> {
    return this.#change(ownership, learnedFrom(files, all), learnName);
  }

  /**
   * Forgets names that a user entered and removed with their file. Never rejects. @param left files that the capture
   * still has
   */
  forget(ownership: Ownership, files: readonly NamedFile[], left: readonly NamedFile[]): Promise<void> {
    const still = new Set(left.filter(isNamesFile).flatMap(namesIn).map(textOf));
    const gone = files.filter(isNamesFile).flatMap(namesIn);
    const forgotten = gone.filter((name) => !still.has(textOf(name)));
    return this.#change(ownership, forgotten, forgetName);
  }

  async #change(
    { owner, shared }: Ownership,
    names: readonly LearnedName[],
    change: (memory: NamesMemory, name: LearnedName) => void,
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

  async #read(fact: string): Promise<NamesMemory> {
    const text = await this.#facts.fact(fact);
    return new Map(text === null ? [] : Object.entries(Memory.parse(JSON.parse(text))));
  }
}

/**
 * The record with other files, each assigned to its server. A capture without a name from a user gets its name from the
 * files.
 */
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
