/** What lists of slow commits have in common: cells of a commit, the sentence above, the way to more. */
import type { ReactNode } from "react";
import type { SlowCommit, SlowCommits, Summary } from "@aglens/contract";
import { stageToken, stageWords } from "../../lanes/palette.ts";
import { Button, Swatch } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { blockName } from "../database.ts";
import { type Part, pausedPart } from "../largest-part.ts";
import { phaseAt } from "../phase.ts";
import { replicaNames } from "../replica-names.ts";
import type { CommitPart } from "./commit-ends.ts";
import type { SlowCommitList } from "./use-slow-commits.ts";
import styles from "./commit-cells.module.css";

/** `The 117 slowest commits hold half of all waiting.` */
export function halfSentence({ half, total }: Pick<SlowCommits, "half" | "total">): string {
  if (total === 1) return "One commit is in view.";
  if (half <= 1) return "The slowest commit holds half of all waiting.";
  return `The ${formatCount(half)} slowest commits hold half of all waiting.`;
}

/** Opens the sequence of the commit's block. */
export function CommitLsn({ commit: { block, lsn, database } }: { readonly commit: SlowCommit }): ReactNode {
  const { summary, open } = useCapture();
  if (block === null || lsn === null) return "–";
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={`Open block ${blockName(summary, { lsn, database })}`}
      onClick={() => open("sequence", { block })}
    >
      {lsn}
    </button>
  );
}

export function ReleasedBy({ part }: { readonly part: CommitPart | null }): ReactNode {
  if (part === null) return "not known";
  const isLocal = part.secondary === null;
  return (
    <>
      <Swatch color={isLocal ? "var(--p-disk)" : "var(--s-disk)"} /> {isLocal ? "local log write" : part.name}
    </>
  );
}

/** The longest stage of what released the commit, named by the servers of its own phase; or the server that stood still for more of it. */
export function largestOf(commit: SlowCommit, summary: Summary): Part | null {
  const { largest, secondary, database, start, paths, localStart, localEnd } = commit;
  if (largest === null) return null;
  const names = replicaNames(summary, secondary, phaseAt(summary, database, start));
  const part = { label: stageWords(largest, names), token: stageToken(largest) };
  if (largest === "localFlush")
    return { ...part, us: localStart === null || localEnd === null ? null : localEnd - localStart };
  const path = paths[secondary];
  const stages: Readonly<Record<string, number | null>> = path?.stages ?? {};
  return (path && pausedPart(path, summary)) ?? { ...part, us: stages[largest] ?? null };
}

export function LargestStage({ commit }: { readonly commit: SlowCommit }): ReactNode {
  const { summary } = useCapture();
  const part = largestOf(commit, summary);
  if (part === null) return "–";
  return (
    <>
      <Swatch color={`var(${part.token})`} /> {part.label}
    </>
  );
}

/** The way to more rows. */
export function MoreCommits({
  commits: { rows, total },
  showMore,
}: { readonly commits: SlowCommits } & Pick<SlowCommitList, "showMore">): ReactNode {
  if (rows.length >= total || showMore === null) return null;
  return (
    <Button kind="quiet" onClick={showMore}>
      Show more, {formatCount(rows.length)} of {formatCount(total)}
    </Button>
  );
}
