/**
 * Speed: decision 109: 0.1 s at 4 M log blocks. The simple way without it is to open the tables, 1 GB, for a first
 * picture.
 *
 * The first answers of analyzed captures: those that their analysis computed, and those to the first questions of
 * users.
 */
import { dirname } from "node:path";
import { keptAddresses } from "@aglens/contract";
import type { Summary } from "@aglens/contract";
import type { Logger } from "pino";
import { questionAt, questionKey } from "@aglens/engine/answers";
import type { Answer, FirstAnswer, Question } from "@aglens/engine/answers";
import type { Captures } from "../captures.ts";
import { readFirstAnswers, writeFirstAnswers } from "../derived/first-answers-file.ts";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { originsOf, validityOf } from "../derived/validity.ts";

/** Captures whose first answers stay in memory, of some megabyte each. */
const CAPTURES_KEPT = 20;

const ASKED_FIRST: ReadonlySet<Question["ask"]> = new Set([
  "overview",
  "commits",
  "window",
  "statistics",
  "slowest",
  "slowCommits",
  "replicaRows",
  "whatIf",
  "waiting",
]);

/** False for a question whose answers are never stored. */
export const mayBeFirst = ({ ask }: Question): boolean => ASKED_FIRST.has(ask);

/** By `questionKey`. */
type Known = ReadonlyMap<string, FirstAnswer>;

/** Answers that are to be written. */
interface Unwritten {
  readonly validity: string;
  readonly known: Promise<Known>;
}

export class FirstAnswers {
  readonly #captures: Captures;
  readonly #summaryOf: (id: string) => Promise<Summary>;
  readonly #log: Pick<Logger, "warn"> | null;
  readonly #write: typeof writeFirstAnswers;
  /** In order of use, the last used last. */
  readonly #known = new Map<string, Promise<Known>>();
  /** `questionKey` of each question whose answer is kept, by capture. */
  readonly #firstKeys = new Map<string, Promise<ReadonlySet<string>>>();
  /** The newest of each capture. */
  readonly #unwritten = new Map<string, Unwritten>();
  readonly #writing = new Map<string, Promise<void>>();

  /**
   * @param summaryOf of a capture @param log gets warnings about answers that could not be written @param write one
   * file
   */
  constructor(
    captures: Captures,
    summaryOf: (id: string) => Promise<Summary>,
    log: Pick<Logger, "warn"> | null,
    write: typeof writeFirstAnswers = writeFirstAnswers,
  ) {
    this.#captures = captures;
    this.#summaryOf = summaryOf;
    this.#log = log;
    this.#write = write;
  }

  /** The answer where it is kept, else null. */
  async answer(id: string, question: Question): Promise<Answer | null> {
    return (await this.#read(id)).get(questionKey(question)) ?? null;
  }

  /**
   * Stores a computed answer if it is one of the first answers. An answer that cannot be written is computed again
   * after a restart.
   * @param validity of the capture's first answers when it was asked
   * @returns when it is written; never rejects
   */
  async keep(id: string, question: Question, given: Answer, validity: string | null): Promise<void> {
    try {
      await this.#keep(id, question, given, validity);
    } catch (error) {
      this.#log?.warn({ err: error }, "the first answers of a capture could not be written");
    }
  }

  async #keep(id: string, question: Question, given: Answer, validity: string | null): Promise<void> {
    if (validity === null || !(await this.#isFirst(id, question))) return;
    if ((await this.#validity(id)) !== validity) return;
    const key = questionKey(question);
    const known = this.#read(id).then((kept): Known => new Map([...kept, [key, { ...given, key }]]));
    this.#known.set(id, known);
    this.#unwritten.set(id, { validity, known });
    const writing = this.#writing.get(id) ?? this.#writeNewest(id).finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
    await writing;
  }

  /** Writes one file of a capture after the other: each has the newest answers of its turn. */
  async #writeNewest(id: string): Promise<void> {
    // Answers that are kept at the same time are written as one file.
    await Promise.resolve();
    for (let next = this.#unwritten.get(id); next !== undefined; next = this.#unwritten.get(id)) {
      this.#unwritten.delete(id);
      if ((await this.#validity(id)) !== next.validity) continue;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this.#write(this.#folder(id), next.validity, [...(await next.known).values()]);
      } catch (error) {
        this.#log?.warn({ err: error }, "the first answers of a capture could not be written");
      }
    }
  }

  /** False where the capture's summary cannot be read. */
  async #isFirst(id: string, question: Question): Promise<boolean> {
    const keys = this.#firstKeys.get(id) ?? this.#keysOf(id);
    keepNewest(this.#firstKeys, id, keys);
    try {
      return (await keys).has(questionKey(question));
    } catch {
      if (this.#firstKeys.get(id) === keys) this.#firstKeys.delete(id);
      return false;
    }
  }

  async #keysOf(id: string): Promise<ReadonlySet<string>> {
    const addresses = keptAddresses(await this.#summaryOf(id));
    return new Set(addresses.map((address) => questionKey(questionAt(address))));
  }

  /** All known answers of the capture are from tables that it no longer has. */
  forget(id: string): void {
    this.#known.delete(id);
    this.#firstKeys.delete(id);
    this.#unwritten.delete(id);
  }

  #read(id: string): Promise<Known> {
    const known = this.#known.get(id) ?? this.#readFile(id);
    keepNewest(this.#known, id, known);
    return known;
  }

  async #readFile(id: string): Promise<Known> {
    const validity = await this.#validity(id);
    const answers = validity === null ? [] : await readFirstAnswers(this.#folder(id), validity);
    return new Map(answers.map((answer) => [answer.key, answer]));
  }

  /** Null also for a capture that does not exist any more. */
  async #validity(id: string): Promise<string | null> {
    const record = await this.#captures.records.stored(id);
    return record && validityOf("first answers", originsOf(record));
  }

  #folder(id: string): string {
    return dirname(this.#captures.files.pathOf(id, SUMMARY_FILE));
  }
}

/** Sets the capture's entry, as the one used last, and drops those used longest ago. */
function keepNewest<T>(kept: Map<string, T>, id: string, value: T): void {
  kept.delete(id);
  kept.set(id, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= CAPTURES_KEPT) return;
    kept.delete(oldest);
  }
}
