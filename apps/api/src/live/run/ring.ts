/** The last seconds of a run's rows in memory, which are written only when something happens. */
import { rowInFile } from "xel-parser/format";
import type { StreamRow } from "xel-parser/format";

/** More than the buffers of any session hold in two minutes at 1 MB/s and replica; above it the oldest rows go. */
const MOST_BYTES = 256 * 1024 * 1024;

interface HeldRow {
  readonly replica: number;
  readonly row: StreamRow;
  /** ms since 1970. */
  readonly cameAt: number;
}

/** Header and metadata of a replica, without which its buffers can't be read. */
interface Beginning {
  header: HeldRow | null;
  metadata: HeldRow[];
}

export class Ring {
  readonly #ms: number;
  readonly #mostBytes: number;
  readonly #beginnings = new Map<number, Beginning>();
  #rows: HeldRow[] = [];
  #first = 0;
  #bytes = 0;

  /** @param ms rows that came earlier than so long before the newest one are forgotten */
  constructor(ms: number, mostBytes = MOST_BYTES) {
    this.#ms = ms;
    this.#mostBytes = mostBytes;
  }

  take(replica: number, row: StreamRow, cameAt: number): void {
    const kind = rowInFile(row);
    if (kind === "none") return;
    const held = { replica, row, cameAt };
    if (kind === "buffer") {
      this.#rows.push(held);
      this.#bytes += row.data.byteLength;
      this.forgetBefore(cameAt - this.#ms);
      return;
    }
    const beginning = this.#beginnings.get(replica) ?? { header: null, metadata: [] };
    this.#beginnings.set(replica, beginning);
    // A new reader gets header and metadata again.
    if (kind === "header") Object.assign(beginning, { header: held, metadata: [] });
    else beginning.metadata.push(held);
  }

  /** Forgets rows that came before a time, ms since 1970, also where no row comes any more. */
  forgetBefore(ms: number): void {
    const tooOld = ({ cameAt }: HeldRow): boolean => cameAt < ms;
    while (
      this.#first < this.#rows.length &&
      (tooOld(this.#at(this.#first)) || this.#bytes > this.#mostBytes)
    ) {
      this.#bytes -= this.#at(this.#first).row.data.byteLength;
      this.#first += 1;
    }
    // Taken off in one piece now and then: taking each row off the front of a long list copies the list.
    if (this.#first * 2 > this.#rows.length) {
      this.#rows = this.#rows.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Passes on all rows, each replica's header and metadata first, and forgets them. @param since ms since 1970 */
  empty(since: number, append: (replica: number, row: StreamRow, cameAt: number) => void): void {
    this.forgetBefore(since);
    const beginnings = [...this.#beginnings.values()].flatMap(({ header, metadata }) =>
      header === null ? metadata : [header, ...metadata],
    );
    const all = [...beginnings, ...this.#rows.slice(this.#first)];
    this.#rows = [];
    this.#first = 0;
    this.#bytes = 0;
    for (const { replica, row, cameAt } of all) append(replica, row, cameAt);
  }

  #at(index: number): HeldRow {
    const row = this.#rows[index];
    if (row === undefined) throw new RangeError(`The ring has no row ${index}.`);
    return row;
  }
}
