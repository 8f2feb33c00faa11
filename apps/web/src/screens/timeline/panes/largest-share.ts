/**
 * The largest part of the mean remote harden: a log write, the network, a server's handling, or a server that was
 * unresponsive.
 */
import type { PausedPath, Summary } from "@aglens/contract";
import { REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { placeOf, type ReplicaNames } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { durationText, formatPercent } from "../../../ui/words.ts";
import { isHidden, type Means } from "../../capture-view/stage-means.ts";

export interface LargestShare {
  /** Text for the second half of a sentence. */
  readonly name: string;
  readonly stoodStill: boolean;
  /** 0..1 */
  readonly share: number;
}

/**
 * The largest part of the stages of a mean remote path; null where no stage is known. Without the secondary's file its
 * part and the network's are one.
 * @param paused part of the means in which a server was unresponsive: it belongs to no stage, and not to the network
 */
export function largestShare(
  means: Means,
  paused: PausedPath,
  names: ReplicaNames,
  { replicas }: Pick<Summary, "replicas">,
): LargestShare | null {
  const sums = new Map<string, number>();
  const add = (name: string, us: number): void => void sums.set(name, (sums.get(name) ?? 0) + us);
  let whole = 0;
  let stillUs = 0;
  for (const id of REMOTE_STAGE_IDS) {
    const us = Math.max(0, means[id] ?? 0);
    const still = Math.min(us, paused?.stages[id] ?? 0);
    whole += us;
    stillUs += still;
    add(partName(id, names), us - still);
  }
  const unseen = isHidden(means) ? Math.max(0, (means["remoteHarden"] ?? 0) - whole) : 0;
  whole += unseen;
  add(texts.networkWith(names.secondary), unseen);
  const [largest] = [...sums].toSorted((a, b) => b[1] - a[1]);
  if (largest === undefined || !(whole > 0)) return null;
  if (paused !== null && stillUs > largest[1])
    return {
      name: replicas[paused.replica]?.name ?? texts.serverPart,
      stoodStill: true,
      share: stillUs / whole,
    };
  return { name: largest[0], stoodStill: false, share: largest[1] / whole };
}

/** `takes 71 %`, `was unresponsive for 99 %`. */
export const shareText = ({ stoodStill, share }: LargestShare): string =>
  `${verbOf(stoodStill)} ${formatPercent(share)}`;

/** The same with the duration in a mean of `meanUs`: `takes 54.5 ms, 63 %`. */
export const durationSubject = ({ stoodStill, share }: LargestShare, meanUs: number): string =>
  `${verbOf(stoodStill)} ${durationText(share * meanUs)}, ${formatPercent(share)}`;

const verbOf = (stoodStill: boolean): string => (stoodStill ? texts.wasUnresponsiveFor : texts.takes);

function partName(id: StageId, names: ReplicaNames): string {
  if (id === "secondaryFlush") return texts.sLogWrite(names.secondary);
  const place = placeOf(id);
  if (place === "network") return texts.network;
  return texts.sHandling(place === "primary" ? names.primary : names.secondary);
}
