import { type ReactNode, useEffect, useRef } from "react";
import type { CommitOrder, SlowCommit } from "@aglens/contract";
import { CommitBar } from "../../charts/commit-bar.tsx";
import { PathAxis } from "../../charts/path-axis.tsx";
import { pathScale } from "../../charts/path-scale.ts";
import { Value } from "../../ui/controls.tsx";
import { formatDuration, formatOffset, formatUtc } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { databaseName } from "../database.ts";
import { CommitLsn, largestOf, LargestStage, ReleasedBy } from "../slowest/commit-cells.tsx";
import { partsOf, releasingPart } from "../slowest/commit-ends.ts";
import ranked from "../slowest/ranked-table.module.css";
import styles from "./commit-table.module.css";

interface Props {
  readonly rows: readonly SlowCommit[];
  readonly order: CommitOrder;
}

/** A line per commit, from its start to its release, all on one scale. */
export function CommitTable({ rows, order }: Props): ReactNode {
  const { summary } = useCapture();
  const scale = pathScale([Math.max(1, ...rows.map(({ waited }) => waited ?? 0))]);
  const head = (by: CommitOrder, words: string): ReactNode => (
    <th scope="col" className={`${styles.number} ${partClass(by)}`} aria-sort={sorted(by, order)}>
      {words}
    </th>
  );
  return (
    <table className={`${ranked.ranked} ${styles.table}`} data-order={order}>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Rank</span>
          </th>
          <th scope="col" className={styles.wide} aria-sort={sorted("time", order)}>
            Begins, UTC
          </th>
          <th scope="col" className={styles.number}>
            Offset
          </th>
          {summary.databases.length > 1 && <th scope="col">Database</th>}
          {head("waited", "Waited")}
          <th scope="col" className={styles.bar}>
            <span>From commit to release</span>
            <PathAxis {...scale} />
          </th>
          <th scope="col">Released by</th>
          {head("queued", "Queued")}
          {head("wokenAfter", "Woken after")}
          <th scope="col" className={`${styles.number} ${styles.wide}`}>
            Other earlier by
          </th>
          <th scope="col" className={styles.wide}>
            Largest stage
          </th>
          <th scope="col" className={`${styles.number} ${styles.wide}`}>
            Duration
          </th>
          <th scope="col">Block</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((commit, i) => (
          <CommitRow key={commit.row} commit={commit} rank={i + 1} scaleUs={scale.to} />
        ))}
      </tbody>
    </table>
  );
}

/** Columns of the parts of a wait: a phone has room for the one that the rows are ordered by. */
const partClass = (by: CommitOrder): string =>
  ({ queued: styles.queued, wokenAfter: styles.wokenAfter, waited: "", time: "" })[by] ?? "";

const sorted = (by: CommitOrder, order: CommitOrder): "none" | "ascending" | "descending" =>
  by !== order ? "none" : by === "time" ? "ascending" : "descending";

interface RowProps {
  readonly commit: SlowCommit;
  readonly rank: number;
  /** µs of the full width. */
  readonly scaleUs: number;
}

function CommitRow({ commit, rank, scaleUs }: RowProps): ReactNode {
  const { summary, view, setView } = useCapture();
  const line = useRef<HTMLTableRowElement>(null);
  const { block, start, waited, queued, wokenAfter, otherEarlierBy } = commit;
  const isSelected = block !== null && block === view.block;
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const figure = (us: number | null): ReactNode => <Value figure={formatDuration(us)} />;
  return (
    <tr ref={line} aria-selected={isSelected} onClick={() => setView({ block, event: null }, "replace")}>
      <td className={styles.rank}>{rank}</td>
      <td className={styles.wide}>{formatUtc(summary, start)}</td>
      <td className={styles.number}>{formatOffset(summary, start)}</td>
      {summary.databases.length > 1 && <td>{databaseName(summary, commit.database)}</td>}
      <td className={styles.number}>
        <Value figure={formatDuration(waited)} strong />
      </td>
      <td className={styles.bar}>
        <CommitBar commit={commit} scaleUs={scaleUs} />
      </td>
      <td>
        <ReleasedBy part={releasingPart(partsOf(commit, summary))} />
      </td>
      <td className={`${styles.number} ${partClass("queued")}`}>{figure(queued)}</td>
      <td className={`${styles.number} ${partClass("wokenAfter")}`}>{figure(wokenAfter)}</td>
      <td className={`${styles.number} ${styles.wide}`}>{figure(otherEarlierBy)}</td>
      <td className={styles.wide}>
        <LargestStage commit={commit} />
      </td>
      <td className={`${styles.number} ${styles.wide}`}>{figure(largestOf(commit, summary)?.us ?? null)}</td>
      <td className="mono">
        <CommitLsn commit={commit} />
      </td>
    </tr>
  );
}
