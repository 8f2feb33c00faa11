/**
 * Drops sensitive values from a .xel file in place. In a readable event only these values are overwritten: a byte that
 * no column claims is kept, as it shows that the decoder is wrong (`FileReport.unclaimed`). Bytes outside of such
 * events are overwritten, because damaged events and filler may contain the same texts.
 */
import { feedOf, type FileBytes } from "../byte-source.ts";
import { ACTIONS_FLAG, EVENT_HEADER_BYTES, FILE_HEADER_BYTES } from "../constants.ts";
import { asDamage } from "../errors.ts";
import { checkRecord, recordPlanAt } from "../events/event.ts";
import { recordPlansOf, type RecordPlans } from "../events/record-plan.ts";
import type { ReadLimits } from "../limits.ts";
import type { PackageDamage, Schema } from "../metadata.ts";
import type { ReadAt } from "../random-access.ts";
import { drain } from "../reader.ts";
import { fileVersion } from "../walk/header.ts";
import { isRecord } from "../walk/recovery.ts";
import { BufferWalk, type BufferOutcome, type EventBuffer } from "../walk/walk.ts";
import { BufferEdit, clearBytes } from "./buffer-edit.ts";
import { DropPlans, dropRecordValues } from "./record-values.ts";

/** A file whose bytes can be overwritten. */
export interface RewritableFile {
  readonly read: ReadAt;
  /** All bytes of the unchanged file; they may still be arriving. */
  readonly bytes: FileBytes;
  write(offset: number, bytes: Uint8Array): Promise<void>;
}

/** Counts of overwritten data. */
export interface DropReport {
  /** Values of sensitive fields and actions that were not empty. */
  readonly values: number;
  /** Bytes, other than zeros, outside of readable events. */
  readonly bytes: number;
}

/** Magic, version, length, and the bytes that look like the file's GUID (docs/reference/xel-format.md 2.1). */
const FILE_HEAD_BYTES = 24;
const USUAL_HEADER_BYTES = 512;
/** Header, signature and generation (docs/reference/xel-format.md 2.2). */
const BUFFER_HEAD_BYTES = 50;
const READ_BYTES = 1024 * 1024;

/**
 * Overwrites the values of sensitive fields and actions (`isSensitiveField`), each by as many bytes: text begins with
 * `DROPPED_TEXT` and is filled up with blanks, other types are zero. Sizes, offsets and all other values stay as they
 * are. Bytes outside of readable events (damaged parts, filler, the rest after a cut) become 0xFF, except for zeros.
 * Keeps one buffer in memory, as `readXel` does.
 * @throws XelFormatError when the input is no .xel file; nothing is overwritten then
 */
export async function dropSensitive(file: RewritableFile, limits?: Partial<ReadLimits>): Promise<DropReport> {
  const walk = new BufferWalk(limits);
  const dropping = new Dropping(file, walk.schema);
  walk.onMetadata = (buffer, damages) => dropping.addMetadata(buffer, damages);
  const feed = feedOf(file.bytes);
  const steps = walk.buffers();
  let outcome: BufferOutcome | undefined;
  try {
    for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
      outcome = undefined;
      if ("needUntil" in step.value) await feed.readInto(walk.window, step.value.needUntil);
      else outcome = await dropping.dropFrom(step.value);
    }
    await drain(walk, feed);
  } finally {
    await feed.end();
  }
  return await dropping.finish(walk.window.endOffset);
}

/** A part of the file, byte offsets. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** A record that could not be read, whose header looks valid: readers find the records around it by that header. */
interface DamagedRecord {
  readonly buffer: EventBuffer;
  /** Bytes from the view's start. */
  readonly at: number;
  /** A time that cannot be, by the clock of its event type; undefined where all can. */
  readonly ticks: bigint | undefined;
}

