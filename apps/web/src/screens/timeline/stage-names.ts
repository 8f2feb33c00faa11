/** Stages that the pane lists, and what it calls them. */
import { REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { type ReplicaNames, stageWords } from "../../lanes/palette.ts";
import { isLateCapture } from "../capture-view/release.ts";
import { capitalised } from "../../ui/words.ts";

/** In the order of the path from commit to commit. */
export const PANE_STAGES: readonly StageId[] = [
  "commitQueue",
  "localFlush",
  ...REMOTE_STAGE_IDS,
  "commitWakeUp",
];

/** What the pane lists of these figures: where blocks waited for their capture that too, before they were sent. */
export const paneStages = (captureLagUs: number | null | undefined): readonly StageId[] =>
  isLateCapture(captureLagUs)
    ? PANE_STAGES.toSpliced(PANE_STAGES.indexOf("send"), 0, "captureLag")
    : PANE_STAGES;

/** Stage name in the tables of the pane: what first, the place only where it parts two of the same. */
export function paneStageWords(id: StageId, names: ReplicaNames): string {
  if (id === "localFlush") return `Log write, ${names.primary}`;
  if (id === "secondaryFlush") return `Log write, ${names.secondary}`;
  if (id === "send") return "Capture and send";
  const words = stageWords(id, names).replace(`${names.primary} `, "").replace(`${names.secondary} `, "");
  return capitalised(words);
}
