/**
 * Checks the event stream of a first server: the arrival of its rows, and whether its bytes are as AG Lens reads them.
 */
import { checkFiles, checkReport } from "@aglens/ag-model/check";
import { EventKind, fileOf, readEvents } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import type { ContactLine } from "@aglens/contract";
import { plainFileHeader, rowInFile, unixMsOf } from "xel-parser/format";
import type { StreamRow } from "xel-parser/format";
import type { ClockOffset } from "../run/server-clock.ts";
import { PACKET_BYTES } from "../server/connection.ts";

/** A row, and when it was here. */
export interface ArrivedRow {
  readonly row: StreamRow;
  /** ms since 1970 of this machine's clock. */
  readonly atMs: number;
}

export interface ReadStream {
  readonly rows: readonly ArrivedRow[];
  /** When the statement was sent, ms since 1970. */
  readonly openedMs: number;
  /** Rows that arrived after the limit was reached. */
  readonly rowsNotKept: number;
  /** Null where the server's clock wasn't asked. */
  readonly offset: ClockOffset | null;
}

/** MAX_DISPATCH_LATENCY of the session, and as much again for the way and both clocks. */
const EXPECTED_AGE_MS = 2_000;
const EXPECTED_FIRST_MS = 5_000;
/** Types of the first rows: file header, metadata (docs/contribute/live-protocol.md 6). */
const FIRST_TYPES = [2, 1];
/** Rows whose types and sizes are written down. */
const SHOWN_ROWS = 10;
/** Two rows that arrive within so many ms are of one piece. */
const TOGETHER_MS = 5;

export interface Part {
  readonly line: ContactLine;
  /** More of it, for the file. */
  readonly text: readonly string[];
}

/** The stream in three lines, each with its text for the file. */
export async function streamLines(stream: ReadStream): Promise<Part[]> {
  const events = await eventsIn(stream.rows);
  return [firstRows(stream), arrival(stream, events), structure(events)];
}

const line = (
  statement: string,
  section: string,
  ms: number | null,
  answer: string,
  differences: readonly string[],
): ContactLine => ({
  statement,
  section,
  state: differences.length === 0 ? "asExpected" : "differs",
  ms,
  answer,
  differences: [...differences],
});

function firstRows({ rows, openedMs, rowsNotKept }: ReadStream): Part {
  const [first] = rows;
  const ms = first === undefined ? null : first.atMs - openedMs;
  const types = rows.slice(0, FIRST_TYPES.length).map(({ row }) => row.type);
  const differences = [
    ...(first === undefined ? ["No row came. A file header and metadata are expected at once."] : []),
    ...(ms !== null && ms > EXPECTED_FIRST_MS
      ? [`The first row came after ${ms} ms. Up to ${EXPECTED_FIRST_MS} ms is expected.`]
      : []),
    ...(first !== undefined && types.join() !== FIRST_TYPES.join()
      ? [`The first rows are of the types ${types.join(", ")}. Expected is ${FIRST_TYPES.join(", ")}.`]
      : []),
  ];
  const shown = rows
    .slice(0, SHOWN_ROWS)
    .map(({ row, atMs }) => `type ${row.type}, ${row.data.byteLength} bytes, after ${atMs - openedMs} ms`);
  return {
    line: line("Rows of the stream", "6", ms, `${rows.length + rowsNotKept} rows`, differences),
    text: [...shown, ...(rowsNotKept === 0 ? [] : [`${rowsNotKept} more rows were counted only`])],
  };
}

/** Age of the events of each row at its arrival. */
function arrival({ rows, offset }: ReadStream, events: ReadEvents | null): Part {
  const ages = offset === null || events === null ? [] : agesOf(rows, events, offset.aheadMs);
  const small = ages.filter(({ bytes }) => bytes < PACKET_BYTES);
  if (offset === null || ages.length === 0) {
    const why = offset === null ? "the clock of the server is not known" : "no event came";
    return {
      line: { ...line("Age of rows", "6", null, why, []), state: "notTried" },
      text: [],
    };
  }
  const newest = ages.map(({ newestMs }) => newestMs);
  const late = small.filter(({ newestMs }) => newestMs > EXPECTED_AGE_MS + offset.boundMs);
  const differences =
    late.length === 0
      ? []
      : [
          `${late.length} of ${small.length} rows below ${PACKET_BYTES} bytes came more than ${EXPECTED_AGE_MS} ms after their newest event. They may have waited in the output buffer of the server.`,
        ];
  const together = rows.filter(({ atMs }, i) => i > 0 && atMs - rows[i - 1]!.atMs <= TOGETHER_MS).length;
  return {
    line: line("Age of rows", "6", null, `median ${Math.round(middle(newest))} ms`, differences),
    text: [
      `clock of the server known to ${Math.round(offset.boundMs)} ms, ${aheadText(offset.aheadMs)}`,
      ageWords("newest event of a row", newest),
      ageWords(
        `newest event of a row below ${PACKET_BYTES} bytes`,
        small.map(({ newestMs }) => newestMs),
      ),
      ageWords(
        "events of a commit",
        ages.flatMap(({ commitsMs }) => commitsMs),
      ),
      `rows that came within ${TOGETHER_MS} ms of the one before: ${together}`,
    ],
  };
}

