import { BUFFER_HEADER_BYTES, BufferType, FILE_HEADER_BYTES, FORMAT_VERSION } from "../constants.ts";
import { otherVersion, type XelErrorCode } from "../errors.ts";
import { GapList } from "./gaps.ts";
import {
  type BufferHeader,
  firstBufferOffset,
  foreignVersion,
  isBufferHeader,
  fileVersion,
  isEndMark,
  readBufferHeader,
} from "./header.ts";
import { limitsOf, type ReadLimits } from "../limits.ts";
import { Schema, type PackageDamage } from "../metadata.ts";
import { CANDIDATE_BYTES, findBuffer, findRecord } from "./recovery.ts";
import { bytesAt } from "../text.ts";
import { ByteWindow } from "./window.ts";

/** An event buffer in memory. Positions are bytes from the view's start. */
export interface EventBuffer {
  readonly view: DataView;
  /** File offset of the view's start. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly dataEnd: number;
}

/** End of the readable part of a buffer, and the damage there. */
export interface BufferOutcome {
  /** Position after the last good event, bytes from the view's start. */
  readonly position: number;
  readonly damage?: { readonly code: XelErrorCode; readonly message: string };
}

/** A metadata buffer and where it is in its file. */
export interface MetadataBytes {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The walk needs the file in memory up to an offset, or up to its end. */
export interface NeedBytes {
  readonly needUntil: number;
}

// Long enough that a search through damage does not ask for every few bytes.
const SEARCH_STEP = 1024 * 1024;
// Where a file header has its usual length, its first buffer begins this many bytes after it
// (docs/reference/xel-format.md 2.1).
const USUAL_HEADER_BYTES = 512;
// Offsets of the file's signature in an event buffer and, from the data on, in a metadata buffer (docs/reference/xel-format.md 2.2, 3.1).
const EVENT_SIGNATURE = 32;
const METADATA_SIGNATURE = 6;
const SIGNATURE_BYTES = 16;
// Start and frequency of a package record.
const METADATA_CLOCK = 32;
const CLOCK_BYTES = 16;
// Buffers are filled up to a multiple of 512 bytes (docs/reference/xel-format.md 2.2); from this length on, filler is
// searched for a buffer.
const FILLER_BYTES = 512;
const NO_BUFFER = "no buffer begins at the expected byte";
const UNWRITTEN = "The last buffer is not written to its end: the file may still be being written.";
const WRONG_LENGTH = "the length of a buffer is wrong";
// Data that ends in this many zeros was not written to its end: an event ends in an end mark, which is not zero.
const UNWRITTEN_BYTES = 64;

/**
 * Walks the buffers of a file: asks for bytes, hands out event buffers, and continues after damage at the next valid
 * buffer. It is a coroutine so that one walk serves streams and byte arrays alike.
 */
export class BufferWalk {
  readonly window = new ByteWindow();
  readonly schema: Schema;
  readonly gaps: GapList;
  /** Where the metadata buffers are, for reading single events later. */
  readonly metadata: { offset: number; length: number; restart?: true }[] = [];
  /** Buffers of events. */
  eventBuffers = 0;
  /** Buffers of events without the signature of the metadata: SQL Server writes the same in both. */
  foreignBuffers = 0;
  /** Called with each metadata buffer that was read, and its damages. Its view is valid during the call. */
  onMetadata: ((buffer: EventBuffer, damages: readonly PackageDamage[]) => void) | undefined;
  readonly #limits: ReadLimits;
  #signature: Uint8Array | undefined;
  #clock: Uint8Array | undefined;
  #metadataRead = 0;
  /** Damages of the last metadata buffer. */
  #packageDamages: PackageDamage[] = [];
  #restarts = false;
  readonly #force: boolean;

