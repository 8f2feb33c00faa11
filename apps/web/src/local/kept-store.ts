/**
 * Store of kept captures: the browser's IndexedDB, which exists for a page from a server, a folder or a disk, and which
 * private windows may refuse.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { CaptureFile } from "@aglens/contract";
import type { AnalysisResult } from "@aglens/engine/analysis";
import type { KeptNote } from "@aglens/engine/notes";

/** All data of a kept capture except its tables. */
export interface KeptRecord {
  /** `captureDigest` of its files. */
  readonly digest: string;
  /** The id that its addresses had on the page that analyzed it. */
  readonly id: string;
  readonly name: string;
  /** UTC, ISO 8601, as the next one. */
  readonly created: string;
  readonly used: string;
  readonly files: readonly CaptureFile[];
  readonly notes: readonly KeptNote[];
  readonly analysed: Omit<AnalysisResult, "files">;
  /** `TABLES_FORMAT` of its tables; null without tables. */
  readonly format: number | null;
  /** Bytes of its tables. */
  readonly bytes: number;
  /** Handles of its files on the disk, as far as the browser provides them. */
  readonly handles: readonly KeptHandle[];
  /** Facts of files of evidence, by the ids of the files; absent in records of earlier versions. */
  readonly facts?: Readonly<Record<string, Blob>>;
}

/** A file of the disk that can be opened again without asking for it, once the user allows it. */
export interface KeptHandle {
  readonly handle: FileSystemFileHandle;
  readonly name: string;
  readonly size: number;
  /** ms since 1970: a file that has changed since counts as another one. */
  readonly lastModified: number;
}

/** By file name. */
export type KeptTables = Readonly<Record<string, Blob>>;

export interface KeptStore {
  /** Every record, in no order. */
  records(): Promise<KeptRecord[]>;
  /** Null where the capture has no tables. */
  tables(digest: string): Promise<KeptTables | null>;
  /** Replaces the previous record. @param tables null keeps the existing ones */
  put(record: KeptRecord, tables: KeptTables | null): Promise<void>;
  removeTables(digest: string): Promise<void>;
  remove(digest: string): Promise<void>;
}

interface Schema extends DBSchema {
  records: { key: string; value: KeptRecord };
  tables: { key: string; value: KeptTables };
}

const NAME = "aglens-captures";
const VERSION = 1;

/** Opened when it is first needed. Each method rejects where the browser refuses. */
export function browserStore(): KeptStore {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const open = (): Promise<IDBPDatabase<Schema>> =>
    (opening ??= openDB<Schema>(NAME, VERSION, {
      upgrade(database) {
        database.createObjectStore("records", { keyPath: "digest" });
        database.createObjectStore("tables");
      },
    }));
  return {
    async records() {
      return (await open()).getAll("records");
    },
    async tables(digest) {
      return (await (await open()).get("tables", digest)) ?? null;
    },
    async put(record, tables) {
      const change = (await open()).transaction(["records", "tables"], "readwrite");
      await Promise.all([
        change.objectStore("records").put(record),
        tables === null ? null : change.objectStore("tables").put(tables, record.digest),
        change.done,
      ]);
    },
    async removeTables(digest) {
      await (await open()).delete("tables", digest);
    },
    async remove(digest) {
      const change = (await open()).transaction(["records", "tables"], "readwrite");
      await Promise.all([
        change.objectStore("records").delete(digest),
        change.objectStore("tables").delete(digest),
        change.done,
      ]);
    },
  };
}
