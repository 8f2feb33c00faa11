/** Files of a drop or a picker: folders are read, and files without a use are reported or not sent. */
import type { Capture } from "@aglens/contract";
import type { FileToSend } from "../../../data/captures-client.ts";
import { hasFacts, isSupportFolder } from "../evidence-kinds.ts";
import type { RecognizedPick } from "./recognized-files.ts";

const TAKEN = /\.(?:xel|zip|xml|csv)$/iu;

/** A file with its place among the dropped folders: files of one folder belong to one replica. */
export type PickedFile = FileToSend;

/** Larger files that aren't used are sent up to their first bytes only. */
const SENT_UNUSED_BYTES = 1_000_000;

export interface SortedFiles {
  readonly taken: readonly PickedFile[];
  /** Names of files that are reported and not sent. */
  readonly leftOut: readonly string[];
  /** Names of files that an analyzed capture can't get without another analysis; they aren't sent. */
  readonly needAnalysis: readonly string[];
}

const isTaken = ({ file }: PickedFile): boolean => TAKEN.test(file.name);

/** Whether files can be sent without reading them first: they are small, and their names show their kinds. */
export const areKnown = (files: readonly PickedFile[]): boolean =>
  files.every((one) => isTaken(one) && one.file.size <= SENT_UNUSED_BYTES);

/**
 * Separates the files that can be part of a capture from the others. A support folder has all of its files, but of
 * large ones without a use their beginning only.
 * An analyzed capture has no files that need another analysis.
 * @param capture that the files are added to; null for a new one
 */
export async function sortOut(
  files: readonly PickedFile[],
  capture: Pick<Capture, "state" | "files"> | null = null,
): Promise<SortedFiles> {
  const { beginningOf, recognizePicked } = await import("./recognized-files.ts");
  const all = await recognizePicked(files);
  const needing = capture?.state === "ready" ? all.filter(needsAnalysis) : [];
  const recognized = all.filter((one) => !needing.includes(one));
  const needAnalysis = needing.map(({ picked: { file } }) => file.name);
  const isFolder = capture !== null && isSupportFolder(capture);
  if (!isFolder && !recognized.some(({ found }) => found !== null && hasFacts(found.kind))) {
    const [taken, others] = [true, false].map((isWanted) =>
      recognized.flatMap(({ picked }) => (isTaken(picked) === isWanted ? [picked] : [])),
    ) as [PickedFile[], PickedFile[]];
    return { taken, leftOut: others.map(({ file }) => file.name), needAnalysis };
  }
  const taken = recognized.map((one) => (isUnused(one) ? beginningOf(one.picked) : one.picked));
  return { taken, leftOut: [], needAnalysis };
}

/** Whether a capture has to be analyzed again with the file. */
const needsAnalysis = ({ found }: RecognizedPick): boolean =>
  found?.kind === "movement" || found?.kind === "topology";

const isUnused = ({ picked, found }: RecognizedPick): boolean =>
  (found?.state === "notUsed" || found?.state === "convert") && picked.file.size > SENT_UNUSED_BYTES;

/** Files of a picker, which has no folders. */
export function pickedOf(files: Iterable<File> | null): PickedFile[] {
  return Array.from(files ?? [], (file) => ({ file, path: file.name }));
}

/** An item of a drop; Chromium's browsers have handles, which can open a file again. */
type DroppedItem = Pick<DataTransferItem, "webkitGetAsEntry"> & {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
};

/**
 * Every file of a drop, including folders. Must be called in the drop event itself: the list does not exist afterwards.
 * A page that was opened from a disk can read handles, and no entries.
 */
export async function filesOfDrop(
  transfer: Pick<DataTransfer, "files"> & { readonly items: Iterable<DroppedItem> },
): Promise<PickedFile[]> {
  const plain = pickedOf(transfer.files);
  const dropped = Array.from(transfer.items, (item) => ({
    entry: item.webkitGetAsEntry(),
    handle: item.getAsFileSystemHandle?.() ?? Promise.resolve(null),
  }));
  // Files of a page's own drop have no entry, and in Chromium their handles never arrive.
  if (dropped.every(({ entry }) => entry === null)) return plain;
  const lists = await Promise.all(
    dropped.map(async ({ entry, handle }) => {
      const found = await handle.catch(() => null);
      if (found !== null) return filesOfHandle(found, found.name);
      return entry === null ? [] : filesOfEntry(entry);
    }),
  );
  return lists.flat();
}

async function filesOfHandle(handle: FileSystemHandle, path: string): Promise<PickedFile[]> {
  if (isFileHandle(handle)) return [{ file: await handle.getFile(), path, handle }];
  const inside: FileSystemHandle[] = [];
  for await (const each of (handle as FileSystemDirectoryHandle).values()) inside.push(each);
  const lists = await Promise.all(inside.map((each) => filesOfHandle(each, `${path}/${each.name}`)));
  return lists.flat();
}

const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === "file";

async function filesOfEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    // The full path begins with a slash, which is the root of the drop.
    return [{ file, path: entry.fullPath.replace(/^\//u, ""), handle: null }];
  }
  const inside = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map(filesOfEntry))).flat();
}

/** Chromium's picker, which returns handles. */
type PickFiles = (options: { readonly multiple: true }) => Promise<FileSystemFileHandle[]>;

const handlePicker = (): PickFiles | undefined =>
  (globalThis as { showOpenFilePicker?: PickFiles }).showOpenFilePicker?.bind(globalThis);

export const hasHandlePicker = (): boolean => handlePicker() !== undefined;

/** Files of a picker that returns handles; empty when the user chooses no file. */
export async function filesOfHandlePicker(): Promise<PickedFile[]> {
  const handles = (await handlePicker()?.({ multiple: true }).catch(() => [])) ?? [];
  return Promise.all(
    handles.map(async (handle) => {
      const file = await handle.getFile();
      return { file, path: file.name, handle };
    }),
  );
}

/** A directory reader returns at most 100 entries at a time. */
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
