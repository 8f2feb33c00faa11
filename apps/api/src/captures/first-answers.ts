/** The first answers of analysed captures: those that their analysis made, and those that the first who asked was given. */
import { dirname } from "node:path";
import { firstAddresses } from "@aglens/contract";
import type { Summary } from "@aglens/contract";
import { questionAt, questionKey } from "@aglens/engine/answers";
import type { Answer, FirstAnswer, Question } from "@aglens/engine/answers";
import type { Captures } from "./captures.ts";
import { readFirstAnswers, writeFirstAnswers } from "./first-answers-file.ts";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { tablesDigest } from "./prepared-file.ts";

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
]);

/** False for a question that no overview begins with. */
export const mayBeFirst = ({ ask }: Question): boolean => ASKED_FIRST.has(ask);

/** By `questionKey`. */
type Known = ReadonlyMap<string, FirstAnswer>;

export class FirstAnswers {
  readonly #captures: Captures;
  /** In order of use, the last used last. */
  readonly #known = new Map<string, Promise<Known>>();

  constructor(captures: Captures) {
    this.#captures = captures;
  }

  /** The answer where it is kept, else null. */
  async answer(id: string, question: Question): Promise<Answer | null> {
    return (await this.#read(id)).get(questionKey(question)) ?? null;
  }

  /**
   * Keeps an answer that was worked out, where it is one of the first. What cannot be written is worked out again after a restart.
   * @param tables `tablesDigest` of what it was worked out from
   */
  async keep(
    id: string,
    question: Question,
    given: Answer,
    summary: Summary,
    tables: string | null,
  ): Promise<void> {
    const key = questionKey(question);
    const isFirst = firstAddresses(summary).some((address) => questionKey(questionAt(address)) === key);
    if (!isFirst || tables === null) return;
    const before = this.#read(id);
    const known = before.then((kept): Known => new Map([...kept, [key, { ...given, key }]]));
    if (this.#tables(id) !== tables) return;
    this.#known.set(id, known);
    // One after the other: each has the answers of those before.
    const all = await known;
    await writeFirstAnswers(this.#folder(id), tables, [...all.values()]).catch(() => {});
  }

  /** Whatever is known of a capture is of tables that it no longer has. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  #read(id: string): Promise<Known> {
    const known = this.#known.get(id) ?? this.#readFile(id);
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= CAPTURES_KEPT) break;
      this.#known.delete(oldest);
    }
    return known;
  }

  async #readFile(id: string): Promise<Known> {
    const tables = this.#tables(id);
    const answers = tables === null ? [] : await readFirstAnswers(this.#folder(id), tables);
    return new Map(answers.map((answer) => [answer.key, answer]));
  }

  #tables(id: string): string | null {
    return tablesDigest(this.#captures.records.get(id).stored?.files ?? {});
  }

  #folder(id: string): string {
    return dirname(this.#captures.files.pathOf(id, SUMMARY_FILE));
  }
}
