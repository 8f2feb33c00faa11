/**
 * The writes and replicas that can release the commits of a capture with several secondaries, and the replicas that no
 * commit waits for.
 */
import type { ReplicaRow, ReplicaRows, Summary } from "@aglens/contract";
import { overviewTexts as texts } from "../../messages/overview.ts";

export interface Candidate {
  /** Index of the secondary; null for the local log write. */
  readonly secondary: number | null;
  readonly name: string;
  readonly commits: number;
  /** Commits per bin of their end. */
  readonly released: readonly number[];
  /** Share of all commits whose release is known; null without such commits. */
  readonly share: number | null;
  /** It is not known for certain whether commits wait for it. */
  readonly isUndetermined: boolean;
}

/** Secondaries that commits wait for, most releases first, then the local log write. */
export function candidatesOf(rows: ReplicaRows, { replicas }: Pick<Summary, "replicas">): Candidate[] {
  const shareOf = (commits: number): number | null => (rows.commits === 0 ? null : commits / rows.commits);
  const secondaries = rows.replicas.flatMap(({ commits, released, behind }, secondary): Candidate[] => {
    const replica = replicas[secondary + 1];
    if (behind !== null || replica === undefined) return [];
    const isUndetermined = replica.commitMode === "undetermined";
    return [{ secondary, name: replica.name, commits, released, share: shareOf(commits), isUndetermined }];
  });
  const { commits, released } = rows.local;
  return [
    ...secondaries.toSorted((a, b) => b.commits - a.commits),
    {
      secondary: null,
      name: texts.localLogWrite,
      commits,
      released,
      share: shareOf(commits),
      isUndetermined: false,
    },
  ];
}

export interface AsynchronousReplica {
  readonly secondary: number;
  readonly name: string;
  readonly row: ReplicaRow;
  readonly behind: NonNullable<ReplicaRow["behind"]>;
}

/** Secondaries that no commit waits for, by name. */
export const asynchronousOf = (
  rows: ReplicaRows,
  { replicas }: Pick<Summary, "replicas">,
): AsynchronousReplica[] =>
  rows.replicas
    .flatMap((row, secondary) => {
      const name = replicas[secondary + 1]?.name ?? "";
      return row.behind === null ? [] : [{ secondary, name, row, behind: row.behind }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));

/** Highest rate of any candidate, commits per second, as a round number. */
export function highestRate(candidates: readonly Candidate[], binUs: number): number {
  const most = Math.max(1, ...candidates.flatMap(({ released }) => released));
  return Math.ceil((most * 1e6) / binUs);
}
