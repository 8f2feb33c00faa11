/** Text of chunks of bytes: UTF-8, or the UTF-16 that SQL Server's tools save. A byte order mark is dropped. */
export class TextChunks {
  #decoder: TextDecoder | undefined;
  #first: Uint8Array = new Uint8Array();
  /** Bytes seen. */
  bytes = 0;

  /** Text of the next chunk. */
  push(chunk: Uint8Array): string {
    this.bytes += chunk.length;
    if (this.#decoder !== undefined) return this.#decoder.decode(chunk, { stream: true });
    // The encoding shows in the first two bytes.
    const head = joined(this.#first, chunk);
    this.#first = head;
    if (head.length < 2) return "";
    this.#decoder = new TextDecoder(encodingOf(head));
    return this.#decoder.decode(head, { stream: true });
  }

  /** Text of what is left at the end. */
  end(): string {
    return this.#decoder?.decode() ?? new TextDecoder().decode(this.#first);
  }
}

/** The first characters of a file as text, whatever encoding SQL Server's tools saved it in. */
export function headText(head: Uint8Array): string {
  return new TextDecoder(encodingOf(head)).decode(head);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (second === 0 && first !== 0) return "utf-16le";
  return first === 0 && second !== 0 ? "utf-16be" : "utf-8";
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}
