/** End of each part that a commit waited for, and the parts of a commit that have their own line. */
import type { SlowCommit, Summary } from "@aglens/contract";
import { namesOfSlots, phaseAt } from "../capture-view/phases.ts";

type WithPhases = Pick<Summary, "replicas" | "phases">;

/** One line of a commit's picture: the local log write, or the path to a replica. */
export interface CommitPart {
  /** Null for the local log write. */
  readonly secondary: number | null;
  readonly name: string;
  /** After the commit's start, µs; null where it is not known. */
  readonly start: number | null;
  readonly end: number | null;
  readonly isAsynchronous: boolean;
  readonly isReleasing: boolean;
}

/** The local log write, then every replica that the block was sent to, in the roles of the commit's own phase. */
export function partsOf(commit: SlowCommit, summary: WithPhases): CommitPart[] {
  const phase = phaseAt(summary, commit.database, commit.start);
  const names = namesOfSlots(summary, phase);
  const local: CommitPart = {
    secondary: null,
    name: "local",
    start: commit.localStart,
    end: commit.localEnd,
    isAsynchronous: false,
    isReleasing: commit.gate === 1,
  };
  const paths = commit.paths.flatMap(({ start, end }, secondary): CommitPart[] => {
    const name = names[secondary + 1];
    if (name === undefined || start === null) return [];
    const isAsynchronous = summary.phases[phase]?.commitModes[secondary] === "async";
    const isReleasing = commit.gate === secondary + 2;
    return [{ secondary, name, start, end, isAsynchronous, isReleasing }];
  });
  return [local, ...paths];
}

/** The part that released the commit. */
export const releasingPart = (parts: readonly CommitPart[]): CommitPart | null =>
  parts.find(({ isReleasing }) => isReleasing) ?? null;

export interface NextReady {
  readonly part: CommitPart;
  /** Time before the release, µs. */
  readonly earlierUs: number;
}

/** The last of the other parts that commits wait for; null where the release is not known, or no other part. */
export function nextReady(parts: readonly CommitPart[]): NextReady | null {
  const released = releasingPart(parts)?.end ?? null;
  if (released === null) return null;
  const others = parts.flatMap((part) =>
    part.isReleasing || part.isAsynchronous || part.end === null || part.end > released
      ? []
      : [{ part, earlierUs: released - part.end }],
  );
  return others.toSorted((a, b) => a.earlierUs - b.earlierUs)[0] ?? null;
}

/** Maximum number of replicas with lines; a commit with more only shows the decisive ones. */
const MOST_REPLICAS = 5;

/** Lines of a commit's picture, and the number of replicas that it can wait for without a line. */
export function shownParts(
  all: readonly CommitPart[],
  isOpen: boolean,
): { readonly shown: readonly CommitPart[]; readonly left: number } {
  const parts = all.filter(({ isAsynchronous }) => !isAsynchronous);
  if (isOpen || parts.length - 1 <= MOST_REPLICAS) return { shown: parts, left: 0 };
  const next = nextReady(parts)?.part;
  const shown = parts.filter((part) => part.secondary === null || part.isReleasing || part === next);
  return { shown, left: parts.length - shown.length };
}

/** End of the longest line that a commit waited for, µs. Commits share a scale, and longer paths extend beyond it. */
export function longestEnd(commits: readonly SlowCommit[], summary: WithPhases): number {
  const ends = commits.flatMap((commit) => [
    commit.waited ?? 0,
    ...partsOf(commit, summary).map((part) => (isAwaited(part, commit) ? (part.end ?? 0) : 0)),
  ]);
  return Math.max(1, ...ends);
}

/** A commit did not wait for a part that ended after it: the replica was away, or is asynchronous. */
const isAwaited = ({ end, isAsynchronous }: CommitPart, { waited }: SlowCommit): boolean =>
  !isAsynchronous && !(end !== null && waited !== null && end > waited);
