/** Texts of a block: its facts, the wait times of its commits, and the clock of its times. */
import type { Sequence, Summary } from "@aglens/contract";
import { commitsWords } from "../capture-view/figures.ts";
import { durationText, formatBytes, formatOffset, formatUncertainty, formatInstant } from "../../ui/words.ts";

/** Size, commits, when. */
export function factsWords(sequence: Sequence, summary: Summary): string {
  return [
    sequence.size === null ? null : formatBytes(sequence.size),
    commitsWords(summary, sequence.commits.length),
    sequence.vlfStart ? "first block of its VLF: VLF header write" : null,
    formatInstant(summary, sequence.time, 6),
    formatOffset(summary, sequence.time, 1000),
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** How long its commits waited. */
export function waitedWords({ commits }: Sequence): string {
  const [first, ...others] = commits;
  if (first === undefined) return "No commit of this block in the capture";
  const waited = ({ start, end }: Sequence["commits"][number]): number => end - start;
  if (others.length === 0) {
    const woken =
      first.wokenAfter === null ? "" : `, woken ${durationText(first.wokenAfter)} after its release`;
    return `1 commit waited ${durationText(waited(first))}${woken}`;
  }
  return `${commits.length} commits waited, longest ${durationText(Math.max(...commits.map(waited)))}`;
}

/** The clock that ties a secondary to its primary: after a change of roles it may be the primary's, against the secondary's. */
const clockBetween = ({ clocks }: Summary, secondary: number): Summary["clocks"][number] | undefined =>
  clocks.find((clock) => clock.secondary === -1 && clock.against === secondary + 1) ??
  clocks.find((clock) => clock.secondary === secondary);

/** Alignment of the secondary's times with the primary's. */
export function clockWords(summary: Summary, secondary: number): string {
  const clock = clockBetween(summary, secondary);
  const replica = summary.replicas[secondary + 1];
  const name = replica?.name ?? "The secondary";
  if (replica && !replica.hasCapture) return `No file of ${name}: the network and its disk appear as one bar`;
  if (clock?.status !== "aligned") return `${name} cannot be put on the primary's clock`;
  const nameOf = (index: number, other: string): string => summary.replicas[index]?.name ?? other;
  return `${nameOf(clock.secondary + 1, "The secondary")} times moved to ${nameOf(clock.against, "the primary")}'s clock, ${formatUncertainty(clock.strictUncertaintyUs)}; stage sums are exact`;
}

/** Whether a file of the secondary contains the block: it may end earlier or begin later than the primary's. */
export function isInSecondaryFile(sequence: Sequence, summary: Summary, secondary: number): boolean {
  if (!summary.replicas[secondary + 1]?.hasCapture) return false;
  const at = sequence.hops.find((hop) => hop.secondary === secondary)?.anchors;
  return [at?.received, at?.secondaryFlushStart, at?.ackSent].some((instant) => instant != null);
}
