import type { NotUnderstood } from "../shapes.ts";

const SHOWN = 5;
const LONGEST = 200;

/** Counts what no rule understood, and keeps the first texts. */
export class Leftovers {
  #count = 0;
  readonly #first: string[] = [];

  get count(): number {
    return this.#count;
  }

  add(text: string): void {
    this.#count++;
    if (this.#first.length < SHOWN) this.#first.push(withoutUser(text.slice(0, LONGEST)));
  }

  /** Counts a line without keeping its text, which may contain statements or names of people. */
  addUnnamed(): void {
    this.#count++;
  }

  of(file: string): NotUnderstood | null {
    return this.#count === 0 ? null : { file, count: this.#count, first: this.#first };
  }
}

/** A text with the path of a user's folder, without the user's name. */
export const withoutUser = (text: string): string => text.replace(/(\\users\\)[^\\]+/giu, "$1…");
