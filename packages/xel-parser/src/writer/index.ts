/**
 * Writes `.xel` files (version 10), for fixtures, tests and exports. Layout: docs/reference/xel-format.md 2 to 5.
 * Everything is little-endian and packed. The clock is 10,000,000 ticks per second, so UTC = start + ticks exactly.
 */
import {
  closeBuffer,
  DATA_OFFSET,
  EVENT_BUFFER,
  fileHeader,
  METADATA_BUFFER,
  openBuffer,
} from "./buffers.ts";
import { XelWriteError } from "./error.ts";
import { guidBytes } from "./guid.ts";
import { layoutAction, layoutEvent, type ActionLayout, type EventLayout } from "./layout.ts";
import { putPackage, type FileFacts } from "./metadata.ts";
import type { Output } from "./output.ts";
import { putActions, putEventRecord } from "./records.ts";
import type { WriterPackage, WriterSchema, WriterValues } from "./schema.ts";

export { XelWriteError, type XelWriteErrorCode } from "./error.ts";
export type {
  WritableType,
  WriterAction,
  WriterColumn,
  WriterEvent,
  WriterMap,
  WriterPackage,
  WriterSchema,
  WriterValue,
  WriterValues,
} from "./schema.ts";

/** 2024-01-01T00:00:00Z */
const DEFAULT_START = 133_485_408_000_000_000n;
const DEFAULT_GUID = "2b6a1f0e-7c54-4d0b-9a6f-3f1f5a0c8d11";

/** How a file is written. */
export interface WriterOptions {
  /** Data bytes after which an event buffer is closed; default 1 MiB. A larger event gets a separate buffer. */
  readonly bufferBytes?: number;
  /** FILETIME of tick 0 (100 ns since 1601-01-01 UTC). */
  readonly startTicks?: bigint;
  /** Written to the file header and as the metadata signature. */
  readonly fileGuid?: string;
  /**
   * Receives the file piece by piece (header, metadata, each event buffer), so that it need not be in memory.
   * The bytes belong to the callee. With it, `finish` returns an empty array.
   */
  readonly onBuffer?: (bytes: Uint8Array) => void;
}

/** A file being written. */
export interface XelWriter {
  /**
   * Adds one event.
   *
   * @param ticks 100 ns since `startTicks`
   * @throws {XelWriteError} for an unknown event, column or action, or a value that its type cannot represent
   */
  write(eventName: string, ticks: bigint | number, values: WriterValues, actions?: WriterValues): void;
  /** Bytes the file has now, counting the open buffer without its filler. */
  size(): number;
  /** Closes the open buffer, as a session does when its dispatch latency has passed; does nothing when it is empty. */
  flush(): void;
  /** Closes the last buffer and returns the file (empty when it is written to a sink). */
  finish(): Uint8Array;
}

/** The events and actions of a schema by the names that `write` accepts. */
interface Layouts {
  readonly events: ReadonlyMap<string, EventLayout>;
  readonly actions: ReadonlyMap<string, ActionLayout>;
}

/**
 * A writer of one `.xel` file.
 *
 * @throws {XelWriteError} code "schema" when the schema cannot be expressed
 */
export function createXelWriter(schema: WriterSchema, options: WriterOptions = {}): XelWriter {
  const facts = {
    startTicks: options.startTicks ?? DEFAULT_START,
    fileGuid: options.fileGuid ?? DEFAULT_GUID,
    guidsInPlace: schema.guidsInPlace ?? false,
  };
  const signature = guidBytes(facts.fileGuid);
  const bufferBytes = options.bufferBytes ?? 1 << 20;
  const pieces: Uint8Array[] = [];
  let written = 0;
  const emit = (bytes: Uint8Array): void => {
    written += bytes.length;
    if (options.onBuffer) options.onBuffer(bytes);
    else pieces.push(bytes);
  };
  const packages = withBasePackage(schema);
  const perPackage = packages.map((pack) =>
    (pack.events ?? []).map((event, i) => layoutEvent(event, i, pack, facts.guidsInPlace)),
  );
  const layouts = layoutsByName(packages, perPackage, facts.guidsInPlace);
  emit(fileHeader(facts.fileGuid));
  emit(metadataBuffer(packages, perPackage, facts, signature));
  const out = openBuffer(bufferBytes);
  const flush = (): void => {
    if (out.at > DATA_OFFSET) emit(closeBuffer(out, EVENT_BUFFER, signature));
  };
  return {
    write(eventName, ticks, values, actions) {
      const start = out.at;
      try {
        putEventRecord(out, eventLayout(layouts, eventName, values), ticks, values);
        if (actions) putActions(out, start, layouts.actions, actions);
      } catch (error) {
        out.at = start;
        throw error;
      }
      if (start > DATA_OFFSET && out.at - DATA_OFFSET > bufferBytes) moveToNewBuffer(out, start, flush);
    },
    flush,
    size: () => written + (out.at > DATA_OFFSET ? out.at : 0),
    finish() {
      flush();
      return concatenate(pieces);
    },
  };
}

function eventLayout(layouts: Layouts, eventName: string, values: WriterValues): EventLayout {
  const layout = layouts.events.get(eventName);
  if (!layout) throw new XelWriteError("unknownName", `The schema has no event ${eventName}.`);
  for (const name in values)
    if (!layout.known.has(name))
      throw new XelWriteError("unknownName", `Event ${eventName} has no column ${name}.`);
  return layout;
}

function metadataBuffer(
  packages: readonly WriterPackage[],
  layouts: readonly (readonly EventLayout[])[],
  facts: FileFacts,
  signature: Uint8Array,
): Uint8Array {
  const metadata = openBuffer(16_384);
  packages.forEach((pack, p) => putPackage(metadata, pack, layouts[p], facts));
  return closeBuffer(metadata, METADATA_BUFFER, signature);
}

function layoutsByName(
  packages: readonly WriterPackage[],
  perPackage: readonly (readonly EventLayout[])[],
  guidsInPlace: boolean,
): Layouts {
  const events = packages.flatMap((pack, p) =>
    perPackage[p].map((layout) => [pack.name, layout.name, layout] as const),
  );
  const actions = packages.flatMap((pack) =>
    (pack.actions ?? []).map(
      (action, i) => [pack.name, action.name, layoutAction(action, i, pack, guidsInPlace)] as const,
    ),
  );
  return { events: byName(events), actions: byName(actions) };
}

/** package0 is always first: all the others need its types. */
function withBasePackage(schema: WriterSchema): readonly WriterPackage[] {
  const base = schema.packages.find((pack) => pack.id === 0) ?? { name: "package0", id: 0 };
  return [base, ...schema.packages.filter((pack) => pack.id !== 0)];
}

/** Names that `write` accepts: `package.name` always, `name` for the first package that has it. */
function byName<T>(
  entries: readonly (readonly [packageName: string, name: string, value: T])[],
): Map<string, T> {
  const found = new Map<string, T>();
  for (const [packageName, name, value] of entries) {
    found.set(`${packageName}.${name}`, value);
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

/** The event that made the buffer too long begins the next one. */
function moveToNewBuffer(out: Output, start: number, flush: () => void): void {
  const event = out.bytes.slice(start, out.at);
  out.at = start;
  flush();
  out.raw(event);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
