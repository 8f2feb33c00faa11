/** Files of earlier captures, opened by the handles that Chromium-based browsers provide. */
import type { KeptHandle } from "./kept-store.ts";

/** Chromium's extension, which TypeScript does not declare. */
interface AskingHandle extends FileSystemFileHandle {
  queryPermission?(descriptor: { readonly mode: "read" }): Promise<PermissionState>;
  requestPermission?(descriptor: { readonly mode: "read" }): Promise<PermissionState>;
}

/**
 * The unchanged files that the user lets the browser open again; the others are skipped. Call it while a click is
 * handled, because the browser asks the user.
 */
export async function filesOfHandles(handles: readonly KeptHandle[]): Promise<File[]> {
  const files: File[] = [];
  for (const kept of handles) {
    // oxlint-disable-next-line no-await-in-loop -- the browser asks one question after the other
    const file = await fileOfHandle(kept).catch(() => null);
    if (file !== null) files.push(file);
  }
  return files;
}

async function fileOfHandle({ handle, size, lastModified }: KeptHandle): Promise<File | null> {
  if (!(await mayRead(handle))) return null;
  const file = await handle.getFile();
  return file.size === size && file.lastModified === lastModified ? file : null;
}

async function mayRead(handle: AskingHandle): Promise<boolean> {
  const mode = { mode: "read" } as const;
  if ((await handle.queryPermission?.(mode)) === "granted") return true;
  return (await handle.requestPermission?.(mode)) === "granted";
}
