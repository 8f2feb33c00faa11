/** The data set as folders of the data directory: `dataset/group=.../capture=.../TABLE.parquet`, as engines expect it. */
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { newId } from "../kernel/identity.ts";
import { ASIDE_FOLDER, unlessMissing } from "../store/blobs.ts";
import { damageOfSize } from "../store/checksum.ts";
import type { WrittenTables } from "./capture-tables.ts";
import { partition } from "./partition.ts";

/** Folder of the data set in the data directory. */
export const DATASET_FOLDER = "dataset";

/** The mark is next to the tables; engines skip files that begin with `_`. */
export const MARK = "_tables.json";

/** The tables of one capture, from its mark. */
export interface KeptTables {
  /** Id of the capture, and name of its group. */
  readonly capture: string;
  readonly group: string;
  /** Result of `validityOf`; absent in marks of earlier versions, whose tables are written again. */
  readonly validity?: string;
  readonly files: WrittenTables;
}

/** Place of the tables of captures. */
export interface DatasetStore {
  /** Tables that are there and complete; removes others. */
  readAll(): Promise<KeptTables[]>;
  /** Whether a capture's files are all there, as long as they were written. */
  isComplete(tables: Pick<KeptTables, "capture" | "group">): Promise<boolean>;
  /** Path of one of a capture's files, for readers. */
  path(tables: Pick<KeptTables, "capture" | "group">, name: string): string;
  /** A path for tables that are being written, which `keep` takes over. */
  aside(): string;
  /** Tables of that analysis which another server has written; null where there are no such tables. */
  found(wanted: Omit<KeptTables, "files">): Promise<KeptTables | null>;
  /** Takes over a folder of written tables, in place of the capture's earlier ones. */
  keep(written: string, tables: KeptTables): Promise<void>;
  /** Removes all tables. */
  removeAll(): Promise<void>;
  /** No error where there is nothing. */
  remove(tables: Pick<KeptTables, "capture" | "group">): Promise<void>;
}

/** Path of a capture's tables below the data set's folder, with `/`. */
export const pathOf = ({ group, capture }: Pick<KeptTables, "capture" | "group">): string =>
  `${partition("group", group)}/${partition("capture", capture)}`;

/** Content of a mark; null where it is cut off. */
export function markIn(text: string): KeptTables | null {
  try {
    return JSON.parse(text) as KeptTables;
  } catch {
    return null;
  }
}

/** Mark of the tables in a folder; null where some or all of them are missing. */
export async function readMark(folder: string): Promise<KeptTables | null> {
  try {
    const mark = markIn(await readFile(join(folder, MARK), "utf8"));
    if (mark === null) return null;
    const damages = await Promise.all(
      Object.entries(mark.files).map(([name, { bytes }]) => damageOfSize(join(folder, name), bytes)),
    );
    return damages.every((damage) => damage === null) ? mark : null;
  } catch {
    // The mark is missing, cut off, or another program wrote it.
    return null;
  }
}

/** Folders at the places of captures' folders, below the data set's folder. */
export async function captureFolders(dataset: string): Promise<string[]> {
  const groups = await readdir(dataset).catch(() => []);
  const found = await Promise.all(
    groups.map(async (group) =>
      (await readdir(join(dataset, group)).catch(() => [])).map((name) => `${group}/${name}`),
    ),
  );
  return found.flat();
}

/** @param directory the data directory */
export function datasetFolder(directory: string): DatasetStore {
  const dataset = resolve(directory, DATASET_FOLDER);
  const aside = (): string => resolve(directory, ASIDE_FOLDER, newId());
  const removeFolder = async (path: string): Promise<void> => {
    // Moves the folder out first: a program that lists the folders finds all of a capture's tables, or no table.
    const gone = aside();
    await rename(join(dataset, path), gone).catch(unlessMissing);
    await rm(gone, { recursive: true, force: true });
    // Only if it was the group's last folder.
    await rmdir(dirname(join(dataset, path))).catch(() => {});
  };
  return {
    isComplete: async (tables) => (await readMark(join(dataset, pathOf(tables)))) !== null,
    path: (tables, name) => join(dataset, pathOf(tables), name),
    aside,
    found: () => Promise.resolve(null),
    readAll: async () => {
      const all: KeptTables[] = [];
      for (const path of await captureFolders(dataset)) {
        const mark = await readMark(join(dataset, path));
        // Some file systems take letters and their accents apart.
        if (mark !== null && pathOf(mark).normalize() === path.normalize()) all.push(mark);
        else await removeFolder(path);
      }
      return all;
    },
    keep: async (written, tables) => {
      await writeFile(join(written, MARK), JSON.stringify(tables));
      await removeFolder(pathOf(tables));
      const target = join(dataset, pathOf(tables));
      await mkdir(dirname(target), { recursive: true });
      await rename(written, target);
    },
    removeAll: async () => {
      const gone = aside();
      await rename(dataset, gone).catch(unlessMissing);
      await rm(gone, { recursive: true, force: true });
    },
    remove: (tables) => removeFolder(pathOf(tables)),
  };
}