class Dropping {
  readonly #file: RewritableFile;
  readonly #schema: Schema;
  /** Plans for the current metadata. */
  #dropPlans: DropPlans | undefined;
  /** Parts of the metadata read since the last event buffer. */
  #metadata: Period[] = [];
  /** All before it is kept or overwritten. */
  #done = 0;
  /** Range known to be zero, so that it is not read again. */
  #zero: Period = { from: 0, to: 0 };
  /** Offset of the current event buffer. */
  #buffer = -1;
  /** Where the next buffer, or a file that was glued on, may begin. */
  #next = 0;
  #damaged: DamagedRecord | undefined;
  #values = 0;
  #bytes = 0;

  constructor(file: RewritableFile, schema: Schema) {
    this.#file = file;
    this.#schema = schema;
  }

  addMetadata(buffer: EventBuffer, damages: readonly PackageDamage[]): void {
    const { view, offset, dataOffset } = buffer;
    const end = Math.min(buffer.dataEnd, view.byteLength);
    this.#metadata.push({ from: offset, to: offset + Math.min(BUFFER_HEAD_BYTES, dataOffset) });
    let from = dataOffset;
    for (const { read, to } of damages) {
      this.#metadata.push({ from: offset + from, to: offset + Math.max(from, Math.min(read, end)) });
      from = Math.max(from, to);
    }
    if (from < end) this.#metadata.push({ from: offset + from, to: offset + end });
  }

