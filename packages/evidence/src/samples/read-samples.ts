import type { RecognizedFile } from "../shapes.ts";
import { readCounters } from "./counters.ts";
import { readDiskspd } from "./diskspd.ts";
import { readRowsets } from "./rowsets.ts";
import type { SampleOptions, Samples } from "./samples.ts";
import { readSchedulers, readWaits } from "./table-files.ts";

/** Samples, and the file as far as reading shows more than recognition. */
export interface ReadSamples extends Samples {
  readonly file: RecognizedFile;
}

type Settings = Partial<Omit<SampleOptions, "file" | "server">>;

/**
 * Reads the samples of a recognized file: rowsets, waits, schedulers, counters or a result of Diskspd.
 * @param chunks bytes of the complete file, in order
 * @param settings an offset from UTC here is that of another file of the server, or one that the user chose
 * @returns null for a file without samples
 */
export async function readSamples(
  file: RecognizedFile,
  chunks: AsyncIterable<Uint8Array>,
  settings: Settings = {},
): Promise<ReadSamples | null> {
  const samples = await samplesIn(file.kind, chunks, {
    ...settings,
    file: file.name,
    server: file.server,
    utcOffsetMinutes: file.utcOffsetMinutes ?? settings.utcOffsetMinutes ?? null,
  });
  return samples === null ? null : { ...samples, file: fileOf(file, samples) };
}

/** The file with what reading it showed: its server, and sentences about its figures. */
function fileOf(file: RecognizedFile, { series, server, remarks }: Samples): RecognizedFile {
  const isNamed = server !== null && server !== file.server;
  const named: RecognizedFile = isNamed ? { ...file, server, serverFrom: "content" } : file;
  if (series.length > 0) return { ...named, use: [file.use, ...remarks].join(" ") };
  const reason = remarks.length > 0 ? remarks.join(" ") : "The file has no samples that AG Lens uses.";
  return { ...named, state: "notUsed", use: reason };
}

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
