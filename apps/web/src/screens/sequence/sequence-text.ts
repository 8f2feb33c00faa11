/** Texts of a block: its facts, the wait times of its commits, and the clock of its times. */
import type { Sequence, Summary } from "@aglens/contract";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { commitsText } from "../capture-view/figures.ts";
import { durationText, formatBytes, formatOffset, formatUncertainty, formatInstant } from "../../ui/words.ts";

/** Size, commits, when. */
export function factsText(sequence: Sequence, summary: Summary): string {
  return [
    sequence.size === null ? null : formatBytes(sequence.size),
    commitsText(summary, sequence.commits.length),
    sequence.vlfStart ? texts.firstBlock : null,
    formatInstant(summary, sequence.time, 6),
    formatOffset(summary, sequence.time, 1000),
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** How long its commits waited. */
export function waitedText({ commits }: Sequence): string {
  const [first, ...others] = commits;
  if (first === undefined) return texts.noCommit;
  const waited = ({ start, end }: Sequence["commits"][number]): number => end - start;
  if (others.length === 0) {
    const woken = first.wokenAfter === null ? "" : texts.wokenAfterItsRelease(durationText(first.wokenAfter));
    return texts.oneCommitWaited(durationText(waited(first)), woken);
  }
  return texts.commitsWaitedLongest(commits.length, durationText(Math.max(...commits.map(waited))));
}

/** The clock that ties a secondary to its primary: after a change of roles it may be the primary's, against the secondary's. */
const clockBetween = ({ clocks }: Summary, secondary: number): Summary["clocks"][number] | undefined =>
  clocks.find((clock) => clock.secondary === -1 && clock.against === secondary + 1) ??
  clocks.find((clock) => clock.secondary === secondary);

/** Alignment of the secondary's times with the primary's. */
export function clockText(summary: Summary, secondary: number): string {
  const clock = clockBetween(summary, secondary);
  const replica = summary.replicas[secondary + 1];
  const name = replica?.name ?? texts.secondaryLabel;
  if (replica && !replica.hasCapture) return texts.noFileOf(name);
  if (clock?.status !== "aligned") return texts.cannotBePut(name);
  const nameOf = (index: number, other: string): string => summary.replicas[index]?.name ?? other;
  return texts.timesMovedToS(
    nameOf(clock.secondary + 1, texts.secondaryLabel),
    nameOf(clock.against, texts.primary),
    formatUncertainty(clock.strictUncertaintyUs),
  );
}

/** Whether a file of the secondary contains the block: it may end earlier or begin later than the primary's. */
export function isInSecondaryFile(sequence: Sequence, summary: Summary, secondary: number): boolean {
  if (!summary.replicas[secondary + 1]?.hasCapture) return false;
  const at = sequence.hops.find((hop) => hop.secondary === secondary)?.anchors;
  return [at?.received, at?.secondaryFlushStart, at?.ackSent].some((instant) => instant != null);
}
