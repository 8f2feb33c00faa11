/** Event buffers of a run on disk, as .xel files that roll over; at a limit the oldest are deleted for newer ones. */
import { mkdir, open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { plainFileHeader, rowInFile } from "xel-parser/format";
import type { StreamRow } from "xel-parser/format";
import { Ring } from "./ring.ts";

const FILE_BYTES = 256 * 1024 * 1024;
/** A disk that is slower than the network must not fill the memory. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;

/** A file of one replica. */
export interface SpilledFile {
  readonly replica: number;
  readonly path: string;
  bytes: number;
}

/** The file that a replica writes now, with the first rows of the next one. */
interface Current {
  handle: FileHandle | null;
  file: SpilledFile | null;
  count: number;
  header: Uint8Array;
  metadata: Uint8Array[];
}

/** Place of a buffer of events in the files, and its time of arrival, ms since 1970. */
interface Placed {
  readonly file: SpilledFile;
  readonly offset: number;
  readonly length: number;
  readonly cameAt: number;
}
/** So many are remembered, a day of one a second; the oldest are forgotten, their files are not. */
const MOST_PLACED = 100_000;

const nothingYet = (): Current => ({
  handle: null,
  file: null,
  count: 0,
  header: plainFileHeader(),
  metadata: [],
});

async function written(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  await handle.appendFile(bytes);
  return bytes.byteLength;
}

async function readPlaced({ file, offset, length }: Placed): Promise<Uint8Array> {
  const handle = await open(file.path, "r");
  try {
    const bytes = new Uint8Array(length);
    await handle.read(bytes, 0, length, offset);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Kept data of a run, bytes. */
export interface Kept {
  readonly bytes: number;
  readonly limit: number;
  /** Bytes of the oldest files, deleted for the limit. */
  readonly droppedBytes: number;
  /** Not written, since the disk was full or too slow. */
  readonly lostBytes: number;
}

export class Spill {
  readonly #directory: string;
  readonly #limit: number;
  readonly #expectRoom: (bytes: number) => Promise<void>;
  #fileBytes: number;
  readonly #current: Current[];
  #placed: Placed[] = [];
  #files: SpilledFile[] = [];
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #droppedBytes = 0;
  #lostBytes = 0;
  #failure: unknown = null;
  /** Rows that are held in memory; null while all are written. */
  #ring: Ring | null = null;

  /**
   * @param limit bytes of all files; above it the oldest file is deleted
   * @param fileBytes bytes after which a file ends
   * @param expectRoom rejects before the disk has too little space for so many more bytes
   */
  constructor(
    directory: string,
    replicas: number,
    limit: number,
    fileBytes: number = FILE_BYTES,
    expectRoom: (bytes: number) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#expectRoom = expectRoom;
    this.#directory = directory;
    this.#limit = limit;
    this.#fileBytes = Math.min(fileBytes, limit / (2 * replicas));
    this.#current = Array.from({ length: replicas }, nothingYet);
  }

  /** Another replica is kept from now on; its index is the next one. */
  addReplica(): void {
    this.#current.push(nothingYet());
    this.#fileBytes = Math.min(this.#fileBytes, this.#limit / (2 * this.#current.length));
  }

  get kept(): Kept {
    const bytes = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    return { bytes, limit: this.#limit, droppedBytes: this.#droppedBytes, lostBytes: this.#lostBytes };
  }

  /** The error that stopped the writing; null without an error. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Holds rows of the last `ms` in memory from now on, and writes nothing. */
  hold(ms: number): void {
    this.#ring = new Ring(ms);
  }

  /** Writes the rows that are held, as far as they came since a time (ms since 1970), and all that follow. */
  letGo(sinceMs: number): void {
    const ring = this.#ring;
    this.#ring = null;
    // They are in memory already: writing them later takes no more of it.
    ring?.empty(sinceMs, (...row) => this.#enqueue(...row));
  }

  /**
   * Takes a row, which arrived at `cameAt` ms since 1970; rows are written in the order of arrival. The row's bytes
   * must not change afterwards.
   */
  append(replica: number, row: StreamRow, cameAt: number): void {
    if (this.#ring !== null) return this.#ring.take(replica, row, cameAt);
    const { byteLength } = row.data;
    if (this.#failure !== null || this.#waiting + byteLength > MOST_WAITING_BYTES) {
      this.#lostBytes += byteLength;
      return;
    }
    this.#enqueue(replica, row, cameAt);
  }

  #enqueue(replica: number, row: StreamRow, cameAt: number): void {
    const { byteLength } = row.data;
    this.#waiting += byteLength;
    this.#work = this.#work
      .then(() => this.#take(replica, row, cameAt))
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.#lostBytes += byteLength;
      })
      .finally(() => {
        this.#waiting -= byteLength;
      });
  }

  /**
   * Copies the buffers that arrived since a time, with the present header and metadata of each replica.
   * @param sinceMs ms since 1970 @param directory for the copies
   */
  async copySince(sinceMs: number, directory: string): Promise<SpilledFile[]> {
    const copying = this.#work.then(() => this.#copy(sinceMs, directory));
    this.#work = copying.then(
      () => {},
      () => {},
    );
    return copying;
  }

  /** Writes waiting rows and closes the files. @returns them, oldest first for each replica */
  async end(): Promise<SpilledFile[]> {
    await this.#work;
    for (const current of this.#current) await this.#close(current);
    return this.#files.filter(({ bytes }) => bytes > 0);
  }

  async #take(replica: number, row: StreamRow, cameAt: number): Promise<void> {
    const current = this.#currentOf(replica);
    const kind = rowInFile(row);
    if (kind === "none") return;
    if (kind === "header") {
      // A new reader gets header and metadata again; the present file continues, and the next one begins with the new
      // ones.
      current.header = row.data;
      current.metadata = [];
      return;
    }
    if (kind === "metadata") current.metadata.push(row.data);
    await this.#expectRoom(row.data.byteLength);
    if (current.file === null || current.file.bytes + row.data.byteLength > this.#fileBytes) {
      await this.#begin(replica, current);
      // A new file has begun with all metadata, this row among it.
      if (kind === "metadata") return;
    }
    if (kind === "buffer") this.#place(current, row.data.byteLength, cameAt);
    await this.#write(current, row.data);
    await this.#keepToLimit();
  }

  #place({ file }: Current, length: number, cameAt: number): void {
    if (file === null) return;
    this.#placed.push({ file, offset: file.bytes, length, cameAt });
    if (this.#placed.length > MOST_PLACED) this.#placed.shift();
  }

  async #copy(sinceMs: number, directory: string): Promise<SpilledFile[]> {
    const copies: SpilledFile[] = [];
    for (const [replica, { header, metadata }] of this.#current.entries()) {
      const placed = this.#placed.filter(
        ({ file, cameAt }) => file.replica === replica && cameAt >= sinceMs && this.#files.includes(file),
      );
      if (placed.length === 0) continue;
      await this.#expectRoom(placed.reduce((sum, { length }) => sum + length, 0));
      await mkdir(directory, { recursive: true });
      const copy: SpilledFile = { replica, path: join(directory, `${replica}_0000.xel`), bytes: 0 };
      const handle = await open(copy.path, "wx");
      try {
        for (const bytes of [header, ...metadata]) copy.bytes += await written(handle, bytes);
        for (const each of placed) copy.bytes += await written(handle, await readPlaced(each));
      } finally {
        await handle.close();
      }
      copies.push(copy);
    }
    return copies;
  }

  #currentOf(replica: number): Current {
    const current = this.#current[replica];
    if (current === undefined) throw new RangeError(`The run has no replica ${replica}.`);
    return current;
  }

  async #begin(replica: number, current: Current): Promise<void> {
    await this.#close(current);
    await mkdir(this.#directory, { recursive: true });
    const name = `${replica}_${String(current.count++).padStart(4, "0")}.xel`;
    const path = join(this.#directory, name);
    current.handle = await open(path, "wx");
    current.file = { replica, path, bytes: 0 };
    this.#files.push(current.file);
    await this.#write(current, current.header);
    for (const bytes of current.metadata) await this.#write(current, bytes);
  }

  async #write({ handle, file }: Current, bytes: Uint8Array): Promise<void> {
    if (handle === null || file === null) return;
    await handle.appendFile(bytes);
    file.bytes += bytes.byteLength;
  }

  async #keepToLimit(): Promise<void> {
    while (this.kept.bytes > this.#limit) {
      const oldest = this.#files.find((file) => this.#current.every((current) => current.file !== file));
      if (oldest === undefined) return;
      this.#files = this.#files.filter((file) => file !== oldest);
      this.#droppedBytes += oldest.bytes;
      await rm(oldest.path, { force: true });
    }
  }

  async #close(current: Current): Promise<void> {
    const { handle } = current;
    current.handle = null;
    current.file = null;
    try {
      await handle?.sync();
    } finally {
      await handle?.close();
    }
  }
}
