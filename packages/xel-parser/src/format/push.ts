/**
 * Reads a live event stream row by row (docs/reference/xel-format.md 7): the push side of the decoder. A row contains
 * the file header or exactly one buffer, which is read by the same code as a file's.
 */
import { ColumnDecoder, type EventBatch } from "./columns/columns.ts";
import { BUFFER_HEADER_BYTES, BufferType, FORMAT_VERSION } from "./constants.ts";
import { otherVersion, XelFormatError, type XelErrorCode } from "./errors.ts";
import type { XelEvent } from "./events/event.ts";
import { canBeBuffer, firstBufferOffset, isEndMark, readBufferHeader } from "./walk/header.ts";
import { limitsOf, type ReadLimits } from "./limits.ts";
import { Schema } from "./metadata.ts";
import type { ColumnRequest } from "./columns/plan.ts";
import { decodeBuffer, EventCount } from "./reader.ts";
import type { BufferOutcome, EventBuffer } from "./walk/walk.ts";

/** A row of `sys.fn_MSxe_read_event_stream`: its columns `type` and `data`. */
export interface StreamRow {
  readonly type: number;
  readonly data: Uint8Array;
}

/** Result of reading a row. */
export interface PushReport {
  readonly kind: "header" | "metadata" | "events" | "unreadable";
  /** Events read from it, wanted or not. */
  readonly events: number;
  /** Reason why the row, or its part after the last good event, could not be read; null when nothing was lost. */
  readonly undecoded: { readonly code: XelErrorCode; readonly message: string } | null;
}

/** Row by row into events with all their fields. */
export interface EventStream {
  /** Reads a row. A row that does not decode is reported, never thrown. */
  push(row: StreamRow): PushReport & { readonly decoded: XelEvent[] };
}

/** Row by row into columns. */
export interface ColumnStream {
  /** Reads a row. A row that does not decode is reported, never thrown. */
  push(row: StreamRow): PushReport;
  /** The wanted events since the last time. */
  take(): EventBatch;
}

/** How the rows of a stream are read. */
export interface StreamOptions {
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ReadLimits>;
  /** See `ReadOptions.force`. */
  readonly force?: boolean;
}

const HEADER_ROW = 2;

/**
 * Opens a stream that returns events as objects; offsets count from the start of the event's row. Events decode their
 * values from the row's own bytes, which must not be written again.
 */
export function openEventStream(options: StreamOptions = {}): EventStream {
  const schema = new Schema(limitsOf(options.limits), options.force);
  return {
    push(row) {
      const decoded: XelEvent[] = [];
      const report = pushRow(row, schema, (buffer) => {
        const outcome = decodeBuffer(buffer, schema, {}, new EventCount(), decoded);
        return { outcome, events: decoded.length };
      });
      return { ...report, decoded };
    },
  };
}

/** Opens a stream that returns the requested fields in columns. */
export function openColumnStream(request: ColumnRequest, options: StreamOptions = {}): ColumnStream {
  const schema = new Schema(limitsOf(options.limits), options.force);
  const decoder = new ColumnDecoder(schema, request);
  const decode = (buffer: EventBuffer) => {
    const before = decoder.count.events;
    const outcome = decoder.decode(buffer);
    return { outcome, events: decoder.count.events - before };
  };
  return { push: (row) => pushRow(row, schema, decode), take: () => decoder.take() };
}

type Decode = (buffer: EventBuffer) => { readonly outcome: BufferOutcome; readonly events: number };

function pushRow(row: StreamRow, schema: Schema, decode: Decode): PushReport {
  const { data } = row;
  if (row.type === HEADER_ROW) return headerReport(data, schema.force);
  const refused = refusal(data, schema);
  if (refused !== null) return { kind: "unreadable", events: 0, undecoded: refused };
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const header = readBufferHeader(view, 0);
  const dataEnd = Math.min(header.dataOffset + header.dataLength, header.paddedLength);
  // The buffer's own type decides, not the row's, and further bytes of the row do not belong to it
  // (docs/reference/xel-format.md 7).
  const buffer = {
    view: new DataView(data.buffer, data.byteOffset, header.paddedLength),
    offset: 0,
    dataOffset: header.dataOffset,
    dataEnd,
  };
  if (header.type === BufferType.metadata) return metadataReport(buffer, schema);
  const { outcome, events } = decode(buffer);
  return { kind: "events", events, undecoded: outcome.damage ?? null };
}

function headerReport(data: Uint8Array, force: boolean): PushReport {
  try {
    const length = firstBufferOffset(data, force);
    if (data.length >= length) return { kind: "header", events: 0, undecoded: null };
    const message = `The header row has ${data.length} of its ${length} bytes.`;
    return { kind: "unreadable", events: 0, undecoded: { code: "truncated", message } };
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return { kind: "unreadable", events: 0, undecoded: { code: error.code, message: error.message } };
  }
}

function metadataReport({ view, dataOffset, dataEnd }: EventBuffer, schema: Schema): PushReport {
  const [first] = schema.addBuffer(view, dataOffset, dataEnd);
  const undecoded = first === undefined ? null : ({ code: "bad-metadata", message: first.message } as const);
  return { kind: "metadata", events: 0, undecoded };
}

/** Reason why a row contains no readable buffer; null when it does. */
function refusal(data: Uint8Array, { limits, force }: Schema): PushReport["undecoded"] {
  if (data.length < BUFFER_HEADER_BYTES) {
    const message = `A row of ${data.length} bytes came; a buffer's header alone has ${BUFFER_HEADER_BYTES}.`;
    return { code: "truncated", message };
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (isEndMark(view, 0)) {
    return {
      code: "bad-buffer-header",
      message: "A row came whose buffer header is all zero: it is no buffer.",
    };
  }
  const version = view.getUint16(12, true);
  if (version !== FORMAT_VERSION && !force) {
    return { code: "unsupported-version", message: `${otherVersion("A row's buffer", version)}.` };
  }
  if (!canBeBuffer(view, 0, limits, force)) {
    return { code: "bad-buffer-header", message: "A row came whose buffer header cannot be true." };
  }
  const { paddedLength } = readBufferHeader(view, 0);
  if (data.length >= paddedLength) return null;
  return {
    code: "truncated",
    message: `A row has ${data.length} of the ${paddedLength} bytes of its buffer.`,
  };
}
