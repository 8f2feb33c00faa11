import type { LivePicture, LiveReplica } from "@aglens/contract";
import { liveTexts } from "../../messages/live.ts";

/** `attached to 1 of 2 replicas`. @param unattached known replicas that are not part of the run */
export function attachedText(replicas: readonly Pick<LiveReplica, "state">[], unattached: number): string {
  const attached = replicas.filter((replica) => replica.state !== "failed").length;
  const known = replicas.length + unattached;
  const all = liveTexts.replica(known);
  return attached === known ? liveTexts.attachedTo(all) : liveTexts.attachedToOf(attached, all);
}

/** `01:18`, from one hour on `1:02:03`. */
export function elapsedText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / 1e6));
  const part = (value: number): string => String(value).padStart(2, "0");
  const minutes = `${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
  return seconds < 3600 ? minutes : `${Math.floor(seconds / 3600)}:${minutes}`;
}

/** `last 15 s`: one window for all texts that the user reads at a glance. */
export function judgedText(judged: LivePicture["judged"]): string {
  if (judged === null) return liveTexts.lastSeconds;
  return liveTexts.lastS(Math.max(1, Math.round((judged.to - judged.from) / 1e6)));
}

/** Minutes after which a run can stop automatically. */
export const STOP_MINUTES = [15, 30, 60, 120, 240] as const;
