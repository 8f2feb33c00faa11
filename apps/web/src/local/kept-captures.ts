/** Earlier captures, kept in this browser within a bound: their results and notes, never their files. */
import { TABLES_FORMAT } from "@aglens/contract";
import { isMisread } from "@aglens/engine/files";
import type { KeptRecord, KeptStore, KeptTables } from "./kept-store.ts";

export interface KeptBounds {
  /** Captures that are listed. */
  readonly captures: number;
  /** Bytes of the tables of all captures; 8 M events have some 220 MB. */
  readonly bytes: number;
}

export const KEPT_BOUNDS: KeptBounds = { captures: 50, bytes: 500_000_000 };

export interface KeptCapture {
  readonly record: KeptRecord;
  /** Null where its files have to be read again. */
  readonly tables: KeptTables | null;
}

/**
 * Whether the kept tables have this version and are from files that were read correctly; otherwise the files are
 * requested.
 */
export const hasRightTables = ({ format, files }: Pick<KeptRecord, "format" | "files">): boolean =>
  format === TABLES_FORMAT && !files.some(isMisread);

/** A browser that refuses to keep data has an empty list: no method rejects. */
export class KeptCaptures {
  readonly #store: KeptStore;
  readonly #bounds: KeptBounds;
  readonly #now: () => string;
  /** One change after the other. */
  #changes: Promise<unknown> = Promise.resolve();
  #isRefused = false;

  /** @param now UTC, ISO 8601 */
  constructor(store: KeptStore, now: () => string, bounds: KeptBounds = KEPT_BOUNDS) {
    this.#store = store;
    this.#now = now;
    this.#bounds = bounds;
  }

  get bounds(): KeptBounds {
    return this.#bounds;
  }

  /** Whether the browser refused to keep data. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The one that was used last is first. */
  async list(): Promise<KeptRecord[]> {
    await this.#changes;
    return this.#records();
  }

  async #records(): Promise<KeptRecord[]> {
    const records = await this.#attempt(() => this.#store.records(), []);
    return records.toSorted((a, b) => (a.used < b.used ? 1 : -1));
  }

  async #record(key: string): Promise<KeptRecord | undefined> {
    return (await this.#records()).find(({ digest, id }) => digest === key || id === key);
  }

  /** @param key a digest, or an id of an address */
  async find(key: string): Promise<KeptCapture | null> {
    await this.#changes;
    const record = await this.#record(key);
    if (record === undefined) return null;
    const tables = hasRightTables(record)
      ? await this.#attempt(() => this.#store.tables(record.digest), null)
      : null;
    return { record, tables };
  }

  /** Keeps a capture, with the available tables of its content. */
  keep(capture: Omit<KeptRecord, "used" | "format" | "bytes">): Promise<void> {
    return this.#inTurn(async () => {
      const { handles = [], format = null, bytes = 0 } = (await this.#record(capture.digest)) ?? {};
      const kept = capture.handles.length > 0 ? capture.handles : handles;
      await this.#put({ ...capture, handles: kept, used: this.#now(), format, bytes }, null);
    });
  }

  /**
   * Adds the tables of an analysis to a kept capture; the least recently used tables are removed to make room. Tables
   * that alone exceed the bound are not kept: the capture is listed, and its files are requested.
   */
  keepTables(digest: string, tables: KeptTables): Promise<void> {
    const bytes = Object.values(tables).reduce((sum, { size }) => sum + size, 0);
    return this.#inTurn(async () => {
      const record = await this.#record(digest);
      if (record === undefined) return;
      if (bytes > this.#bounds.bytes) await this.#withoutTables(record);
      else await this.#put({ ...record, format: TABLES_FORMAT, bytes }, tables);
    });
  }

  /** Changes the name and notes of a kept capture. */
  change(digest: string, change: Pick<KeptRecord, "name" | "notes">): Promise<void> {
    return this.#inTurn(async () => {
      const record = await this.#record(digest);
      if (record !== undefined) await this.#put({ ...record, ...change }, null);
    });
  }

  async #put(record: KeptRecord, tables: KeptTables | null): Promise<void> {
    await this.#makeRoom(record);
    await this.#store.put(record, tables);
  }

  forget(digest: string): Promise<void> {
    return this.#inTurn(() => this.#store.remove(digest));
  }

  forgetAll(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all((await this.#records()).map(({ digest }) => this.#store.remove(digest)));
    });
  }

  async #makeRoom(next: KeptRecord): Promise<void> {
    const others = (await this.#records()).filter(({ digest }) => digest !== next.digest);
    let room = this.#bounds.bytes - next.bytes;
    for (const [index, record] of others.entries()) {
      if (index + 1 >= this.#bounds.captures) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this.#store.remove(record.digest);
      } else if (record.bytes <= room) {
        room -= record.bytes;
      } else {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this.#withoutTables(record);
      }
    }
  }

  async #withoutTables(record: KeptRecord): Promise<void> {
    await this.#store.put({ ...record, format: null, bytes: 0 }, null);
    await this.#store.removeTables(record.digest);
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(() => this.#attempt(change, undefined));
    this.#changes = done;
    return done;
  }

  async #attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch {
      this.#isRefused = true;
      return otherwise;
    }
  }
}
