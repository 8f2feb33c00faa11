/**
 * Finds the files in the folders of a command line. This module imports nothing but names: a program reads its folders
 * before its own code is loaded, to know how much there is to read.
 */
import { opendirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { isClutter } from "@aglens/zip/entry-name";

/** The files of a folder and of the folders in it. */
export interface FolderFiles {
  /** Paths, in the order of their names. */
  readonly files: readonly string[];
  /** Entries that can't be read, each with the system's error or a `FolderError`. */
  readonly unreadable: readonly UnreadableEntry[];
}

interface UnreadableEntry {
  readonly path: string;
  readonly error: unknown;
}

/** Reason why an entry of a folder isn't read; the message contains the remedy. */
export class FolderError extends Error {}

/** A folder of captures has some hundreds; a larger number is the root of a disk, chosen by mistake. */
const MOST_ENTRIES = 10_000;

/** The files in a folder. Hidden entries, and what desktops add, are no files of the user's and are ignored. */
export function filesIn(folder: string): FolderFiles {
  const found = new Walk();
  try {
    found.readFolder(folder);
    return found;
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { files: [], unreadable: [{ path: folder, error }] };
  }
}

/** An option whose value is a folder to write into. */
const OUT = "--out";

/**
 * Finds the event files and zips in the arguments of a command, also in folders. The command reports missing files.
 * @param args the command and its arguments
 */
export function filesAhead(args: readonly string[]): string[] {
  return args.slice(1).flatMap((path, i) => {
    if (args[i] === OUT || !isFolder(path)) return [path];
    return filesIn(path).files.filter((file) => /\.(?:xel|zip)$/iu.test(file));
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

class Walk implements FolderFiles {
  readonly files: string[] = [];
  readonly unreadable: UnreadableEntry[] = [];
  #entries = 0;

  /** @throws FolderError for too many entries */
  readFolder(folder: string): void {
    for (const entry of this.#entriesOf(folder)) {
      const { name } = entry;
      const path = join(folder, name);
      if (name.startsWith(".") || name === "__MACOSX" || isClutter(name)) continue;
      if (entry.isFile()) this.files.push(path);
      else if (entry.isDirectory()) this.readFolder(path);
      else this.#takeOther(path);
    }
  }

  #entriesOf(folder: string): Dirent[] {
    const entries: Dirent[] = [];
    try {
      const open = opendirSync(folder);
      try {
        for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
          this.#count();
          entries.push(entry);
        }
      } finally {
        open.closeSync();
      }
    } catch (error) {
      if (error instanceof FolderError) throw error;
      this.unreadable.push({ path: folder, error });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #count(): void {
    if (++this.#entries <= MOST_ENTRIES) return;
    const most = MOST_ENTRIES.toLocaleString("en-US");
    throw new FolderError(`it contains more than ${most} entries. Provide the folder of one capture.`);
  }

  /** A link to a file is that file. Links to folders aren't followed: they may lead in a circle. */
  #takeOther(path: string): void {
    try {
      const found = statSync(path);
      if (found.isFile()) return void this.files.push(path);
      const reason = found.isDirectory()
        ? "it's a link to a folder. Provide that folder too."
        : "it's neither a file nor a folder. Provide its content as a file.";
      this.unreadable.push({ path, error: new FolderError(reason) });
    } catch (error) {
      this.unreadable.push({ path, error });
    }
  }
}
