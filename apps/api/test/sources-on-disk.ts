import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Files of a capture on the disk, without the note next to them, which is written after the changes. */
export async function sourcesOnDisk(dataDirectory: string, captureId: string): Promise<string[]> {
  const names = await readdir(join(dataDirectory, "captures", captureId)).catch(() => []);
  return names.filter((name) => !name.startsWith("capture.json"));
}
