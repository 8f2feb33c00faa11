/** The cause that released the commits of a block, and how long everything else had been done by then. */
import { STAGES } from "@aglens/ag-model/replication";
import type { Sequence, Summary } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { inItsPhase } from "./phases.ts";

export interface Release {
  /** 0 unknown, 1 the local log write, s + 2 the acknowledgment of secondary s. */
  readonly gate: number;
  /** Replica that acknowledged; null for the local write. */
  readonly name: string | null;
  /** µs that the local log write had been done before that acknowledgment; null when it had not or is unknown. */
  readonly afterLocal: number | null;
  /** Last acknowledgment of another replica before the release. */
  readonly other: { readonly name: string; readonly earlierUs: number } | null;
  /** µs the longest commit would take without the replica that released it; null where that is not known. */
  readonly withoutUs: number | null;
}

/** Number of commits for which it is not known what released them. @param gates as in `RangeStatistics` */
export const unknownReleases = (commits: number, gates: readonly number[]): number =>
  commits - gates.reduce((sum, n) => sum + n, 0);

/** Why nothing released a block's commits: the block has none, or the cause is not known. */
export const unreleasedText = ({ commits }: Pick<Sequence, "commits">): string =>
  commits.length === 0 ? texts.noCommit : texts.whatReleasedItsCommits;

/** An asynchronous-commit replica releases nothing, so its acknowledgment is not part of the path to the release. */
function otherAcks(sequence: Sequence, summary: Summary): { name: string; at: number | null }[] {
  return sequence.hops
    .filter(({ secondary }) => secondary !== sequence.gate - 2)
    .filter(({ secondary }) => summary.replicas[secondary + 1]?.commitMode !== "async")
    .map(({ secondary, anchors }) => ({
      name: summary.replicas[secondary + 1]?.name ?? texts.secondaryLabel,
      at: anchors["ackProcessed"] ?? null,
    }));
}

/** Facts about the release of a block, from its own instants; the same for the pane and for the sequence. */
export function releaseOf(given: Sequence, capture: Summary): Release {
  const { sequence, summary } = inItsPhase(capture, given);
  const { gate, local, hops, commits } = sequence;
  const localEnd = local["localFlushEnd"] ?? null;
  const ack = hops.find((hop) => hop.secondary === gate - 2)?.anchors["ackProcessed"] ?? null;
  const at = gate === 1 ? localEnd : ack;
  if (gate < 1 || at === null)
    return {
      gate,
      name: gate > 1 ? nameOf(summary, gate) : null,
      afterLocal: null,
      other: null,
      withoutUs: null,
    };
  const others = otherAcks(sequence, summary);
  const last = others
    .flatMap(({ name, at: acked }) => (acked !== null && acked <= at ? [{ name, acked }] : []))
    .toSorted((a, b) => b.acked - a.acked)[0];
  const longest = Math.max(...commits.map(({ start, end }) => end - start));
  const whole = gate > 1 && others.length > 0 && others.every((other) => other.at !== null);
  return {
    gate,
    name: gate > 1 ? nameOf(summary, gate) : null,
    afterLocal: gate > 1 && localEnd !== null && localEnd <= at ? at - localEnd : null,
    other: last === undefined ? null : { name: last.name, earlierUs: at - last.acked },
    withoutUs:
      whole && last !== undefined && localEnd !== null && commits.length > 0
        ? longest - (at - Math.max(last.acked, localEnd))
        : null,
  };
}

const nameOf = (summary: Summary, gate: number): string =>
  summary.replicas[gate - 1]?.name ?? texts.theSecondary;

const LIMIT_US = STAGES.find(({ id }) => id === "captureLag")!.limitUs;

/**
 * True where a block waited on the primary for its capture: because of flow control, or because the thread that
 * compresses was busy. Remote harden begins after that, so commits wait for a time that none of its stages shows.
 * Otherwise the lag is only µs, and is not shown as a stage.
 */
export const isLateCapture = (lagUs: number | null | undefined): boolean => (lagUs ?? 0) > LIMIT_US;
