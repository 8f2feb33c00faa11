import type { EventColumns } from "./columns.ts";

const KINDS = 256;

/** Rows of events grouped by kind; plain columns, so that a thread can move them to another. */
export interface RowsByKind {
  /** Grouped by kind, ascending within each. */
  readonly rows: Uint32Array;
  /** First place of each kind in `rows`; one more for the end. */
  readonly first: Uint32Array;
}

/** Groups events by kind, by counting: two passes over one byte per event. */
export function rowsByKind({ kind, length }: Pick<EventColumns, "kind" | "length">): RowsByKind {
  const first = new Uint32Array(KINDS + 1);
  for (let i = 0; i < length; i++) first[kind[i] + 1]++;
  for (let k = 0; k < KINDS; k++) first[k + 1] += first[k];
  const next = first.slice();
  const rows = new Uint32Array(length);
  for (let i = 0; i < length; i++) rows[next[kind[i]]++] = i;
  return { rows, first };
}

/** Rows of each kind of event, so that a search for one kind does not read all others. */
export class RowsOfKinds {
  readonly #rows: Uint32Array;
  readonly #first: Uint32Array;

  constructor({ rows, first }: RowsByKind) {
    this.#rows = rows;
    this.#first = first;
  }

  /** Rows of one kind, ascending; a view, not to be written to. */
  of(kind: number): Uint32Array {
    return this.#rows.subarray(this.#first[kind], this.#first[kind + 1]);
  }

  /** Whether there is an event of a kind. */
  has(kind: number): boolean {
    return this.#first[kind] < this.#first[kind + 1];
  }

  /** Rows of several kinds together, ascending; read-only, since those of one kind are a view. */
  ofAny(kinds: readonly number[]): Uint32Array {
    const lists = kinds.map((kind) => this.of(kind)).filter(({ length }) => length > 0);
    if (lists.length === 1) return lists[0];
    const merged = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
    const at = lists.map(() => 0);
    for (let i = 0; i < merged.length; i++) {
      let next = -1;
      for (let l = 0; l < lists.length; l++)
        if (at[l] < lists[l].length && (next < 0 || lists[l][at[l]] < lists[next][at[next]])) next = l;
      merged[i] = lists[next][at[next]++];
    }
    return merged;
  }
}
