import { join } from "node:path";
import { decodeModelBeforeEvents, MODEL_FILES } from "@aglens/contract";
import type { ModelFile, Summary } from "@aglens/contract";
import { takeEpisodes } from "@aglens/ag-model/diagnosis";
import { takeStatistics } from "@aglens/ag-model/query";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { readChecked } from "../../store/checksum.ts";
import type { Checksum } from "../../store/checksum.ts";
import { tablesDamaged } from "./valid-sources.ts";

const EVENT_INDEX = "events.arrow" satisfies ModelFile;

/** A stored analysis that was read completely, except for its index of raw events. */
export interface OpenedModel {
  readonly model: CaptureModel;
  /** Reads that index into the model, once, and returns the model. @throws ProblemError `capture-damaged` */
  readonly withEvents: () => Promise<CaptureModel>;
}

/**
 * Opens a stored analysis from its folder.
 * @param checksums by file name; a file without one is not checked
 * @throws ProblemError `capture-damaged` for a file that has changed since it was stored
 */
export async function openModel(
  folder: string,
  checksums: Readonly<Record<string, Checksum>>,
): Promise<OpenedModel> {
  const read = (name: string) => readValid(join(folder, name), name, checksums[name]);
  const files = {} as Record<ModelFile, Uint8Array>;
  for (const name of MODEL_FILES) if (name !== EVENT_INDEX) files[name] = await read(name);
  const { model, takeEvents } = decodeModelBeforeEvents(files);
  // A question for the summary reports its damage; here the summary only saves computation.
  const summary = await read(SUMMARY_FILE).catch(() => null);
  if (summary !== null) takeFound(model, JSON.parse(new TextDecoder().decode(summary)) as Summary);
  const readEvents = async (): Promise<CaptureModel> => {
    takeEvents(await read(EVENT_INDEX));
    return model;
  };
  let whole: Promise<CaptureModel> | null = null;
  return { model, withEvents: () => (whole ??= readEvents()) };
}

function takeFound(model: CaptureModel, summary: Summary): void {
  takeStatistics(model, summary);
  takeEpisodes(model, summary.verdict);
}

/** Reads an entire stored analysis; parameters and errors as `openModel`. */
export async function readModel(
  folder: string,
  checksums: Readonly<Record<string, Checksum>>,
): Promise<CaptureModel> {
  const { withEvents } = await openModel(folder, checksums);
  return withEvents();
}

/** A file as it was stored. @throws ProblemError `capture-damaged` */
export async function readValid(
  path: string,
  name: string,
  expected: Checksum | undefined,
): Promise<Uint8Array> {
  const found = await readChecked(path, expected).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw tablesDamaged(name, "is missing");
  });
  if (found !== null) return found;
  throw tablesDamaged(name, "has other content than was stored");
}
