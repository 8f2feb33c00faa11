/** Stages that the pane lists. */
import { REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { isLateCapture } from "../capture-view/release.ts";

/** In the order of the path from commit to commit. */
export const PANE_STAGES: readonly StageId[] = [
  "commitQueue",
  "localFlush",
  ...REMOTE_STAGE_IDS,
  "commitWakeUp",
];

/** The stages of the pane. Where blocks waited for log capture, that wait is listed before the send. */
export const paneStages = (captureLagUs: number | null | undefined): readonly StageId[] =>
  isLateCapture(captureLagUs)
    ? PANE_STAGES.toSpliced(PANE_STAGES.indexOf("send"), 0, "captureLag")
    : PANE_STAGES;
