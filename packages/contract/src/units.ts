/** Parts that several shapes share. Durations and times are µs; JSON has no NaN: a missing value is null. */
import { REMOTE_STAGE_IDS, STAGE_IDS } from "@aglens/ag-model/replication";
import { z } from "./zod.ts";

export const us = z.number().nullable();

export const StageId = z.enum(STAGE_IDS);

export const RemoteStageId = z.enum(REMOTE_STAGE_IDS);

export const CommitMode = z.enum(["sync", "async", "undetermined"]);

/** A period, µs. */
export const Window = z.object({ from: z.number(), to: z.number() });
