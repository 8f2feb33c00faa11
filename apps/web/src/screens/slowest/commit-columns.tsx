import { stageName } from "@aglens/ag-model/replication";
import type { ReactNode } from "react";
import type { SlowCommit, SlowCommits, Summary } from "@aglens/contract";
import { stageToken } from "../../lanes/palette.ts";
import { slowestTexts as texts } from "../../messages/capture-view.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import type { FigureColumn } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration, formatOffset, formatTime, utcTip, zoneName } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { blockName, databaseName } from "../capture-view/databases.ts";
import { type Part, pausedPart } from "../capture-view/stage-means.ts";
import { phaseAt } from "../capture-view/phases.ts";
import { replicaNames } from "../capture-view/names.ts";
import { type CommitPart, partsOf, releasingPart } from "./commit-ends.ts";
import { rankColumn, RowPress } from "./ranked-list.tsx";
import styles from "./ranked-list.module.css";
import { termProps } from "../../ui/term.tsx";

/** Share of commits from which they are no longer a few. */
const MOST_OF_FEW = 0.2;

/** `The 117 slowest commits hold half of all waiting.`; null where they are not a small part of all commits. */
export function halfSentence({ half, total }: Pick<SlowCommits, "half" | "total">): string | null {
  if (half >= MOST_OF_FEW * total) return null;
  if (half <= 1) return texts.slowestCommitHoldsHalf;
  return texts.slowestCommitsHoldHalf(formatCount(half));
}

type Columns = Readonly<
  Record<"rank" | "utc" | "offset" | "waited" | "released" | "largest" | "lsn", FigureColumn<SlowCommit>>
> & {
  /** Only with several databases. */
  readonly database: FigureColumn<SlowCommit> | false;
};

/** Attributes of cells of LSNs. */
export const mono = () => ({ className: "mono" });

/** Columns of lists of slow commits. A press on a row selects the commit's block. */
export function useCommitColumns(): Columns {
  const { summary, setView } = useCapture();
  return {
    rank: {
      ...rankColumn,
      cell: ({ block, start }, index) => (
        <RowPress
          name={texts.selectCommit(index + 1, formatTime(summary, start))}
          onPress={() => setView({ block, event: null }, "replace")}
        >
          {index + 1}
        </RowPress>
      ),
    },
    utc: {
      id: "Time",
      head: zoneName(summary),
      align: "left",
      className: styles.wide,
      cell: ({ start }) => formatTime(summary, start),
      cellProps: ({ start }) => ({ title: utcTip(summary, start) }),
    },
    offset: { id: "Offset", term: "offset", cell: ({ start }) => formatOffset(summary, start) },
    database: summary.databases.length > 1 && {
      id: "Database",
      align: "left",
      cell: ({ database }) => databaseName(summary, database),
    },
    waited: {
      id: "Commit",
      term: "commit",
      cell: ({ waited }) => <Value figure={formatDuration(waited)} strong />,
    },
    released: {
      id: "Released by",
      term: "releasedBy",
      align: "left",
      cell: (commit) => <ReleasedBy part={releasingPart(partsOf(commit, summary))} />,
    },
    largest: {
      id: "Largest stage",
      align: "left",
      className: styles.wide,
      cell: (commit) => <PartName part={largestOf(commit, summary)} />,
    },
    lsn: {
      id: "LSN",
      term: "lsn",
      align: "left",
      cell: (commit) => <CommitLsn commit={commit} />,
      cellProps: mono,
    },
  };
}

/** Opens the sequence of the commit's block. */
function CommitLsn({ commit: { block, lsn, database } }: { readonly commit: SlowCommit }): ReactNode {
  const { summary, open } = useCapture();
  if (block === null || lsn === null) return "–";
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={texts.openBlock(blockName(summary, { lsn, database }))}
      onClick={() => open("sequence", { block })}
    >
      {lsn}
    </button>
  );
}

function ReleasedBy({ part }: { readonly part: CommitPart | null }): ReactNode {
  if (part === null) return texts.notKnown;
  const isLocal = part.secondary === null;
  return (
    <>
      <Swatch color={isLocal ? "var(--p-disk)" : "var(--s-disk)"} />
      {isLocal ? <span {...termProps("localFlush")}>{texts.localLogWrite}</span> : part.name}
    </>
  );
}

/**
 * The longest stage of the path or write that released the commit, with the servers of its own phase; or the server
 * that was unresponsive for more of it.
 */
export function largestOf(commit: SlowCommit, summary: Summary): Part | null {
  const { largest, secondary, database, start, paths, localStart, localEnd } = commit;
  if (largest === null) return null;
  const names = replicaNames(summary, secondary, phaseAt(summary, database, start));
  const part = { label: stageName(largest, names), token: stageToken(largest), stage: largest };
  if (largest === "localFlush")
    return { ...part, us: localStart === null || localEnd === null ? null : localEnd - localStart };
  const path = paths[secondary];
  const stages: Readonly<Record<string, number | null>> = path?.stages ?? {};
  return (path && pausedPart(path, summary)) ?? { ...part, us: stages[largest] ?? null };
}

/** A stage, or a server that was unresponsive, in the color of its place. */
export function PartName({ part }: { readonly part: Part | null }): ReactNode {
  if (part === null) return "–";
  return (
    <>
      <Swatch color={`var(${part.token})`} />
      {part.stage === undefined ? part.label : <span {...termProps(part.stage)}>{part.label}</span>}
    </>
  );
}
