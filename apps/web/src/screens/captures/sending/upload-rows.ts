/** The rows of a draft's files that are being sent. */
import type { UploadInParts } from "@aglens/contract";
import { LEAST_BYTES_IN_PARTS } from "../../../data/parts-upload.ts";
import { usePlace } from "../../../data/place.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import type { Queued, SetDraft, Upload, UploadRows } from "./draft-types.ts";
import type { PickedFile } from "./picked-files.ts";

/** The rows of files that are being sent, or did not arrive. */
export function sendingRows(set: SetDraft): UploadRows {
  let nextKey = 1;
  const others = new Map<number, { readonly picked: PickedFile; readonly otherThan: UploadInParts }>();
  const rowOf = (file: File, kept: UploadInParts | null, otherThan: UploadInParts | null = null): Upload => ({
    key: nextKey++,
    name: file.name,
    size: file.size,
    sent: kept?.received ?? 0,
    problem: null,
    parts:
      isInParts(file) || kept !== null || otherThan !== null
        ? {
            kept: kept?.received ?? 0,
            breaks: kept === null ? [] : [kept.received],
            waiting: null,
            keptUntilMs: kept === null ? null : Date.parse(kept.expires),
            otherThan,
            // The server reads a continued upload when it is complete: its first part arrived without a reader, or the
            // reader of that part has ended.
            reading: otherThan === null ? { read: null, isLater: kept !== null } : null,
          }
        : null,
  });
  const change = (key: number, patched: (item: Upload) => Upload): void =>
    set(({ uploads }) => ({ uploads: uploads.map((item) => (item.key === key ? patched(item) : item)) }));
  const dismiss = (key: number): void =>
    set(({ uploads }) => ({ uploads: uploads.filter((item) => item.key !== key) }));
  return {
    append(files, carriedOn = new Map()) {
      const queue = files.map((picked): Queued => {
        const carriesOn = carriedOn.get(picked) ?? null;
        return { picked, carriesOn, item: rowOf(picked.file, carriesOn) };
      });
      set(({ uploads }) => ({ uploads: [...uploads, ...queue.map((entry) => entry.item)] }));
      return queue;
    },
    appendOther(picked, otherThan) {
      const item = { ...rowOf(picked.file, null, otherThan), problem: otherWords(picked.file, otherThan) };
      others.set(item.key, { picked, otherThan });
      set(({ uploads }) => ({ uploads: [...uploads, item] }));
    },
    takeOther(key) {
      const other = others.get(key) ?? null;
      if (other !== null) dismiss(key);
      others.delete(key);
      return other;
    },
    patch: (key, patch) => change(key, (item) => ({ ...item, ...patch })),
    patchParts: (key, patch) =>
      change(key, (item) =>
        item.parts === null ? item : { ...item, parts: { ...item.parts, ...patch(item.parts) } },
      ),
    dismiss,
    keepReading: (key, [became, ...others]) =>
      set(({ uploads, readings }) => {
        const reading = uploads.find((item) => item.key === key)?.parts?.reading ?? null;
        const isOne = became !== undefined && others.length === 0 && reading !== null;
        return isOne ? { readings: new Map(readings).set(became.id, { ...reading, key }) } : {};
      }),
  };
}

/** Files that the browser reads are not sent. */
const isInParts = (file: File): boolean =>
  file.size >= LEAST_BYTES_IN_PARTS && usePlace.getState().place === "server";

function otherWords(file: File, { size }: UploadInParts): string {
  const how = file.size === size ? texts.itsFirst64KB : texts.itsSizeDiffers;
  return texts.thisIsAnotherFile(how);
}
