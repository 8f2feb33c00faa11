/** Events of several runs as one list in the order in which they fired; any part of it is found without the rest. */
import { firstIndexWhere } from "../numbers/index.ts";
import type { EventRun } from "../replication/shapes/event-runs.ts";

/** Some rows of a run: those from `from` to before `end`, counted in `rows` where it exists. */
export interface RunPart {
  readonly run: EventRun;
  /** Ascending; null for all rows of the run. */
  readonly rows: Uint32Array | null;
  readonly from: number;
  readonly end: number;
}

/** An event of a run. */
export interface RunEvent {
  readonly run: EventRun;
  readonly row: number;
}

/** Place of an event in the order: by instant, for equal instants by block, for one block by run and row. */
interface Key {
  readonly fire: number;
  readonly block: number;
  readonly part: number;
  readonly row: number;
}

/** The events of one part of each run, with known instants; an empty part for an unwanted run. */
export class EventOrder {
  readonly length: number;
  readonly #parts: readonly RunPart[];

  constructor(parts: readonly RunPart[]) {
    this.#parts = parts;
    this.length = parts.reduce((sum, { from, end }) => sum + end - from, 0);
  }

  /** Number of events before an event of the runs, whether or not a part has it. */
  rankOf({ run, row }: RunEvent): number {
    const part = this.#parts.findIndex((each) => each.run === run);
    return this.#rank({ fire: run.fireAt(row), block: run.blockAt(row), part, row });
  }

  /** Up to `most` events from a position on. */
  from(position: number, most: number): RunEvent[] {
    const next = this.#parts.map(({ from, end }, part) => {
      const own = this.#parts[part];
      return from + firstIndexWhere(end - from, (i) => this.#rank(keyAt(own, part, from + i)) >= position);
    });
    const keys = this.#parts.map((own, part) => headOf(own, part, next[part]));
    const found: RunEvent[] = [];
    while (found.length < most) {
      const first = keys.reduce((a, b) => (b !== null && (a === null || isBefore(b, a)) ? b : a), null);
      if (first === null) break;
      const { part, row } = first;
      found.push({ run: this.#parts[part].run, row });
      keys[part] = headOf(this.#parts[part], part, ++next[part]);
    }
    return found;
  }

  #rank(key: Key): number {
    let before = 0;
    for (const [part, { run, rows, from, end }] of this.#parts.entries())
      before += firstIndexWhere(end - from, (i) => {
        const row = rows === null ? from + i : rows[from + i];
        return !isRowBefore(run, row, part, key);
      });
    return before;
  }
}

function keyAt({ run, rows }: RunPart, part: number, index: number): Key {
  const row = rows === null ? index : rows[index];
  return { fire: run.fireAt(row), block: run.blockAt(row), part, row };
}

const headOf = (own: RunPart, part: number, index: number): Key | null =>
  index < own.end ? keyAt(own, part, index) : null;

const isBefore = (a: Key, b: Key): boolean =>
  a.fire !== b.fire
    ? a.fire < b.fire
    : a.block !== b.block
      ? a.block < b.block
      : a.part !== b.part
        ? a.part < b.part
        : a.row < b.row;

/** `isBefore` for the event in a row of a run. */
function isRowBefore(run: EventRun, row: number, part: number, key: Key): boolean {
  const fire = run.fireAt(row);
  return fire === key.fire ? isBefore({ fire, block: run.blockAt(row), part, row }, key) : fire < key.fire;
}
