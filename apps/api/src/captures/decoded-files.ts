/** Event columns of files that were just received: their analysis begins with them, instead of reading the files again. */
import type { EventColumns } from "@aglens/ag-model/events";

/** The event columns of one stored file. */
export interface DecodedFile {
  /** Where the file is stored. */
  readonly path: string;
  readonly columns: EventColumns;
}

/** From the last file of a drop to its analysis people look at what was recognised. */
const KEPT_MS = 5 * 60_000;

/** Keeps columns until they are taken, for some minutes, as long as all together are not too many bytes: the oldest leave first. */
export class DecodedFiles {
  readonly #mostBytes: number;
  /** By path, in the order in which they came. */
  readonly #kept = new Map<string, { readonly columns: EventColumns; readonly timer: NodeJS.Timeout }>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** @param path where the file is or will be stored */
  keep({ path, columns }: DecodedFile): void {
    this.take(path);
    if (columnBytes(columns) > this.#mostBytes) return;
    const timer = setTimeout(() => this.#kept.delete(path), KEPT_MS).unref();
    this.#kept.set(path, { columns, timer });
    for (const oldest of this.#kept.keys()) {
      if (this.bytes <= this.#mostBytes) return;
      this.take(oldest);
    }
  }

  /** The columns of a file, which are not kept any longer; null where there are none. */
  take(path: string): EventColumns | null {
    const kept = this.#kept.get(path);
    if (kept === undefined) return null;
    clearTimeout(kept.timer);
    this.#kept.delete(path);
    return kept.columns;
  }

  /** What all that is kept needs. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { columns }) => sum + columnBytes(columns), 0);
  }
}

/** The memory of columns, each buffer once: what a thread hands over. */
export function columnBuffers(columns: EventColumns): ArrayBuffer[] {
  const buffers = Object.values(columns).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
  );
  return [...new Set(buffers)];
}

const columnBytes = (columns: EventColumns): number =>
  columnBuffers(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
