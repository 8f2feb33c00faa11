/** The part of a file that is in memory: a run of bytes that grows at its end and is dropped from its start. */
export class ByteWindow {
  #bytes = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;
  /** File offset of the first byte held. */
  offset = 0;
  /** The source has no more bytes. */
  ended = false;

  /** File offset after the last byte in memory. */
  get endOffset(): number {
    return this.offset + this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    this.room(chunk.length).set(chunk);
    this.grow(chunk.length);
  }

  /** Memory after the last byte, to be filled from its start; `grow` reports how far. Valid until the next call. */
  room(bytes: number): Uint8Array {
    const held = this.#end - this.#start;
    if (this.#end + bytes > this.#bytes.length) this.#makeRoom(held, held + bytes);
    return this.#bytes.subarray(this.#end, this.#end + bytes);
  }

  /** Marks a number of bytes of the room as filled. */
  grow(bytes: number): void {
    this.#end += bytes;
  }

  /** Discards the bytes before a file offset. */
  dropBefore(offset: number): void {
    const dropped = Math.min(Math.max(offset - this.offset, 0), this.#end - this.#start);
    this.#start += dropped;
    this.offset += dropped;
  }

  /** Bytes from a file offset in memory, at most to `end`. Valid until more room is made. */
  view(offset: number, end: number): DataView {
    const from = this.#start + offset - this.offset;
    const length = Math.max(Math.min(end, this.endOffset) - offset, 0);
    return new DataView(this.#bytes.buffer, from, length);
  }

  #makeRoom(held: number, needed: number): void {
    // Moving down is worth it only while most of the array is free; otherwise each small chunk would move a large
    // buffer.
    const fits = needed * 2 <= this.#bytes.length;
    const target = fits ? this.#bytes : new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    target.set(this.#bytes.subarray(this.#start, this.#end));
    this.#bytes = target;
    this.#start = 0;
    this.#end = held;
  }
}
