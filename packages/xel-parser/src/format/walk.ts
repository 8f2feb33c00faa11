import { BUFFER_HEADER_BYTES, BufferType, FILE_HEADER_BYTES } from "./constants.ts";
import { asDamage, type XelErrorCode } from "./errors.ts";
import { firstBufferOffset, isBufferHeader, isEndMark, readBufferHeader } from "./header.ts";
import { Schema } from "./metadata.ts";
import { CANDIDATE_BYTES, findBuffer } from "./recovery.ts";
import { ByteWindow } from "./window.ts";

/** A part of the file that could not be read. */
export interface FileGap {
  readonly code: XelErrorCode;
  /** First byte lost. */
  readonly offset: number;
  /** Bytes lost. */
  readonly bytes: number;
  /** A sentence for whoever owns the file. */
  readonly message: string;
}

/** An event buffer in memory. Positions are bytes from the view's start. */
export interface EventBuffer {
  readonly view: DataView;
  /** File offset of the view's start. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly dataEnd: number;
}

/** How far a buffer could be read, and what stopped it. */
export interface BufferOutcome {
  /** Behind the last good event, bytes from the view's start. */
  readonly position: number;
  readonly damage?: { readonly code: XelErrorCode; readonly message: string };
}

/** The walk needs the file in memory up to an offset, or as far as it goes. */
export interface NeedBytes {
  readonly needUntil: number;
}

// Long enough that a search through damage does not ask for every few bytes.
const SEARCH_STEP = 1024 * 1024;

/**
 * Walks the buffers of a file: asks for bytes, hands out event buffers, and goes on behind damage at the next sound
 * buffer. It is a coroutine so that one walk serves streams and byte arrays alike.
 */
export class BufferWalk {
  readonly window = new ByteWindow();
  readonly schema = new Schema();
  readonly gaps: FileGap[] = [];
  /** Where the metadata buffers are, for reading single events later. */
  readonly metadata: { offset: number; length: number }[] = [];

  /** Throws XelFormatError when the input is no .xel file. */
  *buffers(): Generator<NeedBytes | EventBuffer, void, BufferOutcome | undefined> {
    yield* this.#need(FILE_HEADER_BYTES);
    const header = this.window.view(0, FILE_HEADER_BYTES);
    let next = firstBufferOffset(new Uint8Array(header.buffer, header.byteOffset, header.byteLength));
    if (!(yield* this.#need(next))) {
      this.#gap(
        "truncated",
        0,
        this.window.endOffset,
        "The file ends inside its header: it holds no events.",
      );
      return;
    }
    while (next !== -1) next = yield* this.#step(next);
  }

