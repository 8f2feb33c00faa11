/** Files out of a drop or a picker: folders are walked, anything that is not a capture file is named, not taken. */

const TAKEN = /\.(?:xel|zip|xml|csv)$/iu;

export interface Dropped {
  readonly files: File[];
  /** Names of those left out because of their name. */
  readonly leftOut: readonly string[];
}

/** Sorts out which of the files can be part of a capture. */
export function sortOut(files: readonly File[]): Dropped {
  const taken = files.filter((file) => TAKEN.test(file.name));
  const leftOut = files.filter((file) => !TAKEN.test(file.name)).map((file) => file.name);
  return { files: taken, leftOut };
}

/** Every file of a drop, folders included. Must be called in the drop event itself: the list is gone afterwards. */
export async function filesOfDrop(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  const lists = await Promise.all(entries.map(filesOfEntry));
  return lists.flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [file];
  }
  const lists = await Promise.all((await entriesOf(entry as FileSystemDirectoryEntry)).map(filesOfEntry));
  return lists.flat();
}

/** A directory reader gives at most 100 entries at a time. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each read continues where the one before ended
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Name of a capture after its first file: no extension, no rollover counters of the file target. */
export function captureName(fileName: string): string {
  const name = fileName
    .replace(/^.*[\\/]/u, "")
    .replace(/\.[a-z]+$/iu, "")
    .replace(/(?:_\d+)+$/u, "");
  return name.slice(0, 120) || "Capture";
}
