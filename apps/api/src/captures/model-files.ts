import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeModel, MODEL_FILES } from "@aglens/contract";
import type { ModelFile } from "@aglens/contract";
import type { CaptureModel } from "@aglens/ag-model/replication";

/** The summary with its verdict, as the analysis found it; the capture's id and name are put in when it is asked for. */
export const SUMMARY_FILE = "summary.json";

/** The whole capture in a few hundred bins, as `window` answers them: the picture on cards. */
export const PREVIEW_FILE = "preview.arrow";

/** Reads a stored analysis from its folder. */
export async function readModel(folder: string): Promise<CaptureModel> {
  const files = {} as Record<ModelFile, Uint8Array>;
  for (const name of MODEL_FILES) files[name] = await readFile(join(folder, name));
  return decodeModel(files);
}