  /** With `force`, a file of another version is read as if it were one of version 10. */
  constructor(limits?: Partial<ReadLimits>, force = false) {
    this.#force = force;
    this.#limits = limitsOf(limits);
    this.gaps = new GapList(this.#limits.gaps);
    this.schema = new Schema(this.#limits, force);
  }

  /** Throws XelFormatError when the input is no .xel file. */
  *buffers(): Generator<NeedBytes | EventBuffer, void, BufferOutcome | undefined> {
    yield* this.#need(FILE_HEADER_BYTES);
    const header = this.window.view(0, FILE_HEADER_BYTES);
    const head = new Uint8Array(header.buffer, header.byteOffset, header.byteLength);
    let next = firstBufferOffset(head, this.#force);
    this.schema.version = header.getUint16(4, true);
    if (!(yield* this.#need(next))) {
      this.gaps.add(
        "truncated",
        0,
        this.window.endOffset,
        "The file ends inside its header: it contains no events.",
      );
      return;
    }
    while (next !== -1) next = yield* this.#step(next);
  }

  /**
   * Walks the buffers from a file offset where one begins; the window then gets the file's bytes from there on. Earlier
   * metadata of the file is passed as its metadata buffers, whose damage is not reported again.
   */
  *buffersFrom(
    at: number,
    metadata: readonly MetadataBytes[],
  ): Generator<NeedBytes | EventBuffer, void, BufferOutcome | undefined> {
    for (const { offset, bytes } of metadata) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { dataOffset, dataLength, paddedLength } = readBufferHeader(view, 0);
      const dataEnd = Math.min(dataOffset + dataLength, paddedLength);
      this.#readMetadata({ view, offset, dataOffset, dataEnd });
    }
    this.gaps.clear();
    this.metadata.length = 0;
    this.window.offset = at;
    let next = at;
    while (next !== -1) next = yield* this.#step(next);
  }

  /** Reads the buffer at a file offset and returns where the next one is, or -1 at the end. */
  *#step(at: number): Generator<NeedBytes | EventBuffer, number, BufferOutcome | undefined> {
    this.window.dropBefore(at);
    if (!(yield* this.#need(at + BUFFER_HEADER_BYTES))) return this.#endOfFile(at);
    const head = this.window.view(at, at + BUFFER_HEADER_BYTES);
    if (isEndMark(head, 0)) return yield* this.#endMark(at);
    const file = fileVersion(head, 0);
    if (file !== undefined) return yield* this.#joinedFile(at, file);
    const foreign = foreignVersion(head, 0, this.#limits);
    if (foreign !== undefined && !this.#force) {
      return yield* this.#resume(at, "unsupported-version", otherVersion("a buffer", foreign));
    }
    if (foreign === undefined && !isBufferHeader(head, 0, this.#limits)) {
      return yield* this.#resume(at, "bad-buffer-header", NO_BUFFER);
    }
    this.schema.version = foreign ?? FORMAT_VERSION;
    return yield* this.#buffer(at, readBufferHeader(head, 0));
  }

  /** Reads a buffer by its header and returns where the next one is, or -1 at the end. */
  *#buffer(
    at: number,
    header: BufferHeader,
  ): Generator<NeedBytes | EventBuffer, number, BufferOutcome | undefined> {
    const end = at + header.paddedLength;
    const whole = yield* this.#need(end);
    const followed = whole && (yield* this.#isFollowed(end));
    const dataEnd = Math.min(header.dataOffset + header.dataLength, header.paddedLength);
    const buffer = { view: this.window.view(at, end), offset: at, dataOffset: header.dataOffset, dataEnd };
    const isMetadata = header.type === BufferType.metadata;
    const outcome = isMetadata ? this.#readMetadata(buffer) : yield* this.#readEvents(buffer);
    // A last event that reaches over the data's end may cover what follows: the search begins at that end. Where
    // nothing was read after a data offset that is far off, that offset may be after the next buffer.
    const lost = outcome.position === header.dataOffset && header.dataOffset > FILLER_BYTES;
    const position = lost ? BUFFER_HEADER_BYTES : outcome.position;
    const stopped = at + Math.min(position, dataEnd, buffer.view.byteLength);
    if (!whole) return yield* this.#cutOff(stopped, outcome);
    if (!followed) return yield* this.#resumeAfter(stopped, end, outcome);
    const ends = yield* this.#isEnd(end);
    const next = ends || end - stopped >= FILLER_BYTES ? this.#nextWithin(stopped, end) : end;
    if (outcome.damage === undefined) {
      // A buffer whose header has data length 0 together with a wrong buffer length may have lost all of its data.
      const eventsLost = header.dataLength === 0 ? undefined : 0;
      if (next < end) this.gaps.lose("bad-buffer-header", stopped, next - stopped, WRONG_LENGTH, eventsLost);
    } else if (next === end && ends && isUnwritten(buffer, outcome.position)) {
      this.gaps.add("truncated", stopped, end - stopped, UNWRITTEN);
    } else if (next === end && isMetadata) {
      this.#losePackages(at);
    } else {
      this.gaps.lose(outcome.damage.code, stopped, next - stopped, outcome.damage.message);
    }
    return next;
  }

  /** Reports the damaged packages of the metadata buffer read last, which begins at a file offset. */
  #losePackages(at: number): void {
    for (const { from, to, message } of this.#packageDamages) {
      this.gaps.lose("bad-metadata", at + from, to - from, message);
    }
  }

  /** Continues after the header of a file that was glued on. */
  *#joinedFile(at: number, version: number): Generator<NeedBytes, number, unknown> {
    if (version !== FORMAT_VERSION && !this.#force) {
      const reason = otherVersion("another .xel file that was appended here", version);
      return yield* this.#resume(at, "unsupported-version", reason);
    }
    this.#restart();
    this.schema.version = version;
    const reason = "another .xel file was appended here, and is read too";
    return yield* this.#resume(at, "joined-file", reason);
  }

  /** Continues after a buffer whose length leads to no other. */
  #resumeAfter(
    stopped: number,
    end: number,
    { damage }: BufferOutcome,
  ): Generator<NeedBytes, number, unknown> {
    if (damage !== undefined) return this.#resume(stopped, damage.code, damage.message);
    return this.#resume(stopped, "bad-buffer-header", NO_BUFFER, end);
  }

  /**
   * Where the next buffer is, which is the end of this one unless its length is wrong and led past others: they are
   * where its filler should be.
   */
  #nextWithin(from: number, end: number): number {
    const found = findBuffer(this.window.view(from, end + BUFFER_HEADER_BYTES), 0, end - from, this.schema);
    return found !== -1 && this.#isOurs(from + found) ? from + found : end;
  }

  /** Hands out an event buffer, and after damage in it once more from its next valid record on. */
  *#readEvents(buffer: EventBuffer): Generator<EventBuffer, BufferOutcome, BufferOutcome | undefined> {
    const { view, offset, dataEnd } = buffer;
    const last = Math.min(dataEnd, view.byteLength);
    this.eventBuffers++;
    if (this.#isForeign(view)) this.foreignBuffers++;
    let outcome = (yield buffer) ?? { position: dataEnd };
    let before = -1;
    while (outcome.damage !== undefined && outcome.position < last) {
      const { position, damage } = outcome;
      if (before < position) {
        // Where the length of this buffer is wrong, the next one is inside it and is read as such.
        const next = findBuffer(view, position, last, this.schema);
        before = next === -1 ? last : next;
      }
      const record = findRecord(view, position, before, this.schema);
      if (record === undefined) break;
      this.gaps.lose(damage.code, offset + position, record.at - position, damage.message, record.skipped);
      outcome = (yield { ...buffer, dataOffset: record.at }) ?? { position: dataEnd };
    }
    return outcome;
  }

  /** Whether an event buffer has another signature than the metadata; one that is cut off before it does not show it. */
  #isForeign(view: DataView): boolean {
    if (this.#signature === undefined || view.byteLength < EVENT_SIGNATURE + SIGNATURE_BYTES) return false;
    return !isSame(this.#signature, view, EVENT_SIGNATURE);
  }

  #readMetadata({ view, offset, dataOffset, dataEnd }: EventBuffer): BufferOutcome {
    const length = view.byteLength;
    this.#metadataRead += length;
    this.#packageDamages = [];
    if (this.#metadataRead > this.#limits.metadataReads * (offset + length)) {
      const message = "metadata buffers are inside each other, and this one is skipped";
      this.#packageDamages = [{ from: dataOffset, read: dataOffset, to: dataEnd, message }];
      return { position: dataOffset, damage: { code: "bad-metadata", message } };
    }
    this.metadata.push(this.#restarts ? { offset, length, restart: true } : { offset, length });
    this.#restarts = false;
    const clock = dataOffset + METADATA_CLOCK;
    if (this.#signature === undefined && clock + CLOCK_BYTES <= length) {
      this.#signature = bytesAt(view, dataOffset + METADATA_SIGNATURE, SIGNATURE_BYTES).slice();
      this.#clock = bytesAt(view, clock, CLOCK_BYTES).slice();
    }
    this.#packageDamages = this.schema.addBuffer(view, dataOffset, dataEnd);
    this.onMetadata?.({ view, offset, dataOffset, dataEnd }, this.#packageDamages);
    if (this.#packageDamages.length === 0) return { position: dataEnd };
    const [{ from, message }] = this.#packageDamages;
    return { position: from, damage: { code: "bad-metadata", message } };
  }

  /** Whether the file continues properly at an offset: a buffer, the end mark or the end of the file. */
  *#isFollowed(at: number): Generator<NeedBytes, boolean, unknown> {
    if (!(yield* this.#need(at + BUFFER_HEADER_BYTES))) {
      return this.window.ended;
    }
    const head = this.window.view(at, at + BUFFER_HEADER_BYTES);
    return (
      isEndMark(head, 0) ||
      isBufferHeader(head, 0, this.#limits) ||
      foreignVersion(head, 0, this.#limits) !== undefined ||
      fileVersion(head, 0) !== undefined
    );
  }

  /** Whether the data ends at an offset: with the file, or with the end mark. */
  *#isEnd(at: number): Generator<NeedBytes, boolean, unknown> {
    if (!(yield* this.#need(at + BUFFER_HEADER_BYTES))) return true;
    return isEndMark(this.window.view(at, at + BUFFER_HEADER_BYTES), 0);
  }

  /** Handles a file that ends inside a buffer, or a damaged length that only looks like it. */
  *#cutOff(at: number, outcome: BufferOutcome): Generator<NeedBytes, number, unknown> {
    const found = yield* this.#search(at);
    if (found !== -1) {
      this.gaps.lose("bad-buffer-header", at, found - at, WRONG_LENGTH);
      return found;
    }
    const reason =
      outcome.damage === undefined ? "no event is lost" : "data after its last complete event is lost";
    const message = `The file ends inside a buffer: ${reason}. It may still be being written, or was copied in part.`;
    const eventsLost = outcome.damage === undefined ? 0 : undefined;
    this.gaps.add("truncated", at, this.window.endOffset - at, message, eventsLost);
    return -1;
  }

  /**
   * Continues at the first valid buffer from an offset, and records the lost bytes before it. Bytes up to `fillerEnd`
   * are a buffer's filler, thus no loss, unless a buffer begins there: then the length of the first buffer is wrong.
   */
  *#resume(
    at: number,
    code: XelErrorCode,
    reason: string,
    fillerEnd = at,
  ): Generator<NeedBytes, number, unknown> {
    const found = yield* this.#search(at);
    const until = found === -1 ? this.window.endOffset : found;
    const from = until < fillerEnd ? at : fillerEnd;
    this.gaps.lose(code, from, until - from, reason);
    return found;
  }

  *#search(from: number): Generator<NeedBytes, number, unknown> {
    let at = from;
    for (;;) {
      this.window.dropBefore(at);
      const whole = yield* this.#need(at + SEARCH_STEP + CANDIDATE_BYTES);
      const view = this.window.view(at, Infinity);
      const judged = whole ? view.byteLength - CANDIDATE_BYTES : view.byteLength;
      const found = findBuffer(view, 0, judged, this.schema);
      if (found !== -1) {
        if (this.#isJoined(at + found)) this.#restart();
        return at + found;
      }
      at += judged;
      if (!whole) return -1;
    }
  }

  /** The rest is shorter than a header. */
  #endOfFile(at: number): number {
    const left = this.window.view(at, Infinity);
    if (!isZero(left)) {
      this.gaps.add(
        "truncated",
        at,
        left.byteLength,
        "The file ends inside the header of a buffer: it may still be written or was copied in part.",
      );
    }
    return -1;
  }

  /**
   * An all-zero header ends the data (docs/reference/xel-format.md 2.2), unless buffers of this file follow, or another
   * file: then the zeros are damage. Other buffers after it are old data of the disk; they are reported but not read.
   */
  *#endMark(at: number): Generator<NeedBytes, number, unknown> {
    const found = yield* this.#search(at);
    if (found === -1) return -1;
    if (this.#restarts || this.#isOurs(found)) {
      this.gaps.lose("zeroed", at, found - at, "there are zeros where a buffer should begin");
      return found;
    }
    const message =
      "The data ends here with a zeroed buffer header. Buffers of another file follow. They are not read, as by SQL Server's own reader.";
    this.gaps.add("data-after-end", found, this.window.endOffset - found, message);
    return -1;
  }

  /** Whether the buffer at an offset bears the signature of the file's metadata. */
  #isOurs(at: number): boolean {
    const view = this.window.view(at, Infinity);
    const { type, dataOffset } = readBufferHeader(view, 0);
    const from = type === BufferType.metadata ? dataOffset + METADATA_SIGNATURE : EVENT_SIGNATURE;
    if (this.#signature === undefined || from + SIGNATURE_BYTES > view.byteLength) return false;
    return isSame(this.#signature, view, from);
  }

  /**
   * Whether a buffer found by search is the first of another file: a file header is right before it, or it is
   * metadata by another clock, where that header was lost with the damage.
   */
  #isJoined(at: number): boolean {
    const header = at - USUAL_HEADER_BYTES;
    if (header > 0 && header >= this.window.offset) {
      const version = fileVersion(this.window.view(header, at), 0);
      if (version === FORMAT_VERSION || (version !== undefined && this.#force)) return true;
    }
    const view = this.window.view(at, Infinity);
    const { type, dataOffset } = readBufferHeader(view, 0);
    const clock = dataOffset + METADATA_CLOCK;
    if (type !== BufferType.metadata || this.#clock === undefined) return false;
    return clock + CLOCK_BYTES <= view.byteLength && !isSame(this.#clock, view, clock);
  }

  /** Another file begins: its metadata and clocks apply from here on. */
  #restart(): void {
    this.schema.restart();
    this.#signature = undefined;
    this.#clock = undefined;
    this.#restarts = true;
  }

  *#need(until: number): Generator<NeedBytes, boolean, unknown> {
    if (this.window.endOffset < until && !this.window.ended) yield { needUntil: until };
    return this.window.endOffset >= until;
  }
}

/** Whether the data of a buffer ends in zeros, from the end of the last good event on. */
function isUnwritten({ view, dataEnd }: EventBuffer, position: number): boolean {
  const from = dataEnd - UNWRITTEN_BYTES;
  return from >= position && isZero(new DataView(view.buffer, view.byteOffset + from, UNWRITTEN_BYTES));
}

function isSame(known: Uint8Array, view: DataView, at: number): boolean {
  return known.every((byte, index) => view.getUint8(at + index) === byte);
}

function isZero(view: DataView): boolean {
  for (let at = 0; at < view.byteLength; at++) if (view.getUint8(at) !== 0) return false;
  return true;
}
