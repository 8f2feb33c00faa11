import type { FileKind, RecognizedFile } from "../shapes.ts";
import { readCounters } from "./counters.ts";
import { readDiskspd } from "./diskspd.ts";
import { readRowsets } from "./rowsets.ts";
import type { SampleOptions, Samples } from "./samples.ts";
import { readSchedulers, readWaits } from "./table-files.ts";

/** Kinds of files with samples. */
export const SAMPLE_KINDS: ReadonlySet<FileKind> = new Set([
  "rowsets",
  "schedulers",
  "waits",
  "counters",
  "diskspd",
]);

/**
 * Reads the samples of a recognized file: rowsets, waits, schedulers, counters or a result of Diskspd.
 * @param chunks bytes of the complete file, in order
 * @returns null for a file without samples
 */
export const readSamples = async (
  file: RecognizedFile,
  chunks: AsyncIterable<Uint8Array>,
  settings: Pick<SampleOptions, "columns" | "keepSensitive"> = {},
): Promise<Samples | null> =>
  samplesIn(file.kind, chunks, {
    ...settings,
    file: file.name,
    server: file.server,
    utcOffsetMinutes: file.utcOffsetMinutes,
  });

async function samplesIn(
  kind: RecognizedFile["kind"],
  chunks: AsyncIterable<Uint8Array>,
  options: SampleOptions,
): Promise<Samples | null> {
  switch (kind) {
    case "rowsets":
      return readRowsets(chunks, options);
    case "schedulers":
      return readSchedulers(chunks, options);
    case "waits":
      return readWaits(chunks, options);
    case "counters":
      return readCounters(chunks, options);
    case "diskspd":
      return readDiskspd(chunks, options);
    default:
      return null;
  }
}
