import { readFile } from "node:fs/promises";
import { decodeModel, MODEL_FILES } from "xel-parser/contract";
import type { ModelFile } from "xel-parser/contract";
import type { CaptureModel } from "xel-parser/replication";

/**
 * Reads a stored analysis.
 * @param path where the file of that name is
 */
export async function readModel(path: (name: string) => string): Promise<CaptureModel> {
  const files = {} as Record<ModelFile, Uint8Array>;
  for (const name of MODEL_FILES) files[name] = await readFile(path(name));
  return decodeModel(files);
}
