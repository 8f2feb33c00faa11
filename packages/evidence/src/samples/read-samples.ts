import type { RecognizedFile } from "../shapes.ts";
import { readCounters } from "./counters.ts";
import { readDiskspd } from "./diskspd.ts";
import { readRowsets } from "./rowsets.ts";
import type { SampleOptions, Samples } from "./samples.ts";
import { readSchedulers, readWaits } from "./table-files.ts";

type Settings = Partial<Omit<SampleOptions, "file" | "server">>;

/**
 * Reads the samples of a recognized file: rowsets, waits, schedulers, counters or a result of Diskspd.
 * @param chunks bytes of the complete file, in order
 * @param settings an offset from UTC here is that of another file of the server, or one that the user chose
 * @returns null for a file without samples
 */
export async function readSamples(
  { name, kind, server, utcOffsetMinutes }: RecognizedFile,
  chunks: AsyncIterable<Uint8Array>,
  settings: Settings = {},
): Promise<Samples | null> {
  const options: SampleOptions = {
    ...settings,
    file: name,
    server,
    utcOffsetMinutes: utcOffsetMinutes ?? settings.utcOffsetMinutes ?? null,
  };
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
