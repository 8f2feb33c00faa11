/** Memory of a tab that reads files in the browser (docs/contribute/speed.md, "Memory of a tab"). */

/**
 * Measured peak of the tab's private memory: 0.81 GB for 613 MB of events, 2.3 GB for 2.45 GB, so one byte per byte in
 * addition to the page; with reserve for captures of more replicas.
 */
const BYTES_PER_BYTE = 1.5;
/** The page itself, its threads, and data that is read ahead. */
const PAGE_BYTES = 200_000_000;

/** Used where the browser does not report its memory, such as Firefox and Safari; few computers have less. */
const ASSUMED_MEMORY_GIB = 4;

/** Bytes of event files that the tab can read and analyze in half of this computer's memory. @param memoryGib of the computer */
export function mostEventBytes(memoryGib: number = memoryOfComputer()): number {
  return Math.max(0, (memoryGib * 2 ** 30) / 2 - PAGE_BYTES) / BYTES_PER_BYTE;
}

/** Bytes of memory that the analysis of event files of this size needs. */
export const neededMemory = (eventBytes: number): number => PAGE_BYTES + BYTES_PER_BYTE * eventBytes;

/** GiB, rounded by the browser so that the value identifies computers less precisely. */
const memoryOfComputer = (): number =>
  (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory ?? ASSUMED_MEMORY_GIB;

/** Bytes of a file after reading; for a zip the bytes of its entries, by its directory. */
export async function unpackedBytes(file: File): Promise<number> {
  if (!/\.zip$/iu.test(file.name)) return file.size;
  const { EVENT_FILE_BOUNDS, readZipDirectory } = await import("@aglens/zip");
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  try {
    const entries = await readZipDirectory({ size: file.size, read }, EVENT_FILE_BOUNDS.maxEntries);
    return entries.reduce((sum, { bytes }) => sum + bytes, 0);
  } catch {
    // The reader of the file reports the fault.
    return file.size;
  }
}
