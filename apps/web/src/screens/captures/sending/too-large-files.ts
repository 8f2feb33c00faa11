/** Whether files that are read in the browser fit in the memory of a tab. */
import type { FileCorrection } from "@aglens/contract";
import { usePlace } from "../../../data/place.ts";
import { mostEventBytes, unpackedBytes } from "../../../data/tab-memory.ts";
import type { Draft, TooLargeFiles } from "./draft-types.ts";
import type { PickedFile } from "./picked-files.ts";

/** Whether files are read in this browser; a server reads files of any size. */
export const isReadHere = (): boolean => usePlace.getState().place === "browser";

/**
 * Null where the files fit in addition to the files of the draft; otherwise these files with those that wait already.
 * @param mostBytes of all files that fit
 */
export async function tooLargeFor(
  picked: readonly PickedFile[],
  as: FileCorrection | undefined,
  { capture, uploads, tooLarge }: Pick<Draft, "capture" | "uploads" | "tooLarge">,
  mostBytes: number = mostEventBytes(),
): Promise<TooLargeFiles | null> {
  const sized = await Promise.all(
    picked.map(async (one) => ({ picked: one, bytes: await unpackedBytes(one.file) })),
  );
  const files = [...(tooLarge?.files ?? []), ...sized];
  const sumOf = (all: readonly number[]): number => all.reduce((sum, bytes) => sum + bytes, 0);
  const bytes = sumOf(files.map((file) => file.bytes));
  const before = sumOf([...(capture?.files ?? []), ...uploads].map(({ size }) => size));
  const room = Math.max(0, mostBytes - before);
  return bytes <= room ? null : { files, bytes, mostBytes: room, as };
}
