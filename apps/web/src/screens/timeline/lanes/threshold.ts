import type { BlockFilter, FilterStage } from "@aglens/contract";
import type { Hits } from "../../../charts/timeline/scene.ts";
import type { Lane } from "../../../lanes/lanes.ts";

/** The threshold of the first condition on a stage with lanes, and these lanes; null without such a condition. */
export function thresholdOf(where: BlockFilter | null, lanes: readonly Lane[]): Hits["threshold"] {
  for (const condition of where ?? []) {
    if (condition.kind !== "duration") continue;
    const { stage, secondary, comparison } = condition;
    const own = lanes.filter(
      (lane) => isLaneOf(lane, stage) && (secondary ?? lane.secondary) === lane.secondary,
    );
    if (own.length > 0) return { us: comparison.amount, lanes: own.map(({ key }) => key) };
  }
  return null;
}

const isLaneOf = ({ figure }: Lane, stage: FilterStage): boolean =>
  stage === "logWrite" ? figure === "localFlush" || figure === "secondaryFlush" : figure === stage;
