import type { Kept } from "./spill.ts";

/**
 * Sentences about recorded data that the capture of a run lacks.
 * @param isCut whether writing was given up at some time
 */
export function missingOf(
  { droppedBytes, lostBytes }: Omit<Kept, "bytes" | "limit">,
  isCut: boolean,
): string[] {
  const sentences: string[] = [];
  if (isCut) sentences.push("The disk took no more event buffers at some time: the capture ends there.");
  else if (lostBytes > 0)
    sentences.push(
      `${megabytes(lostBytes)} MB of event buffers were lost: they came faster than the disk took them. The capture has gaps there.`,
    );
  if (droppedBytes > 0)
    sentences.push(
      `The capture lacks ${megabytes(droppedBytes)} MB of its beginning: the limit of one run was reached.`,
    );
  return sentences;
}

const megabytes = (bytes: number): string => Math.ceil(bytes / 1e6).toLocaleString("en");
