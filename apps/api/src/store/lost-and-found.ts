/** Files that the catalog does not have: moved out of the way, listed, restored, and deleted only on request. */
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../kernel/identity.ts";
import { syncDirectory } from "../kernel/write-aside.ts";
import { CAPTURES_FOLDER } from "./blobs.ts";

const FOLDER = "lost-and-found";

/** Characters after the capture's id: its files may be put out of the way more than once. */
const SUFFIX = "_".length + newId().length;

/** Id of the capture of a folder with that name. */
export const captureOf = (id: string): string => id.slice(0, -SUFFIX);

export interface LostFolder {
  /** Its name in `lost-and-found`. */
  readonly id: string;
  /** Capture that the files were of. */
  readonly captureId: string;
  /** Bytes by file name. */
  readonly files: Readonly<Record<string, number>>;
}

export interface LostAndFound {
  /** Moves all files of a capture here. @returns their new place */
  setAside(captureId: string): Promise<string>;
  /** Moves some files of a capture here. @returns their new place */
  setFilesAside(captureId: string, keys: readonly string[]): Promise<string>;
  folders(): Promise<LostFolder[]>;
  /** A small file of a folder; null when it does not exist. */
  read(id: string, key: string): Promise<string | null>;
  /** Makes a folder that of a capture without one. */
  takeBack(id: string, captureId: string): Promise<void>;
  /** Undoes `takeBack`. */
  putBack(id: string, captureId: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export function openLostAndFound(directory: string): LostAndFound {
  const captures = join(directory, CAPTURES_FOLDER);
  const lost = join(directory, FOLDER);
  const newPlace = async (captureId: string): Promise<string> => {
    await mkdir(lost, { recursive: true });
    return join(lost, `${captureId}_${newId()}`);
  };
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    for (const folder of [captures, lost]) await syncDirectory(folder);
  };
  return {
    setAside: async (captureId) => {
      const place = await newPlace(captureId);
      await move(join(captures, captureId), place);
      return place;
    },
    setFilesAside: async (captureId, keys) => {
      const place = await newPlace(captureId);
      await mkdir(place);
      for (const key of keys) await rename(join(captures, captureId, key), join(place, key));
      await syncDirectory(place);
      return place;
    },
    folders: async () => {
      const entries = await readdir(lost, { withFileTypes: true }).catch(() => []);
      const folders = entries.filter((entry) => entry.isDirectory());
      const found = await Promise.all(folders.map(({ name }) => folderIn(lost, name)));
      return found.filter((folder) => folder !== null);
    },
    read: (id, key) => readFile(join(lost, id, key), "utf8").catch(() => null),
    takeBack: (id, captureId) => move(join(lost, id), join(captures, captureId)),
    putBack: (id, captureId) => move(join(captures, captureId), join(lost, id)),
    remove: (id) => rm(join(lost, id), { recursive: true, force: true }),
  };
}

/** Null for a folder that is being restored or deleted meanwhile. */
async function folderIn(lost: string, id: string): Promise<LostFolder | null> {
  const path = join(lost, id);
  try {
    const names = await readdir(path);
    const sizes = await Promise.all(
      names.map(async (name) => [name, (await stat(join(path, name))).size] as const),
    );
    return { id, captureId: captureOf(id), files: Object.fromEntries(sizes) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
