import type { ByteWindow } from "./walk/window.ts";

/** The bytes of a file in order, read into the reader's memory, so that they are not copied on the way. */
export interface ByteSource {
  /**
   * Fills the memory from its start, as far as bytes are available at once, and returns their number; 0 at the end of
   * the file.
   */
  read(into: Uint8Array): number | Promise<number>;
  /** Called once when no more bytes are wanted. */
  close?(): void;
}

/**
 * A file's bytes in order: chunks of any size, or a source to read from. A chunk's bytes are copied before the next one
 * is requested, so that its memory may be used again.
 */
export type FileBytes = AsyncIterable<Uint8Array> | ByteSource;

/** Source of a window's bytes. */
export interface Feed {
  /** Reads until the window reaches a file offset, or the source ends. */
  readInto(window: ByteWindow, until: number): Promise<void>;
  /** No more bytes are wanted. */
  end(): Promise<void>;
}

/** Bytes read at least, so that small buffers do not cost a read each. */
const LEAST_READ = 64 * 1024;

export function feedOf(bytes: FileBytes): Feed {
  // Node's streams are iterable and have a `read` of another meaning.
  return Symbol.asyncIterator in bytes ? chunkFeed(bytes[Symbol.asyncIterator]()) : sourceFeed(bytes);
}

function chunkFeed(chunks: AsyncIterator<Uint8Array>): Feed {
  return {
    async readInto(window, until) {
      while (window.endOffset < until) {
        const chunk = await chunks.next();
        if (chunk.done === true) {
          window.ended = true;
          return;
        }
        window.append(chunk.value);
      }
    },
    async end() {
      await chunks.return?.();
    },
  };
}

function sourceFeed(source: ByteSource): Feed {
  return {
    async readInto(window, until) {
      while (window.endOffset < until) {
        const read = source.read(window.room(Math.max(until - window.endOffset, LEAST_READ)));
        const bytes = typeof read === "number" ? read : await read;
        if (bytes === 0) {
          window.ended = true;
          return;
        }
        window.grow(bytes);
      }
    },
    end() {
      source.close?.();
      return Promise.resolve();
    },
  };
}
