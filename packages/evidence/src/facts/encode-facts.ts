/** Facts of a file as JSON, as captures keep them in place of the file. */
import { MOST_NIGHTS, type ChangeNight } from "../errorlog/local-time.ts";
import type { FileSeries, Remark } from "../samples/samples.ts";
import {
  EVIDENCE_KINDS,
  FILE_KINDS,
  FILE_STATES,
  isOffset,
  SERIES_FORMS,
  SERIES_UNITS,
  type EvidenceEvent,
  type EvidenceSource,
  type GroupName,
  type NotUnderstood,
  type RecognizedFile,
  type ReplicaName,
} from "../shapes.ts";
import type { FileFacts } from "./file-facts.ts";

const FORMAT = "aglens-facts";
/** A change of the JSON raises it. Older versions stay readable: the file that they were read from is gone. */
const VERSION = 1;
const BEGINNING = `{"format":"${FORMAT}"`;

/** Whether a file begins as the facts of another one. */
export const isFacts = (head: Uint8Array): boolean =>
  new TextDecoder().decode(head.subarray(0, BEGINNING.length)) === BEGINNING;

/** Bytes aren't facts of a file, or those of a newer version. */
export class FactsFormatError extends Error {}

/** Differs from the facts in numbers that JSON doesn't have: NaN is null, a block id is text. */
interface Stored extends Omit<FileFacts, "events" | "series"> {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly events: readonly StoredEvent[];
  /** Times that series have in common. */
  readonly times: readonly (readonly (number | null)[])[];
  readonly series: readonly StoredSeries[];
}
type StoredEvent = Omit<EvidenceEvent, "lsn"> & { readonly lsn: string | null };
type StoredSeries = Omit<FileSeries, "atUs" | "values"> & {
  /** Index into `times`. */
  readonly times: number;
  readonly values: readonly (number | null)[];
};

export function encodeFacts(facts: FileFacts): Uint8Array {
  const times: Float64Array[] = [];
  const series = facts.series.map(({ atUs, values, ...one }): StoredSeries => {
    const last = times.at(-1);
    if (last === undefined || !areEqual(last, atUs)) times.push(atUs);
    return { ...one, times: times.length - 1, values: toJson(values) };
  });
  const events = facts.events.map((event) => ({
    ...event,
    lsn: event.lsn === null ? null : String(event.lsn),
  }));
  const stored: Stored = {
    format: FORMAT,
    version: VERSION,
    ...facts,
    events,
    times: times.map(toJson),
    series,
  };
  return new TextEncoder().encode(JSON.stringify(stored));
}

const areEqual = (a: Float64Array, b: Float64Array): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => Object.is(value, b[i])));
const toJson = (numbers: Float64Array): (number | null)[] =>
  Array.from(numbers, (value) => (Number.isFinite(value) ? value : null));
const fromJson = (numbers: readonly (number | null)[]): Float64Array =>
  Float64Array.from(numbers, (value) => value ?? Number.NaN);

/** @throws FactsFormatError for other bytes: a capture's file may come from elsewhere. */
export function decodeFacts(bytes: Uint8Array): FileFacts {
  const stored = storedIn(bytes);
  const times = stored.times.map(fromJson);
  const series = stored.series.map(({ times: at, values, ...one }): FileSeries => {
    const atUs = times[at];
    if (atUs?.length !== values.length) throw new FactsFormatError("A series has no time for each value.");
    return { ...one, atUs, values: fromJson(values) };
  });
  const events = stored.events.map((event) => ({
    ...event,
    lsn: event.lsn === null ? null : BigInt(event.lsn),
  }));
  const { file, isLocal, nights, remarks, names, groups, notUnderstood, keepsSensitive, dropped } = stored;
  return {
    file,
    events,
    isLocal,
    nights,
    series,
    remarks,
    names,
    groups,
    notUnderstood,
    keepsSensitive,
    dropped,
  };
}

function storedIn(bytes: Uint8Array): Stored {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new FactsFormatError("The facts of a file are damaged.");
  }
  if (isHead(value) && value.version > VERSION)
    throw new FactsFormatError("The facts of a file were written by a newer version of AG Lens.");
  if (!isStored(value)) throw new FactsFormatError("The facts of a file are damaged.");
  return value;
}

