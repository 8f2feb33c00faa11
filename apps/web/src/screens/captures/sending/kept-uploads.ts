/** Files that are chosen again: which of them carry on an upload that the server has a part of. */
import type { Capture, UploadInParts } from "@aglens/contract";
import { LEAST_BYTES_IN_PARTS } from "../../../data/parts-upload.ts";
import { usePlace } from "../../../data/place.ts";
import type { Draft, DraftClient } from "./draft-types.ts";
import type { PickedFile } from "./picked-files.ts";

export interface FoundUploads {
  /** The capture of the uploads, when no capture was open; else null. */
  readonly capture: Capture | null;
  /** Files that carry on an upload. */
  readonly carriedOn: ReadonlyMap<PickedFile, UploadInParts>;
  /** All that is to be sent, with those. */
  readonly toSend: readonly PickedFile[];
  /** Files with the name of an upload of the capture and another content. */
  readonly others: ReadonlyMap<PickedFile, UploadInParts>;
  /** Number of complete files that the capture already has. */
  readonly whole: number;
}

/** Whether the server may have a part of some of the files. */
export const mayBeKept = (picked: readonly PickedFile[], { kept }: Pick<Draft, "kept">): boolean =>
  usePlace.getState().place === "server" &&
  (kept.length > 0 || picked.some(({ file }) => file.size >= LEAST_BYTES_IN_PARTS));

/** All files are new. */
export const nothingKept = (picked: readonly PickedFile[]): FoundUploads => ({
  capture: null,
  carriedOn: new Map(),
  toSend: picked,
  others: new Map(),
  whole: 0,
});

/**
 * Sorts the chosen files by what the server has of them. A file continues an upload when name, size and first 64 kB are
 * the same. When the upload of a capture continues, files that the capture has with the same name and size are not sent
 * again.
 */
export async function findKept(
  client: DraftClient,
  picked: readonly PickedFile[],
  draft: Pick<Draft, "capture" | "kept">,
): Promise<FoundUploads> {
  const all = await client.uploadsOfServer().catch(() => []);
  // An open capture only continues its own uploads; without one, the first file that is found determines the capture.
  let id = draft.capture?.id ?? null;
  const carriedOn = new Map<PickedFile, UploadInParts>();
  const others = new Map<PickedFile, UploadInParts>();
  for (const each of picked) {
    const named = all.filter(
      (upload) => upload.name === each.file.name && (id === null || upload.captureId === id),
    );
    // oxlint-disable-next-line no-await-in-loop -- which capture it is, the first one decides
    const same = await sameFile(client, each, named);
    if (same !== null) {
      id ??= same.captureId;
      carriedOn.set(each, same);
    } else if (draft.capture !== null && named[0] !== undefined) others.set(each, named[0]);
  }
  const capture = id !== null && draft.capture === null ? await client.readCapture(id) : null;
  const present = carriedOn.size + others.size === 0 ? [] : (capture ?? draft.capture)?.files;
  const isComplete = ({ file }: PickedFile): boolean =>
    (present ?? []).some(({ name, size }) => name === file.name && size === file.size);
  const rest = picked.filter((each) => !others.has(each));
  const toSend = rest.filter((each) => carriedOn.has(each) || !isComplete(each));
  return { capture, carriedOn, toSend, others, whole: rest.length - toSend.length };
}

async function sameFile(
  client: DraftClient,
  { file }: PickedFile,
  named: readonly UploadInParts[],
): Promise<UploadInParts | null> {
  const sized = named.filter(({ size }) => size === file.size);
  if (sized.length === 0) return null;
  const head = await client.headOf(file);
  return sized.find((upload) => upload.head === head) ?? null;
}
