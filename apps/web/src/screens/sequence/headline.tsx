import { stageName } from "@aglens/ag-model/replication";
import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { isUnsent } from "../../charts/sequence/unsent.ts";
import { isLateCapture, releaseOf, unreleasedText } from "../capture-view/release.ts";
import { placeOf, type ReplicaNames } from "../../lanes/palette.ts";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText, formatPercent, rankText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useReplicaNames } from "../capture-view/names.ts";
import styles from "./sequence.module.css";
import { termProps } from "../../ui/term.tsx";

/** The block's duration, its rank, the largest share, and the cause that released the commit. */
export function Headline({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const { secondary } = view;
  const names = useReplicaNames();
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const top = largestShare(sequence, secondary, names);
  return (
    <div className={styles.headline}>
      <strong {...termProps("remoteHarden")}>{durationText(hop?.remoteHarden)}</strong>
      <span {...termProps("remoteHarden")}>
        {hop?.remoteHarden == null
          ? texts.remoteHardenIsNot(whyNoHarden(sequence, hop, names, summary))
          : texts.remoteHarden(rankSentence(hop.remoteHardenRank))}
      </span>
      {top ? (
        <span className={styles.top} data-place={top.place} {...termProps("share")}>
          {top.words}
        </span>
      ) : null}
      <span {...termProps("releasedBy")}>
        {summary.replicas[secondary + 1]?.commitMode === "async"
          ? texts.isAsynchronousNoCommit(names.secondary)
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
      words: texts.wasUnresponsiveFor(names[hop.pause.end], durationText(hop.pause.us)),
      place: "none",
    };
  const stages = hop?.stages ?? [];
  const lag = stages.find(({ id }) => id === "captureLag")?.duration ?? 0;
  if (isLateCapture(lag) && lag > (hop?.remoteHarden ?? Number.POSITIVE_INFINITY))
    return { words: texts.beforeItHeld(names.primary, durationText(lag)), place: "primary" };
  const parts = stages.filter((stage) => stage.share !== null);
  if (parts.length === 0) return null;
  const network = parts
    .filter((stage) => placeOf(stage.id) === "network")
    .reduce((sum, stage) => sum + stage.share!, 0);
  const others = parts.filter((stage) => placeOf(stage.id) !== "network");
  const top = others.toSorted((a, b) => b.share! - a.share!)[0];
  const rest = 1 - parts.reduce((sum, stage) => sum + stage.share!, 0);
  if (rest > Math.max(network, top?.share ?? 0))
    return { words: texts.networkAndTook(names.secondary, formatPercent(rest)), place: "none" };
  if (!top || network >= top.share!)
    return { words: texts.networkTook(formatPercent(network)), place: "network" };
  const stage =
    top.id === "secondaryAppend" && sequence.vlfStart
      ? texts.vlfHeaderWriteAnd(names.secondary)
      : stageName(top.id, names);
  return { words: texts.took(stage, formatPercent(top.share)), place: placeOf(top.id) };
}

/** The cause that released the commit, and how long the others had been done by then. */
function released(sequence: Sequence, summary: Summary): string {
  const { gate, name, afterLocal, other } = releaseOf(sequence, summary);
  if (gate === 0) return unreleasedText(sequence);
  if (gate === 1)
    return texts.releasedByTheLocal(
      other === null ? "" : texts.hadAcknowledgedEarlier(other.name, durationText(other.earlierUs)),
    );
  // The next one that would have released it: the local write, or the last other acknowledgment.
  const next =
    other !== null && (afterLocal === null || other.earlierUs < afterLocal)
      ? texts.afterS(durationText(other.earlierUs), other.name)
      : afterLocal === null
        ? ""
        : texts.afterTheLocalWrite(durationText(afterLocal));
  return texts.releasedBySAck(name, next);
}

/** The missing data for the remote harden of a block. */
function whyNoHarden(
  sequence: Sequence,
  hop: Sequence["hops"][number] | undefined,
  names: ReplicaNames,
  summary: Summary,
): string {
  if (isUnsent(sequence, hop)) return texts.captureHasNoEvent(names.secondary);
  if (hop?.anchors.sendStart == null) {
    const { from, to } = summary.replicas[0] ?? { from: null, to: null };
    const where =
      from !== null && sequence.time < from
        ? texts.beginsAfterThisBlock
        : to !== null && sequence.time >= to
          ? texts.endsBeforeThisBlock
          : texts.doesNotHold;
    return texts.fileOfPrimary(names.primary, where);
  }
  return texts.captureHoldsNo(names.secondary);
}

function rankSentence(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "";
  return rank >= 100 ? texts.longestOfThisCapture : texts.ofThisCapture(rankText(rank));
}
