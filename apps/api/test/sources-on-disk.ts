import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Files of a capture as they lie on the disk, without the note beside them, which is written behind the changes. */
export async function sourcesOnDisk(dataDirectory: string, captureId: string): Promise<string[]> {
  const names = await readdir(join(dataDirectory, "captures", captureId)).catch(() => []);
  return names.filter((name) => !name.startsWith("capture.json"));
}
