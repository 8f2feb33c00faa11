/** Bytes that show a file's encoding: the length of the longest byte order mark. */
const MARK_BYTES = 3;

/** Text of chunks of bytes: UTF-8, or the UTF-16 that SQL Server's tools save. A byte order mark is dropped. */
export class TextChunks {
  #decoder: TextDecoder | undefined;
  #first: Uint8Array = new Uint8Array();
  #wide = false;
  /** Number of bytes so far. */
  bytes = 0;
  /** Bytes of the byte order mark, which are before the text. */
  markBytes = 0;

  /** Text of the next chunk. */
  push(chunk: Uint8Array): string {
    this.bytes += chunk.length;
    if (this.#decoder !== undefined) return this.#decoder.decode(chunk, { stream: true });
    this.#first = joined(this.#first, chunk);
    return this.#first.length < MARK_BYTES ? "" : this.#begin().decode(this.#first, { stream: true });
  }

  /** Decodes the rest at the end. */
  end(): string {
    return this.#decoder?.decode() ?? this.#begin().decode(this.#first);
  }

  /** Bytes of a part of the text in the file; 3 for bytes that were no character of the encoding. */
  bytesOf(text: string, from: number, to: number): number {
    if (this.#wide) return (to - from) * 2;
    let bytes = 0;
    for (let at = from; at < to; at++) bytes += utf8Bytes(text.charCodeAt(at));
    return bytes;
  }

  #begin(): TextDecoder {
    const encoding = encodingOf(this.#first);
    this.#wide = encoding !== "utf-8";
    this.markBytes = markBytesOf(this.#first);
    this.#decoder = new TextDecoder(encoding);
    return this.#decoder;
  }
}

/** The first characters of a file as text, in any encoding of SQL Server's tools. */
export function headText(head: Uint8Array): string {
  return new TextDecoder(encodingOf(head)).decode(head);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (second === 0 && first !== 0) return "utf-16le";
  return first === 0 && second !== 0 ? "utf-16be" : "utf-8";
}

function markBytesOf([first, second, third]: Uint8Array): number {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 3;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) ? 2 : 0;
}

/** Bytes of a UTF-16 unit in UTF-8; a character beyond the basic plane has two units and four bytes. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}
