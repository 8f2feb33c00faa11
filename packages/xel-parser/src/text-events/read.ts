import { XelFormatError, type FileReport, type XelEvent } from "../format/index.ts";
import { headText, TextChunks } from "./decode-text.ts";
import { EventCsvParser, isEventCsv } from "./event-csv.ts";
import { EventXmlParser } from "./event-xml.ts";
import { Losses } from "./losses.ts";
import type { ReadTextOptions, TextKind } from "./options.ts";

/** Bytes of a file's beginning that `textKindOf` needs to judge it. */
export const TEXT_HEAD_BYTES = 64 * 1024;

/** Detects from a file's beginning whether it contains events as XML or as CSV; undefined for neither. */
export function textKindOf(head: Uint8Array): TextKind | undefined {
  const text = headText(head.subarray(0, TEXT_HEAD_BYTES));
  if (/^\s*</u.test(text)) return /<event[\s>]|<RingBufferTarget[\s/>]/u.test(text) ? "xml" : undefined;
  return text.includes("\0") || !isEventCsv(text) ? undefined : "csv";
}

/**
 * Reads events from event XML, streaming. They are the same as from a .xel file, but `uuid` is empty, `offset` is the
 * number of the event in the text from 0, and times have the decimals that were printed (three in `event_data`).
 * XML that ends too early or is not well-formed, and events without a time, are gaps of the report; text without an
 * event throws XelFormatError `not-xel`.
 */
export function readEventXml(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  return readTextEvents("xml", chunks, options);
}

/**
 * Reads events from a CSV that SSMS saved, streaming; see `readEventXml`. Actions cannot be distinguished from fields there, and
 * a field that is empty or NULL counts as one the event does not have. Rows without an event are gaps of the report.
 */
export function readEventCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  return readTextEvents("csv", chunks, options);
}

/** Reads events from text of either kind; see `readEventXml` and `readEventCsv`. */
export async function* readTextEvents(
  kind: TextKind,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTextOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const text = new TextChunks();
  const losses = new Losses(options.limits);
  const Parser = kind === "xml" ? EventXmlParser : EventCsvParser;
  const parser = new Parser(text, losses, options);
  let events = 0;
  for await (const chunk of chunks) {
    const found = parser.push(text.push(chunk));
    events += found.length;
    yield* found;
    options.onProgress?.(text.bytes, events);
  }
  const last = parser.end(text.end());
  events += last.length;
  yield* last;
  if (events === 0 && !parser.truncatedByServer) throw noEvents(losses.gaps[0]?.message);
  return report(text.bytes, events, losses);
}

function report(fileSize: number, events: number, { gaps, unlistedGaps }: Losses): FileReport {
  const unlisted = unlistedGaps === 0 ? {} : { unlistedGaps };
  return { fileSize, events, gaps, ...unlisted, clean: gaps.length + unlistedGaps === 0, metadata: [] };
}

function noEvents(reason = ""): XelFormatError {
  return new XelFormatError(
    "not-xel",
    0,
    `No event was found in this text. ${reason}${reason === "" ? "" : " "}Save event_data as XML, or the viewer's grid as CSV.`,
  );
}
