/** Uploads in parts on the disk: the bytes that arrived, and next to them a note about the complete file. */
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import type { Space } from "../store/space.ts";
import { writeAll } from "../kernel/write-all.ts";
import { writeAside } from "../kernel/write-aside.ts";

/** So many bytes are written between two looks at the disk. */
const LOOK_BYTES = 16 * 1024 * 1024;
const NOTE = ".json";
const UPLOADS_FOLDER = "uploads";
const ID = /^[A-Za-z0-9_-]{1,40}$/u;

/** Note of an upload, stored when it begins, and again when its file is in its capture. */
export const UploadNote = z.object({
  id: z.string().regex(ID),
  captureId: z.string(),
  name: z.string(),
  path: z.string(),
  /** Id of the file whose place it takes. */
  replaces: z.string().optional(),
  /** Statement texts, host and login names stay in the file. */
  keepSensitive: z.boolean().optional(),
  size: z.number(),
  head: z.string().nullable(),
  begun: z.string(),
  /** Ids of the files that it became. */
  fileIds: z.array(z.string()).optional(),
});
export type UploadNote = z.infer<typeof UploadNote>;

export interface ReceivedBytes {
  readonly bytes: number;
  /** Time of the last bytes, ms since 1970. */
  readonly at: number;
}

/** Place of uploads until they are files of their captures. */
export interface UploadFiles {
  /** Whether several servers have them: another server may be working on an upload. */
  readonly isShared: boolean;
  /** Notes of all uploads. */
  notes(): Promise<UploadNote[]>;
  /** Null where there is no such upload. */
  note(id: string): Promise<UploadNote | null>;
  /** It counts from when this is called, also where it cannot be written. */
  save(note: UploadNote): Promise<void>;
  /** Makes the file of the bytes; before the note, so that a note has one. */
  begin(id: string): Promise<void>;
  received(id: string): Promise<ReceivedBytes>;
  /**
   * Writes bytes after the present ones. The returned number of bytes is on the disk; so are bytes from a source that
   * breaks off.
   * @param offset bytes that are there
   * @returns bytes that are there then
   * @throws ProblemError `disk-full`; errors of the source
   */
  append(id: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** Path of the bytes, if all arrived at this server. */
  path(id: string): string;
  /** Path of all bytes of a complete upload. @throws ProblemError `wrong-state` while another server takes it in */
  whole(upload: Pick<UploadNote, "id" | "size">): Promise<string>;
  removeBytes(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/**
 * Uploads in a folder of the data directory. Other files in it are from interrupted starts of uploads, and are deleted.
 */
export async function openUploadFiles(
  directory: string,
  space: Pick<Space, "expectRoom">,
  clock: Clock,
): Promise<UploadFiles> {
  const folder = join(directory, UPLOADS_FOLDER);
  await mkdir(folder, { recursive: true });
  const path = (id: string): string => join(folder, id);
  const notePath = (id: string): string => `${path(id)}${NOTE}`;
  const notes = await notesIn(folder);

  /** The time of the file's last change is by this program's clock, and outlives its process. */
  const dated = async (handle: FileHandle): Promise<void> => {
    const now = clock.now() / 1000;
    await handle.utimes(now, now);
  };

  const remove = async (id: string): Promise<void> => {
    notes.delete(id);
    await rm(notePath(id), { force: true });
    await rm(path(id), { force: true });
  };

  return {
    isShared: false,
    path,
    whole: ({ id }) => Promise.resolve(path(id)),
    notes: () => Promise.resolve([...notes.values()]),
    note: (id) => Promise.resolve(notes.get(id) ?? null),
    save: (note) => {
      notes.set(note.id, note);
      return writeAside(notePath(note.id), JSON.stringify(note));
    },
    begin: async (id) => {
      const handle = await open(path(id), "wx");
      try {
        await dated(handle);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    received: async (id) => {
      const found = await stat(path(id)).catch(() => null);
      if (found !== null) return { bytes: found.size, at: Math.round(found.mtimeMs) };
      // The bytes of a file that is in its capture are no longer here; its note has their age.
      return { bytes: 0, at: (await stat(notePath(id)).catch(() => null))?.mtimeMs ?? 0 };
    },
    append: async (id, offset, source) => {
      const handle = await open(path(id), "r+");
      let end = offset;
      let lookAt = offset;
      try {
        for await (const bytes of source) {
          if (end >= lookAt) {
            await space.expectRoom(bytes.byteLength);
            lookAt = end + LOOK_BYTES;
          }
          await writeAll(handle, bytes, end);
          end += bytes.byteLength;
        }
      } finally {
        await dated(handle);
        await handle.sync();
        await handle.close();
      }
      return end;
    },
    removeBytes: (id) => rm(path(id), { force: true }),
    remove,
  };
}

/** Uploads in a data directory that have not become files of their captures; reads only. @returns how many */
export async function unfinishedUploads(directory: string): Promise<number> {
  const folder = join(directory, UPLOADS_FOLDER);
  const notes = await readNotes(folder, await readdir(folder).catch(() => []));
  return notes.filter(({ fileIds }) => fileIds === undefined).length;
}

/** @param names of the files in the folder */
async function readNotes(folder: string, names: readonly string[]): Promise<UploadNote[]> {
  const notes: UploadNote[] = [];
  for (const name of names.filter((each) => each.endsWith(NOTE))) {
    const note = noteIn(await readFile(join(folder, name), "utf8"));
    if (note !== null && `${note.id}${NOTE}` === name) notes.push(note);
  }
  return notes;
}

async function notesIn(folder: string): Promise<Map<string, UploadNote>> {
  const names = await readdir(folder);
  const notes = new Map((await readNotes(folder, names)).map((note) => [note.id, note]));
  const known = new Set([...notes.keys()].flatMap((id) => [id, `${id}${NOTE}`]));
  for (const name of names) if (!known.has(name)) await rm(join(folder, name), { force: true });
  return notes;
}

/** Null for another text. */
export function noteIn(text: string): UploadNote | null {
  try {
    return UploadNote.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
