import type { ReactNode } from "react";
import type { CommitOrder, SlowCommit } from "@aglens/contract";
import { CommitBar } from "../../charts/commit-bar.tsx";
import { PathAxis, pathScale } from "../../charts/path-axis.tsx";
import { rawTexts as texts } from "../../messages/raw.ts";
import { formatDuration, zoneName } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { largestOf, useCommitColumns } from "../slowest/commit-columns.tsx";
import { RankedList } from "../slowest/ranked-list.tsx";
import ranked from "../slowest/ranked-list.module.css";
import styles from "./commit-table.module.css";

interface Props {
  readonly rows: readonly SlowCommit[];
  readonly order: CommitOrder;
}

/** A line per commit, from its start to its release, all on one scale. */
export function CommitTable({ rows, order }: Props): ReactNode {
  const { summary, view } = useCapture();
  const columns = useCommitColumns();
  const scale = pathScale([Math.max(1, ...rows.map(({ waited }) => waited ?? 0))]);
  const sorted = (by: CommitOrder) => (by !== order ? "none" : by === "time" ? "ascending" : "descending");
  return (
    <RankedList
      className={styles.table}
      data-order={order}
      rows={rows}
      rowKey={({ row }) => row}
      isSelected={({ block }) => block !== null && block === view.block}
      columns={[
        columns.rank,
        { ...columns.utc, head: `Begins, ${zoneName(summary)}`, sort: sorted("time") },
        columns.offset,
        columns.database,
        { ...columns.waited, head: "Waited", sort: sorted("waited") },
        {
          id: "Bar",
          head: (
            <>
              <span>{texts.fromCommitToRelease}</span>
              <PathAxis {...scale} />
            </>
          ),
          align: "left",
          className: styles.bar,
          cell: (commit) => <CommitBar commit={commit} scaleUs={scale.to} />,
        },
        columns.released,
        {
          id: "Queued",
          term: "commitQueue",
          sort: sorted("queued"),
          className: styles.queued,
          cell: ({ queued }) => formatDuration(queued),
        },
        {
          id: "Woken after",
          term: "commitWakeUp",
          sort: sorted("wokenAfter"),
          className: styles.wokenAfter,
          cell: ({ wokenAfter }) => formatDuration(wokenAfter),
        },
        {
          id: "Other earlier by",
          term: "nextReady",
          className: ranked.wide,
          cell: ({ otherEarlierBy }) => formatDuration(otherEarlierBy),
        },
        columns.largest,
        {
          id: "Duration",
          className: ranked.wide,
          cell: (commit) => formatDuration(largestOf(commit, summary)?.us ?? null),
        },
        { ...columns.lsn, head: "Block" },
      ]}
    />
  );
}
