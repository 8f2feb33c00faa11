import type { XelErrorCode } from "../errors.ts";

/** A part of the file that could not be read. */
export interface FileGap {
  readonly code: XelErrorCode;
  /** First byte lost. */
  readonly offset: number;
  /** Bytes lost. */
  readonly bytes: number;
  /** A sentence for the owner of the file. */
  readonly message: string;
  /** Events lost; absent when their number is unknown. */
  readonly eventsLost?: number;
}

/** Unreadable parts of a file, in file order; gaps beyond the limit are only counted. */
export class GapList {
  readonly listed: FileGap[] = [];
  unlisted = 0;
  readonly #most: number;

  /** @param most largest number of listed gaps */
  constructor(most: number) {
    this.#most = most;
  }

  /** Discards all gaps. */
  clear(): void {
    this.listed.length = 0;
    this.unlisted = 0;
  }

  /** Adds a gap whose message is a complete sentence. */
  add(code: XelErrorCode, offset: number, bytes: number, message: string, eventsLost?: number): void {
    if (this.listed.length >= this.#most) this.unlisted++;
    else
      this.listed.push({ code, offset, bytes, message, ...(eventsLost === undefined ? {} : { eventsLost }) });
  }

  /** Adds skipped bytes; neighboring gaps with one reason are combined. */
  lose(code: XelErrorCode, offset: number, bytes: number, reason: string, eventsLost?: number): void {
    const before = this.listed.at(-1);
    const joins =
      before !== undefined &&
      this.unlisted === 0 &&
      before.code === code &&
      before.offset + before.bytes === offset &&
      before.message.endsWith(`: ${reason}.`);
    if (!joins) {
      this.add(code, offset, bytes, lost(bytes, reason), eventsLost);
      return;
    }
    this.listed.pop();
    const all = before.bytes + bytes;
    const known = before.eventsLost !== undefined && eventsLost !== undefined;
    this.add(code, before.offset, all, lost(all, reason), known ? before.eventsLost + eventsLost : undefined);
  }
}

function lost(bytes: number, reason: string): string {
  return `${bytes} damaged bytes were skipped: ${reason}.`;
}