/** Only the order of magnitude, because the exact difference could identify a server. */
function aheadText(aheadMs: number): string {
  const size = Math.abs(aheadMs);
  if (size < 1_000) return "less than 1 s from this machine's";
  return size < 60_000 ? "1 to 60 s from this machine's" : "more than 60 s from this machine's";
}

function ageWords(what: string, ms: readonly number[]): string {
  if (ms.length === 0) return `${what}: none`;
  return `${what}: ${ms.length}, median ${Math.round(middle(ms))} ms, oldest ${Math.round(ms.reduce((a, b) => Math.max(a, b)))} ms`;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function structure(events: ReadEvents | null): Part {
  const statement = "Bytes of the events";
  if (events === null)
    return { line: { ...line(statement, "6", null, "nothing to read", []), state: "notTried" }, text: [] };
  const files = [fileOf(events.columns)];
  const check = checkFiles(files);
  const failed = check.expectations.filter(({ state }) => state === "not");
  const { gaps } = files[0]!;
  const differences = [
    ...(gaps.length === 0 ? [] : [`${gaps.length} parts of the stream could not be read.`]),
    ...failed.map(({ title, notMet, unit }) => `${title}: not met by ${notMet} ${unit}.`),
  ];
  return {
    line: line(statement, "6", null, `${check.events} events`, differences),
    text: checkReport(check, files, null).split("\n"),
  };
}

interface ReadEvents {
  readonly columns: EventColumns;
  /** Offset of each row in the file that the rows make, in their order; -1 for a row that isn't in it. */
  readonly offsets: readonly number[];
}

/** The rows as a file, read. @returns null where there is nothing that can be read */
async function eventsIn(rows: readonly ArrivedRow[]): Promise<ReadEvents | null> {
  const header = rows.find(({ row }) => rowInFile(row) === "header")?.row.data ?? plainFileHeader();
  const pieces = [header];
  let size = header.byteLength;
  const offsets = rows.map(({ row }) => {
    const kind = rowInFile(row);
    if (kind === "header" || kind === "none") return -1;
    pieces.push(row.data);
    size += row.data.byteLength;
    return size - row.data.byteLength;
  });
  try {
    return { columns: await readEvents(oneByOne(pieces), "stream"), offsets };
  } catch {
    // Rows without metadata are not a file; the line of the first rows reports that.
    return null;
  }
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* oneByOne(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

interface RowAge {
  readonly bytes: number;
  /** From its newest event to its arrival, ms. */
  readonly newestMs: number;
  /** The same of each of its events that are of a commit. */
  readonly commitsMs: readonly number[];
}

const COMMIT_KINDS = [EventKind.commit, EventKind.commitManagerHarden];

function agesOf(rows: readonly ArrivedRow[], { columns, offsets }: ReadEvents, aheadMs: number): RowAge[] {
  const byRow = Map.groupBy(
    Array.from({ length: columns.length }, (_, event) => event),
    (event) => offsets.findLastIndex((offset) => offset >= 0 && offset <= Number(columns.offset[event])),
  );
  return [...byRow].flatMap(([index, events]) => {
    const arrived = rows[index];
    if (arrived === undefined) return [];
    const age = (event: number): number => arrived.atMs + aheadMs - unixMsOf(columns.ticks[event]!);
    return [
      {
        bytes: arrived.row.data.byteLength,
        newestMs: events.map(age).reduce((a, b) => Math.min(a, b)),
        commitsMs: events.filter((event) => COMMIT_KINDS.includes(columns.kind[event]!)).map(age),
      },
    ];
  });
}