type Check<T> = (value: unknown) => value is T;
/** A check for each field: without one for a new field, this does not compile. */
type Checks<T> = { readonly [K in keyof Required<T>]: Check<T[K]> };

const isText: Check<string> = (value): value is string => typeof value === "string";
const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
/** In µs since 1970; other times have no date. */
const isTime: Check<number> = (value): value is number => isNumber(value) && Math.abs(value) <= 8.64e18;
const isMinutes: Check<number> = (value): value is number => isNumber(value) && isOffset(value);
const isBoolean: Check<boolean> = (value): value is boolean => typeof value === "boolean";
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);
const oneOf =
  <T extends string>(all: readonly T[]): Check<T> =>
  (value): value is T =>
    all.some((one) => one === value);
const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check);
const shape =
  <T>(checks: Checks<T>): Check<T> =>
  (value): value is T => {
    if (typeof value !== "object" || value === null) return false;
    const fields = new Map<string, unknown>(Object.entries(value));
    return Object.entries<Check<unknown>>(checks).every(([name, check]) => check(fields.get(name)));
  };

const isHead = shape<Pick<Stored, "format" | "version">>({ format: oneOf([FORMAT]), version: isNumber });
const isBlock: Check<string> = (value): value is string => isText(value) && /^\d{1,20}$/u.test(value);
const isPair: Check<readonly [string | null, string]> = (value): value is readonly [string | null, string] =>
  Array.isArray(value) && value.length === 2 && orNull(isText)(value[0]) && isText(value[1]);

const isFile = shape<RecognizedFile>({
  name: isText,
  kind: oneOf(FILE_KINDS),
  server: orNull(isText),
  serverFrom: orNull(oneOf(["content", "name"])),
  utcOffsetMinutes: orNull(isMinutes),
  use: isText,
  state: oneOf(FILE_STATES),
});
const isSource = shape<EvidenceSource>({
  file: isText,
  place: isNumber,
  text: orNull(isText),
  plusMinusUs: isNumber,
});
const isEvent = shape<StoredEvent>({
  kind: oneOf(EVIDENCE_KINDS),
  atUs: isTime,
  fromUs: orNull(isTime),
  server: orNull(isText),
  group: orNull(isText),
  database: orNull(isText),
  replica: orNull(isText),
  message: orNull(isNumber),
  states: orNull(isPair),
  count: isNumber,
  text: isText,
  sources: (value): value is readonly EvidenceSource[] => listOf(isSource)(value) && value.length > 0,
  lsn: orNull(isBlock),
});
const isSeries = shape<StoredSeries>({
  metric: isText,
  unit: oneOf(SERIES_UNITS),
  server: orNull(isText),
  of: orNull(isText),
  form: oneOf(SERIES_FORMS),
  source: shape({ file: isText, column: isText }),
  isLocal: isBoolean,
  times: isNumber,
  values: listOf(orNull(isNumber)),
});
const isNight = shape<ChangeNight>({
  line: isNumber,
  untilLine: orNull(isNumber),
  offsetMinutes: isMinutes,
  isAmerican: isBoolean,
});
const isRemark = shape<Remark>({ text: isText, timesUs: listOf(isTime), isLocal: isBoolean });
const isStored = shape<Stored>({
  format: oneOf([FORMAT]),
  version: isNumber,
  file: isFile,
  events: listOf(isEvent),
  isLocal: isBoolean,
  nights: (value): value is readonly ChangeNight[] => listOf(isNight)(value) && value.length <= MOST_NIGHTS,
  times: listOf(listOf(orNull(isTime))),
  series: listOf(isSeries),
  remarks: listOf(isRemark),
  names: listOf(shape<ReplicaName>({ replicaId: isText, server: isText, file: isText })),
  groups: listOf(shape<GroupName>({ groupId: isText, name: isText, file: isText })),
  notUnderstood: orNull(shape<NotUnderstood>({ file: isText, count: isNumber, first: listOf(isText) })),
  keepsSensitive: isBoolean,
  dropped: isNumber,
});
