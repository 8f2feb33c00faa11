/** Large files that are read while their parts arrive. */
import type { ReadSoFar } from "@aglens/contract";
import { looksLikeXel } from "xel-parser/format";
import type { FollowedUpload } from "../captures/intake/intake.ts";

/** Time limit from one part to the next; a sender that takes longer has stopped, and the thread is free for others. */
const NEXT_PART_MS = 10_000;

/** An incoming upload. */
interface ComingUpload {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

interface Followed {
  readonly file: FollowedUpload;
  /** Bytes that have arrived. */
  bytes: number;
  timer: NodeJS.Timeout | undefined;
}

/** An upload that stops is read when it is complete, like one that was not followed. */
export class FollowedUploads<Upload extends ComingUpload> {
  readonly #begin: (upload: Upload) => Promise<FollowedUpload | null>;
  readonly #followed = new Map<string, Followed>();

  /** @param begin begins to read a .xel file whose first bytes are there; null where that is not possible */
  constructor(begin: (upload: Upload) => Promise<FollowedUpload | null>) {
    this.#begin = begin;
  }

  /**
   * The bytes of a part, for a consumer that stores a piece before it takes the next one. @param offset number of
   * earlier bytes
   */
  async *part(upload: Upload, offset: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { id, size } = upload;
    if (this.#followed.get(id)?.bytes !== offset) await this.abandon(id);
    clearTimeout(this.#followed.get(id)?.timer);
    let at = offset;
    let isOver = false;
    try {
      for await (const piece of source) {
        yield piece;
        if (at === 0 && looksLikeXel(piece)) await this.#follow(upload);
        at += piece.byteLength;
        this.#advance(id, at);
      }
      isOver = true;
    } finally {
      if (!isOver) await this.abandon(id);
      else if (at < size) this.#awaitNext(id);
    }
  }

  /** Returns the reading of a complete upload to the caller, which owns it from then on; null without one. */
  take(id: string): FollowedUpload | null {
    const followed = this.#followed.get(id);
    clearTimeout(followed?.timer);
    this.#followed.delete(id);
    return followed?.file ?? null;
  }

  /** Position of the reader in an upload; null when it is not followed. */
  soFar(id: string): ReadSoFar | null {
    return this.#followed.get(id)?.file.soFar() ?? null;
  }

  /** Reads an upload no further. */
  async abandon(id: string): Promise<void> {
    await this.take(id)?.cancel();
  }

  /** Ends all readings. */
  async close(): Promise<void> {
    await Promise.all([...this.#followed.keys()].map((id) => this.abandon(id)));
  }

  async #follow(upload: Upload): Promise<void> {
    const file = await this.#begin(upload);
    if (file !== null) this.#followed.set(upload.id, { file, bytes: 0, timer: undefined });
  }

  #advance(id: string, bytes: number): void {
    const followed = this.#followed.get(id);
    if (followed === undefined) return;
    followed.bytes = bytes;
    followed.file.arrived(bytes);
  }

  #awaitNext(id: string): void {
    const followed = this.#followed.get(id);
    if (followed !== undefined)
      followed.timer = setTimeout(() => void this.abandon(id), NEXT_PART_MS).unref();
  }
}
