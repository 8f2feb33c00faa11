import { isSpanId, type SpanId } from "@aglens/ag-model/columns";
import type { StageId } from "@aglens/ag-model/replication";
import type { SlowestSort } from "@aglens/contract";
import type { Lane } from "../../../lanes/lanes.ts";

/** Order of the slow blocks that finds the largest block of a lane whose figure has no order of its own. */
const SORT_OF: Readonly<Record<SpanId, StageId>> = {
  acknowledge: "ackSend",
  unseen: "remoteHarden",
  ackWakeUp: "ackReceive",
};

/** The order of slow blocks that lists those of a lane first. */
export const slowestSort = ({ figure }: Pick<Lane, "figure">): SlowestSort =>
  isSpanId(figure) ? SORT_OF[figure] : figure;