  /** Drops sensitive values in the events of a buffer, or in the events after damage in it. */
  async dropFrom(buffer: EventBuffer): Promise<BufferOutcome> {
    await this.#settle(buffer);
    const { view, offset, dataOffset } = buffer;
    if (this.#buffer !== offset) await this.#keepHead(buffer);
    const edit = new BufferEdit(view);
    const plans = recordPlansOf(this.#schema);
    if (this.#dropPlans?.owner !== plans) this.#dropPlans = new DropPlans(plans);
    const outcome = dropFromRecords(buffer, this.#dropPlans, edit);
    await this.#apply(edit, offset);
    const { position, damage } = outcome;
    if (position > dataOffset) await this.#keep({ from: offset + dataOffset, to: offset + position });
    if (damage === undefined) this.#zero = zerosFrom(buffer, position);
    else if (isRecord(view, position, view.byteLength, this.#schema)) {
      // Now, because the metadata may be another file's at the next buffer.
      const ticks = impossibleTicks(view.getUint32(position, true), plans);
      this.#damaged = { buffer, at: position, ticks };
    }
    return outcome;
  }

  /** @param size bytes of the file */
  async finish(size: number): Promise<DropReport> {
    if (this.#done === 0) await this.#keep({ from: 0, to: Math.min(FILE_HEAD_BYTES, size) });
    await this.#settle();
    await this.#keep({ from: size, to: size });
    return { values: this.#values, bytes: this.#bytes };
  }

  /** Finishes the parts before a buffer, or before the end. */
  async #settle(next?: EventBuffer): Promise<void> {
    if (this.#done === 0) await this.#keep({ from: 0, to: FILE_HEAD_BYTES });
    if (this.#damaged !== undefined) await this.#keepHeader(this.#damaged, next);
    this.#damaged = undefined;
    for (const range of this.#metadata) await this.#keep(range);
    this.#metadata = [];
  }

  async #keepHead(buffer: EventBuffer): Promise<void> {
    const { view, offset, dataOffset } = buffer;
    await this.#keep({ from: offset, to: offset + Math.min(BUFFER_HEAD_BYTES, dataOffset) });
    this.#buffer = offset;
    this.#next = offset + view.byteLength;
    this.#zero = zerosFrom(buffer, BUFFER_HEAD_BYTES, dataOffset);
  }

  /**
   * Keeps the valid-looking header of a damaged record, with an impossible time, so that it still is a damaged record
   * to every reader, with the next record at its place.
   */
  async #keepHeader({ buffer, at, ticks }: DamagedRecord, next?: EventBuffer): Promise<void> {
    if (ticks === undefined) return;
    const { offset } = buffer;
    const header = (await this.#file.read(offset + at, EVENT_HEADER_BYTES)).slice();
    const made = new DataView(header.buffer);
    made.setUint32(4, made.getUint32(4, true) & ~ACTIONS_FLAG, true);
    made.setUint32(8, 0, true);
    made.setBigInt64(12, ticks, true);
    const end = next?.offset === offset ? next.dataOffset : 0;
    made.setUint32(20, Math.max(end - at - EVENT_HEADER_BYTES, 0), true);
    const from = offset + at;
    await this.#keep({ from, to: from + EVENT_HEADER_BYTES });
    await this.#file.write(from, header);
  }

  async #keep({ from, to }: Period): Promise<void> {
    if (from > this.#done) await this.#clear({ from: this.#done, to: from });
    this.#done = Math.max(this.#done, to);
  }

  async #clear({ from, to }: Period): Promise<void> {
    const { from: zeroFrom, to: zeroTo } = this.#zero;
    if (from >= zeroFrom && to <= zeroTo) return;
    const known = from >= zeroFrom && from < zeroTo ? zeroTo : from;
    for (let at = known; at < to; at += READ_BYTES) {
      const bytes = (await this.#file.read(at, Math.min(READ_BYTES, to - at))).slice();
      const heads = [this.#next, to - USUAL_HEADER_BYTES].map((head) => head - at);
      const kept = heads.map((head) => fileHeaderAt(bytes, head));
      const cleared = clearBytes(bytes);
      kept.forEach((head, index) => head !== undefined && bytes.set(head, heads[index]));
      if (cleared === 0) continue;
      this.#bytes += cleared;
      await this.#file.write(at, bytes);
    }
  }

  /** Writes the changes of a buffer. Where it overlaps earlier changes, these stay. */
  async #apply(edit: BufferEdit, offset: number): Promise<void> {
    const { changed } = edit;
    this.#values += edit.values;
    this.#bytes += edit.bytes;
    if (changed === undefined) return;
    const at = offset + changed.from;
    if (at < this.#done) {
      const before = await this.#file.read(at, changed.bytes.length);
      edit.mergeInto(before);
      await this.#file.write(at, before);
    } else {
      await this.#file.write(at, changed.bytes);
    }
  }
}

/** Checks the records of a buffer as the reader does, and drops values of each complete one. */
function dropFromRecords(
  { view, dataOffset, dataEnd }: EventBuffer,
  plans: DropPlans,
  edit: BufferEdit,
): BufferOutcome {
  let position = dataOffset;
  try {
    while (position < dataEnd) {
      const plan = recordPlanAt(view, position, plans.owner);
      const next = checkRecord(view, position, plan);
      dropRecordValues(view, position, plans.of(plan), edit);
      position = next;
    }
    return { position };
  } catch (error) {
    return { position, damage: asDamage(error, "bad-event") };
  }
}

/** The zeros of a buffer from a position on; empty unless all bytes up to `end` are zero. */
function zerosFrom({ view, offset }: EventBuffer, from: number, end: number = view.byteLength): Period {
  let at = from;
  while (at < end && view.getUint8(at) === 0) at++;
  return { from: offset + from, to: offset + Math.max(at, from) };
}

/** Ticks that are no time by the clock of an event type; undefined where all are. */
function impossibleTicks(rid: number, plans: RecordPlans): bigint | undefined {
  const { clock } = plans.event(rid);
  return [2n ** 63n - 1n, -(2n ** 63n)].find((ticks) => {
    try {
      clock.check(Number(BigInt.asUintN(32, ticks)), Number(ticks >> 32n));
      return false;
    } catch (error) {
      asDamage(error, "bad-time");
      return true;
    }
  });
}

/** Head of a file that was glued on, which readers need to find its buffers. */
function fileHeaderAt(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (at < 0 || at + FILE_HEADER_BYTES > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return fileVersion(view, at) === undefined ? undefined : bytes.slice(at, at + FILE_HEADER_BYTES);
}
