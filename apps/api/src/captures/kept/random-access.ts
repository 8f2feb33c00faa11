import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { OpenSource, SourceFile } from "@aglens/engine/answers";
import { readAll } from "../../kernel/read-all.ts";
import { blobGone, unlessMissing } from "../../store/blobs.ts";

/** Opens files by their paths. @param paths path of each source file, by its name in the model */
export function openAt(paths: Readonly<Record<string, string>>): OpenSource {
  return async (name) => {
    const path = paths[name];
    if (path === undefined) return null;
    return randomAccess(path).catch((error: NodeJS.ErrnoException) => {
      unlessMissing(error);
      throw blobGone();
    });
  };
}

/** Opens a file for reads at any offset; the caller closes it. */
export async function randomAccess(path: string): Promise<SourceFile> {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    size,
    read: (offset, length) => readAt(handle, offset, Math.max(0, Math.min(length, size - offset))),
    close: () => handle.close(),
  };
}

/** Bytes of an open file from an offset on; fewer where the file ends before. */
export async function readAt(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await readAll(handle, bytes, offset));
}

/** Bytes of a file from an offset on, counted from its end when negative; fewer where the file is shorter. */
export async function bytesAt(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await randomAccess(path);
  try {
    return await file.read(offset < 0 ? Math.max(0, file.size + offset) : offset, length);
  } finally {
    await file.close();
  }
}
