import {
  isWritePart,
  writePart,
  type SplitStage,
  type WritePartId,
} from "../replication/shapes/write-parts.ts";
import type { CaptureModel, WriteParts } from "../replication/shapes/tables.ts";
import { perModelBy } from "./per-model.ts";
import { stageColumn } from "./stage-columns.ts";

/** Stages of the primary have one column for all secondaries. */
const keyOf = (id: WritePartId | SplitStage, secondary: number): string =>
  `${isLocalWrite(id) ? 0 : secondary} ${id}`;

/** True for the primary's log write and its parts, which are the same for every secondary. */
export const isLocalWrite = (id: WritePartId | SplitStage): boolean =>
  (isWritePart(id) ? writePart(id).of : id) === "localFlush";

const partsIn = (
  model: CaptureModel,
  secondary: number,
  id: WritePartId | SplitStage,
): WriteParts | undefined => (isLocalWrite(id) ? model.blocks : model.hops[secondary]);

/** Durations of a part of the log writes of one server, µs, one per block; NaN where no file write shows it. */
export const writePartColumn = perModelBy(
  (secondary: number, id: WritePartId) => keyOf(id, secondary),
  (model: CaptureModel, secondary, id): Float64Array => {
    const columns = partsIn(model, secondary, id);
    const { part, of } = writePart(id);
    if (columns === undefined) return new Float64Array(model.blocks.length).fill(Number.NaN);
    if (part !== "device") return part === "queue" ? columns.writeQueue : columns.writeCompletion;
    const writes = stageColumn(model, secondary, of);
    const { writeQueue, writeCompletion } = columns;
    return writes.map((us, row) => us - writeQueue[row] - writeCompletion[row]);
  },
);

/** Whether file writes show the parts of a log write of that server. */
export const isSplit = perModelBy(
  (secondary: number, stage: SplitStage) => keyOf(stage, secondary),
  (model: CaptureModel, secondary, stage): boolean =>
    partsIn(model, secondary, stage)?.writeQueue.some((us) => !Number.isNaN(us)) ?? false,
);
