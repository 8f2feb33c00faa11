import { stageName } from "@aglens/ag-model/replication";
import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { isUnsent } from "../../charts/sequence/unsent.ts";
import { isLateCapture, releaseOf, unreleasedWords } from "../capture-view/release.ts";
import { placeOf, type ReplicaNames } from "../../lanes/palette.ts";
import { durationText, formatPercent, rankText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useReplicaNames } from "../capture-view/names.ts";
import styles from "./sequence.module.css";

/** The block's duration, its rank, the largest share, and the cause that released the commit. */
export function Headline({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const { secondary } = view;
  const names = useReplicaNames();
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const top = largestShare(sequence, secondary, names);
  return (
    <div className={styles.headline}>
      <strong>{durationText(hop?.remoteHarden)}</strong>
      <span>
        {hop?.remoteHarden == null
          ? `remote harden is not known: ${whyNoHarden(sequence, hop, names, summary)}`
          : `remote harden${rankWords(hop.remoteHardenRank)}`}
      </span>
      {top ? (
        <span className={styles.top} data-place={top.place}>
          {top.words}
        </span>
      ) : null}
      <span>
        {summary.replicas[secondary + 1]?.commitMode === "async"
          ? `${names.secondary} is asynchronous: no commit waits for it`
          : released(sequence, summary)}
      </span>
    </div>
  );
}

/** The largest share: a server that was unresponsive, the network as one stage, or the largest other stage. */
function largestShare(
  sequence: Sequence,
  secondary: number,
  names: ReplicaNames,
): { words: string; place: string } | null {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  if (hop?.pause)
    return {
      words: `${names[hop.pause.end]} was unresponsive for ${durationText(hop.pause.us)} of it`,
      place: "none",
    };
  const stages = hop?.stages ?? [];
  const lag = stages.find(({ id }) => id === "captureLag")?.duration ?? 0;
  if (isLateCapture(lag) && lag > (hop?.remoteHarden ?? Number.POSITIVE_INFINITY))
    return { words: `before it ${names.primary} held it for ${durationText(lag)}`, place: "primary" };
  const parts = stages.filter((stage) => stage.share !== null);
  if (parts.length === 0) return null;
  const network = parts
    .filter((stage) => placeOf(stage.id) === "network")
    .reduce((sum, stage) => sum + stage.share!, 0);
  const others = parts.filter((stage) => placeOf(stage.id) !== "network");
  const top = others.toSorted((a, b) => b.share! - a.share!)[0];
  const rest = 1 - parts.reduce((sum, stage) => sum + stage.share!, 0);
  if (rest > Math.max(network, top?.share ?? 0))
    return { words: `the network and ${names.secondary} took ${formatPercent(rest)}`, place: "none" };
  if (!top || network >= top.share!)
    return { words: `the network took ${formatPercent(network)}`, place: "network" };
  const stage =
    top.id === "secondaryAppend" && sequence.vlfStart
      ? `${names.secondary} VLF header write and append`
      : stageName(top.id, names);
  return { words: `${stage} took ${formatPercent(top.share)}`, place: placeOf(top.id) };
}

/** The cause that released the commit, and how long the others had been done by then. */
function released(sequence: Sequence, summary: Summary): string {
  const { gate, name, afterLocal, other } = releaseOf(sequence, summary);
  if (gate === 0) return unreleasedWords(sequence);
  if (gate === 1)
    return `released by the local log write${other === null ? "" : `; ${other.name} had acknowledged ${durationText(other.earlierUs)} earlier`}`;
  // The next one that would have released it: the local write, or the last other acknowledgment.
  const next =
    other !== null && (afterLocal === null || other.earlierUs < afterLocal)
      ? `, ${durationText(other.earlierUs)} after ${other.name}'s`
      : afterLocal === null
        ? ""
        : `, ${durationText(afterLocal)} after the local write`;
  return `released by ${name}'s ack${next}`;
}

/** The missing data for the remote harden of a block. */
function whyNoHarden(
  sequence: Sequence,
  hop: Sequence["hops"][number] | undefined,
  names: ReplicaNames,
  summary: Summary,
): string {
  if (isUnsent(sequence, hop)) return `the capture has no event of its way to ${names.secondary}`;
  if (hop?.anchors.sendStart == null) {
    const { from, to } = summary.replicas[0] ?? { from: null, to: null };
    const where =
      from !== null && sequence.time < from
        ? " begins after this block"
        : to !== null && sequence.time >= to
          ? " ends before this block"
          : " does not hold this block";
    return `${names.primary}'s file${where}`;
  }
  return `the capture holds no acknowledgment of ${names.secondary} for it`;
}

function rankWords(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "";
  return rank >= 100 ? ", the longest of this capture" : `, ${rankText(rank)} of this capture`;
}
