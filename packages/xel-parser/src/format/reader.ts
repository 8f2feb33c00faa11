import { feedOf, type Feed, type FileBytes } from "./byte-source.ts";
import type { NumberedEvents } from "./columns/event-numbers.ts";
import type { FileShape } from "./columns/file-shape.ts";
import { asDamage } from "./errors.ts";
import { decodeEvent, type XelEvent } from "./events/event.ts";
import type { ReadLimits } from "./limits.ts";
import type { Schema } from "./metadata.ts";
import type { MetadataPlace } from "./random-access.ts";
import { UnclaimedPayloads, type UnclaimedPayload } from "./events/payload-claims.ts";
import { recordPlansOf } from "./events/record-plan.ts";
import type { FileGap } from "./walk/gaps.ts";
import { OneByOne } from "./one-by-one.ts";
import { BufferWalk, type BufferOutcome, type EventBuffer } from "./walk/walk.ts";

/** Result of reading a complete file. */
export interface FileReport {
  readonly fileSize: number;
  /** Events read, wanted or not. */
  readonly events: number;
  readonly gaps: FileGap[];
  /** Gaps beyond `limits.gaps`, which are only counted; absent without such gaps. */
  readonly unlistedGaps?: number;
  /** Event types whose payloads have bytes that no column claims; absent without such types. */
  readonly unclaimed?: readonly UnclaimedPayload[];
  /** Description of the events in the file's metadata; only where they were read into columns. */
  readonly shape?: FileShape;
  /** Numbers of the events, where they were requested and an event has one. */
  readonly numbers?: NumberedEvents;
  /** Nothing was lost. */
  readonly clean: boolean;
  /**
   * The file ends while its last buffer is being written, or was copied in part: normal, and all complete events were
   * read.
   */
  readonly unfinished?: true;
  /** Places of the metadata buffers; `openXel` accepts them so that it does not have to search. */
  readonly metadata: MetadataPlace[];
}

/** How a file is read. */
export interface ReadOptions {
  /** Called after each buffer. */
  onProgress?(bytesDone: number, events: number): void;
  /** Event names to decode; all when absent. Others are counted and skipped. */
  readonly only?: ReadonlySet<string>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ReadLimits>;
  /** Tries a file of another format version than 10 as if it were one of version 10; the result may be wrong. */
  readonly force?: boolean;
}

/**
 * Reads a .xel file from chunks of any size, with one buffer in memory at a time, and yields every event in file order.
 * Damage inside the file is skipped and reported; input that is no .xel file throws XelFormatError.
 */
export function readXel(chunks: FileBytes, options: ReadOptions = {}): AsyncGenerator<XelEvent, FileReport> {
  return new OneByOne(readXelBatches(chunks, options));
}

/** Reads like `readXel` but yields the events of a buffer together, which is faster than one by one. */
export async function* readXelBatches(
  chunks: FileBytes,
  options: ReadOptions = {},
): AsyncGenerator<XelEvent[], FileReport> {
  const walk = new BufferWalk(options.limits, options.force);
  const feed = feedOf(chunks);
  const steps = walk.buffers();
  const count = new EventCount();
  const copies = new BufferCopies();
  let outcome: BufferOutcome | undefined;
  try {
    for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
      outcome = undefined;
      if ("needUntil" in step.value) {
        await feed.readInto(walk.window, step.value.needUntil);
      } else {
        const events: XelEvent[] = [];
        outcome = decodeBuffer(copies.of(step.value), walk.schema, options, count, events);
        yield events;
        options.onProgress?.(step.value.offset + step.value.view.byteLength, count.events);
      }
    }
    await drain(walk, feed);
  } finally {
    await feed.end();
  }
  return reportOf(walk, count);
}

/** Reads a .xel file that is in memory; see `readXel`. */
export function readXelBytes(
  bytes: Uint8Array,
  options: ReadOptions = {},
): { events: XelEvent[]; report: FileReport } {
  const walk = new BufferWalk(options.limits, options.force);
  const events: XelEvent[] = [];
  const count = new EventCount();
  walk.window.append(bytes);
  walk.window.ended = true;
  const steps = walk.buffers();
  let outcome: BufferOutcome | undefined;
  for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
    outcome = undefined;
    if ("needUntil" in step.value) continue;
    // All bytes are in the window, which is never written again.
    outcome = decodeBuffer(step.value, walk.schema, options, count, events);
    options.onProgress?.(step.value.offset + step.value.view.byteLength, count.events);
  }
  return { events, report: { ...reportOf(walk, count), fileSize: bytes.length } };
}

/** Reads the rest of the source, so that the file's size is known. */
export async function drain(walk: BufferWalk, feed: Feed): Promise<void> {
  while (!walk.window.ended) {
    walk.window.dropBefore(walk.window.endOffset);
    await feed.readInto(walk.window, walk.window.endOffset + 1);
  }
}

/** Counts of a reading. */
export class EventCount {
  /** Wanted or not. */
  events = 0;
  readonly unclaimed = new UnclaimedPayloads();
}

/** The report of a walk that is done. */
export function reportOf(walk: BufferWalk, { events, unclaimed }: EventCount): FileReport {
  const { listed, unlisted } = walk.gaps;
  const payloads = unclaimed.list();
  return {
    fileSize: walk.window.endOffset,
    events,
    gaps: listed,
    ...(unlisted === 0 ? {} : { unlistedGaps: unlisted }),
    ...(payloads.length === 0 ? {} : { unclaimed: payloads }),
    clean: listed.length === 0 && unlisted === 0,
    ...(listed.some(({ code }) => code === "truncated") ? { unfinished: true } : {}),
    metadata: walk.metadata,
  };
}

/**
 * Adds the events of one buffer to `events` and returns the end of the readable part. The view's bytes must not change.
 */
export function decodeBuffer(
  buffer: EventBuffer,
  schema: Schema,
  options: ReadOptions,
  count: EventCount,
  events: XelEvent[],
): BufferOutcome {
  const { view, offset, dataEnd } = buffer;
  const plans = recordPlansOf(schema);
  let position = buffer.dataOffset;
  try {
    while (position < dataEnd) {
      const { event, next } = decodeEvent(view, position, offset, plans, count.unclaimed);
      position = next;
      count.events++;
      if (options.only === undefined || options.only.has(event.name)) events.push(event);
    }
    return { position };
  } catch (error) {
    return { position, damage: asDamage(error, "bad-event") };
  }
}

/** Copies of buffers, because the walk overwrites its memory. A buffer that is handed out again is not copied again. */
class BufferCopies {
  #from: DataView | undefined;
  #copy: DataView = new DataView(new ArrayBuffer(0));

  of(buffer: EventBuffer): EventBuffer {
    if (this.#from !== buffer.view) {
      const { buffer: memory, byteOffset, byteLength } = buffer.view;
      this.#copy = new DataView(memory.slice(byteOffset, byteOffset + byteLength));
      this.#from = buffer.view;
    }
    return { ...buffer, view: this.#copy };
  }
}
