import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { namesOfSlots, primaryMoved } from "../phase.ts";

/** Instead of the names of servers that had these roles one after the other. */
export const ROLES: ReplicaNames = { primary: "primary", secondary: "secondary" };

/** Whose acknowledgement released commits. */
export function releasedBy(summary: Summary, gate: number): string {
  if (gate === 0) return "Released by local log write";
  const isOne = summary.replicas.length === 2;
  if (isOne && primaryMoved(summary)) return "Released by the secondary's ack";
  return `Released by ${namesOfSlots(summary)[gate] ?? "a secondary"}'s ack`;
}