  /** Reads the buffer at a file offset and returns where the next one is, or -1 at the end. */
  *#step(at: number): Generator<NeedBytes | EventBuffer, number, BufferOutcome | undefined> {
    this.window.dropBefore(at);
    if (!(yield* this.#need(at + BUFFER_HEADER_BYTES))) return this.#endOfFile(at);
    const head = this.window.view(at, at + BUFFER_HEADER_BYTES);
    if (isEndMark(head, 0)) return yield* this.#endOfData(at);
    if (!isBufferHeader(head, 0)) {
      return yield* this.#resume(at, "bad-buffer-header", "no buffer begins where one should");
    }
    const header = readBufferHeader(head, 0);
    const end = at + header.paddedLength;
    const whole = yield* this.#need(end);
    const followed = whole && (yield* this.#isFollowed(end));
    const dataEnd = Math.min(header.dataOffset + header.dataLength, header.paddedLength);
    const buffer = { view: this.window.view(at, end), offset: at, dataOffset: header.dataOffset, dataEnd };
    const outcome =
      header.type === BufferType.metadata
        ? this.#readMetadata(buffer)
        : ((yield buffer) ?? { position: dataEnd });
    const stopped = at + Math.min(outcome.position, buffer.view.byteLength);
    if (!whole) return yield* this.#cutOff(stopped, outcome);
    if (outcome.damage !== undefined) {
      const { code, message } = outcome.damage;
      if (!followed) return yield* this.#resume(stopped, code, message);
      this.#gap(code, stopped, end - stopped, `${lost(end - stopped)}: ${message}.`);
    } else if (!followed) {
      return yield* this.#resume(stopped, "bad-buffer-header", "no buffer begins where one should", end);
    }
    return end;
  }

  #readMetadata(buffer: EventBuffer): BufferOutcome {
    const { view, offset, dataOffset, dataEnd } = buffer;
    this.metadata.push({ offset, length: view.byteLength });
    try {
      this.schema.addBuffer(view, dataOffset, dataEnd);
      return { position: dataEnd };
    } catch (error) {
      const { message } = asDamage(error, "bad-metadata");
      return { position: dataOffset, damage: { code: "bad-metadata", message } };
    }
  }

  /** Whether the file goes on properly at an offset: a buffer, the end mark or the end of the file. */
  *#isFollowed(at: number): Generator<NeedBytes, boolean, unknown> {
    if (!(yield* this.#need(at + BUFFER_HEADER_BYTES))) {
      return this.window.ended;
    }
    const head = this.window.view(at, at + BUFFER_HEADER_BYTES);
    return isEndMark(head, 0) || isBufferHeader(head, 0);
  }

  /** The file ends inside a buffer, or a damaged length only makes it look so. */
  *#cutOff(at: number, outcome: BufferOutcome): Generator<NeedBytes, number, unknown> {
    const found = yield* this.#search(at);
    if (found !== -1) {
      this.#gap("bad-buffer-header", at, found - at, `${lost(found - at)}: the length of a buffer is wrong.`);
      return found;
    }
    const reason =
      outcome.damage === undefined ? "no event is lost" : "what follows its last whole event is lost";
    const message = `The file ends inside a buffer: ${reason}. It may still be being written, or was copied in part.`;
    this.#gap("truncated", at, this.window.endOffset - at, message);
    return -1;
  }

  /**
   * Goes on at the first sound buffer from an offset, and records what is lost before it. Bytes up to `fillerEnd` are
   * a buffer's filler, thus no loss, unless a buffer begins there: then the length that told so is wrong.
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
    this.#gap(code, from, until - from, `${lost(until - from)}: ${reason}.`);
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
      if (found !== -1) return at + found;
      at += judged;
      if (!whole) return -1;
    }
  }

  /** Fewer bytes are left than a header has. */
  #endOfFile(at: number): number {
    const left = this.window.view(at, Infinity);
    if (!isZero(left)) {
      this.#gap(
        "truncated",
        at,
        left.byteLength,
        "The file ends inside the header of a buffer: it may still be written or was copied in part.",
      );
    }
    return -1;
  }

  /** An all-zero header ends the data, whatever follows (xel-format 2.2); buffers behind it are reported, not read. */
  *#endOfData(at: number): Generator<NeedBytes, number, unknown> {
    const found = yield* this.#search(at);
    if (found !== -1) {
      const message =
        "The data ends here with a zeroed buffer header, yet buffers follow it; they are not read, as SQL Server's own reader does not.";
      this.#gap("data-after-end", found, this.window.endOffset - found, message);
    }
    return -1;
  }

  #gap(code: XelErrorCode, offset: number, bytes: number, message: string): void {
    this.gaps.push({ code, offset, bytes, message });
  }

  *#need(until: number): Generator<NeedBytes, boolean, unknown> {
    if (this.window.endOffset < until && !this.window.ended) yield { needUntil: until };
    return this.window.endOffset >= until;
  }
}

function lost(bytes: number): string {
  return `${bytes} damaged bytes were passed over`;
}

function isZero(view: DataView): boolean {
  for (let at = 0; at < view.byteLength; at++) if (view.getUint8(at) !== 0) return false;
  return true;
}
