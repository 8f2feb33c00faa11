import { OTHER_EVENT } from "./catalogue.ts";

/** A part of a file that could not be decoded, as the reader reported it. */
export interface EventFileGap {
  readonly code: string;
  readonly offset: number;
  readonly bytes: number;
  readonly message: string;
  /** Events lost; absent when that is not known. */
  readonly eventsLost?: number | undefined;
}

/** A file that contributed events. */
export interface EventFile {
  readonly name: string;
  readonly size: number;
  readonly events: number;
  readonly gaps: readonly EventFileGap[];
}

/** All events of one replica in columns; row i of every column is one event. Rows are ordered by publish time. */
export interface EventColumns {
  readonly length: number;
  /** Index into `EVENTS`, or OTHER_EVENT. */
  readonly kind: Uint8Array;
  /** Publish time, FILETIME ticks (UTC). */
  readonly ticks: BigInt64Array;
  /** start_timestamp, µs of the server's counter; NaN when absent. */
  readonly start: Float64Array;
  /** µs; NaN when absent. */
  readonly processing: Float64Array;
  /** log_block_id; 0 when absent. */
  readonly blockId: BigUint64Array;
  /** 0 when absent. */
  readonly mode: Uint8Array;
  /** Bytes; NaN when absent. */
  readonly size: Float64Array;
  /** database_id of that server; -1 when absent. */
  readonly databaseId: Int32Array;
  /** Indexes into `texts`; 0 (the empty text) when absent. */
  readonly database: Uint16Array;
  readonly self: Uint16Array;
  readonly partner: Uint16Array;
  readonly group: Uint16Array;
  readonly action: Uint16Array;
  /** GUIDs in lower case and map texts; texts[0] is empty. */
  readonly texts: readonly string[];
  /** Index into `files`. */
  readonly file: Uint16Array;
  /** Byte offset of the event record in its file. */
  readonly offset: Float64Array;
  readonly files: readonly EventFile[];
}

/** Columns while they are filled. */
export type MutableEventColumns = { -readonly [K in keyof EventColumns]: EventColumns[K] } & {
  texts: string[];
  files: EventFile[];
};

/** Columns for `length` events, every value absent. */
export function emptyColumns(length: number): MutableEventColumns {
  return {
    length,
    kind: new Uint8Array(length).fill(OTHER_EVENT),
    ticks: new BigInt64Array(length),
    start: new Float64Array(length).fill(Number.NaN),
    processing: new Float64Array(length).fill(Number.NaN),
    blockId: new BigUint64Array(length),
    mode: new Uint8Array(length),
    size: new Float64Array(length).fill(Number.NaN),
    databaseId: new Int32Array(length).fill(-1),
    database: new Uint16Array(length),
    self: new Uint16Array(length),
    partner: new Uint16Array(length),
    group: new Uint16Array(length),
    action: new Uint16Array(length),
    texts: [""],
    file: new Uint16Array(length),
    offset: new Float64Array(length),
    files: [],
  };
}

const PLAIN = ["kind", "start", "processing", "mode", "size", "databaseId", "offset"] as const;
const BIG = ["ticks", "blockId"] as const;
const TEXT = ["database", "self", "partner", "group", "action"] as const;

/** The events of several files of one replica as one, ordered by publish time; files may come in any order. */
export function mergeColumns(parts: readonly EventColumns[]): EventColumns {
  const length = parts.reduce((sum, p) => sum + p.length, 0);
  const joined = emptyColumns(length);
  const textNumbers = new Map<string, number>([["", 0]]);
  let at = 0;
  for (const part of parts) {
    append(joined, part, at, textNumbers);
    at += part.length;
  }
  return sortByTicks(joined);
}

function append(to: MutableEventColumns, part: EventColumns, at: number, numbers: Map<string, number>): void {
  for (const name of PLAIN) to[name].set(part[name], at);
  to.ticks.set(part.ticks, at);
  to.blockId.set(part.blockId, at);
  const firstFile = to.files.length;
  to.files.push(...part.files);
  for (let i = 0; i < part.length; i++) to.file[at + i] = firstFile + part.file[i];
  const renumber = part.texts.map((text) => numberOf(text, to.texts, numbers));
  for (const name of TEXT) {
    for (let i = 0; i < part.length; i++) to[name][at + i] = renumber[part[name][i]];
  }
}

/** Number of a text in a list that grows by it when it is new. */
export function numberOf(text: string, texts: string[], numbers: Map<string, number>): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const added = texts.length;
  texts.push(text);
  numbers.set(text, added);
  return added;
}

/** Rows in publish order; rows of equal time keep their order, so file order decides. */
function sortByTicks(columns: MutableEventColumns): EventColumns {
  const { length, ticks } = columns;
  let sorted = true;
  for (let i = 1; i < length && sorted; i++) sorted = ticks[i - 1] <= ticks[i];
  if (sorted) return columns;
  // Ticks relative to the first event fit a float64 exactly for captures of up to 28 years.
  const base = ticks[0];
  const relative = Float64Array.from(ticks, (t) => Number(t - base));
  const order = Uint32Array.from({ length }, (_, i) => i).sort((a, b) => relative[a] - relative[b] || a - b);
  for (const name of [...PLAIN, ...BIG, ...TEXT, "file"] as const) {
    const from = columns[name];
    const target = from.slice() as typeof from;
    for (let i = 0; i < length; i++) target[i] = from[order[i]] as never;
    Object.assign(columns, { [name]: target });
  }
  return columns;
}
