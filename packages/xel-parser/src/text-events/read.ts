import { XelFormatError, type FileReport, type XelEvent } from "../format/index.ts";
import { headText, TextChunks } from "./decode-text.ts";
import { EventCsvParser, isEventCsv } from "./event-csv.ts";
import { EventXmlParser } from "./event-xml.ts";
import type { TypeOf } from "./values.ts";

/** What the text of a file with events is. */
export type TextKind = "xml" | "csv";

export interface ReadTextOptions {
  /** Types of fields where the text does not tell them. Without one, values are told by how they are written. */
  readonly typeOf?: TypeOf;
  /** Called after each chunk. */
  onProgress?(bytesDone: number, events: number): void;
}

/** Bytes of a file's beginning that `textKindOf` needs to judge it. */
export const TEXT_HEAD_BYTES = 64 * 1024;

/** Tells from a file's beginning whether it holds events as XML or as CSV; undefined when it holds neither. */
export function textKindOf(head: Uint8Array): TextKind | undefined {
  const text = headText(head.subarray(0, TEXT_HEAD_BYTES));
  if (/^\s*</u.test(text)) return /<event[\s>]|<RingBufferTarget[\s/>]/u.test(text) ? "xml" : undefined;
  return text.includes("\0") || !isEventCsv(text) ? undefined : "csv";
}

/**
 * Reads events from event XML, streaming. They are the same as from a .xel file, but `uuid` is empty, `offset` is the
 * number of the event in the text from 0, and times have the decimals that were printed (three in `event_data`).
 * XML that ends too early or is not well-formed is told in the report; text without an event throws XelFormatError.
 */
export async function* readEventXml(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const parser = new EventXmlParser(options.typeOf);
  const text = new TextChunks();
  let events = 0;
  for await (const chunk of chunks) {
    const found = parser.push(text.push(chunk));
    events += found.length;
    yield* found;
    options.onProgress?.(text.bytes, events);
  }
  const last = parser.push(text.end());
  events += last.length;
  yield* last;
  if (events === 0 && !parser.truncatedByServer) throw noEvents(parser.stop?.message);
  return report(text.bytes, events, xmlGaps(parser, text.bytes));
}

/**
 * Reads events from a CSV that SSMS saved, streaming; see `readEventXml`. Actions cannot be told from fields there, and
 * a field that is empty or NULL counts as one the event does not have. Rows without an event are told in the report.
 */
export async function* readEventCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const parser = new EventCsvParser(options.typeOf);
  const text = new TextChunks();
  let events = 0;
  for await (const chunk of chunks) {
    const found = parser.push(text.push(chunk));
    events += found.length;
    yield* found;
    options.onProgress?.(text.bytes, events);
  }
  const last = [...parser.push(text.end()), ...parser.end()];
  events += last.length;
  yield* last;
  if (events === 0) throw noEvents(parser.badRows[0]?.message);
  const gaps = parser.badRows.map(({ row, message }) => ({
    code: "bad-event" as const,
    offset: 0,
    bytes: 0,
    message: `Row ${row} of the CSV holds no event: ${message}.`,
  }));
  return report(text.bytes, events, gaps);
}

/** Reads events from text of either kind; see `readEventXml` and `readEventCsv`. */
export function readTextEvents(
  kind: TextKind,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  return kind === "xml" ? readEventXml(chunks, options) : readEventCsv(chunks, options);
}

function xmlGaps(parser: EventXmlParser, bytes: number): FileReport["gaps"] {
  const gaps: FileReport["gaps"] = [];
  const { stop } = parser;
  if (stop !== undefined) {
    const message = `The XML cannot be read on behind character ${stop.position}: ${stop.message}.`;
    gaps.push({ code: "bad-event", offset: Math.min(stop.position, bytes), bytes: 0, message });
  } else if (parser.insideEvent) {
    const message = "The XML ends inside an event, which is lost. It may have been copied in part.";
    gaps.push({ code: "truncated", offset: bytes, bytes: 0, message });
  }
  if (parser.truncatedByServer) {
    const message =
      "The server left events out of the ring buffer's XML (truncated=1). Use an event_file target to have them all.";
    gaps.push({ code: "truncated", offset: bytes, bytes: 0, message });
  }
  return gaps;
}

function report(fileSize: number, events: number, gaps: FileReport["gaps"]): FileReport {
  return { fileSize, events, gaps, clean: gaps.length === 0, metadata: [] };
}

function noEvents(reason: string | undefined): XelFormatError {
  return new XelFormatError(
    "not-xel",
    0,
    `No event was found in this text${reason === undefined ? "" : ` (${reason})`}. Save event_data as XML, or the viewer's grid as CSV.`,
  );
}
