/** Why the newest event of a replica is old: the events are late, its rows wait for each other, or it had no event. */
import type { LiveReplica } from "@aglens/contract";

/** Maximum time for the delay in the session of AG Lens, the transfer and one picture, s. */
export const PROMPT_S = 3.1;

type Delivery = Pick<LiveReplica, "behindSeconds" | "lateSeconds" | "waitedSeconds" | "unheardSince">;

/** @returns null where the newest event is as new as it can be */
export function whyOld({
  behindSeconds,
  lateSeconds,
  waitedSeconds,
  unheardSince,
}: Delivery): "late" | "rowsWait" | "noEvent" | "notHeard" | null {
  if (behindSeconds === null || behindSeconds < PROMPT_S) return null;
  if (unheardSince !== null) return "notHeard";
  // Without a measurement no other reason is likely.
  const isPrompt = lateSeconds !== null && lateSeconds < PROMPT_S;
  if (waitedSeconds !== null && (isPrompt || lateSeconds === null)) return "rowsWait";
  return isPrompt ? "noEvent" : "late";
}
