import { isLocalStage, isStageId, type StageId } from "../replication/shapes/stages.ts";
import type { SpanId } from "./anchor-spans.ts";

/**
 * Name of the durations of a stage or span in bins and figures: its id when it is the same for every secondary, else
 * `hop<secondary>.<id>`.
 * @param secondary number of the secondary
 */
export const durationKey = (id: StageId | SpanId, secondary: number): string =>
  isStageId(id) && isLocalStage(id) ? id : `hop${secondary}.${id}`;
