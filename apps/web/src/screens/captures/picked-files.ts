/** Files out of a drop or a picker: folders are walked, anything that is not a capture file is named, not taken. */
import type { FileToSend } from "../../data/captures-client.ts";

const TAKEN = /\.(?:xel|zip|xml|csv)$/iu;

/** A file with its place among the folders that were dropped: files of one folder are one replica's. */
export type PickedFile = FileToSend;

/** Sorts out which of the files can be part of a capture; the others are named. */
export function sortOut(files: readonly PickedFile[]): {
  readonly taken: readonly PickedFile[];
  readonly leftOut: readonly string[];
} {
  const [taken, others] = [true, false].map((isTaken) =>
    files.filter(({ file }) => TAKEN.test(file.name) === isTaken),
  );
  return { taken: taken ?? [], leftOut: (others ?? []).map(({ file }) => file.name) };
}

/** Files of a picker, which knows no folders. */
export function pickedOf(files: Iterable<File> | null): PickedFile[] {
  return Array.from(files ?? [], (file) => ({ file, path: file.name }));
}

/** Every file of a drop, folders included. Must be called in the drop event itself: the list is gone afterwards. */
export async function filesOfDrop(
  transfer: Pick<DataTransfer, "files"> & {
    readonly items: Iterable<Pick<DataTransferItem, "webkitGetAsEntry">>;
  },
): Promise<PickedFile[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter(
    (entry) => entry !== null,
  );
  if (entries.length === 0) return pickedOf(transfer.files);
  const lists = await Promise.all(entries.map(filesOfEntry));
  return lists.flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    // The full path begins with a slash, the root of what was dropped.
    return [{ file, path: entry.fullPath.replace(/^\//u, "") }];
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
