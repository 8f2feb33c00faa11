import type { ReactNode } from "react";
import type { StatusThread } from "@aglens/contract";
import { statusTexts as texts } from "../../messages/status.ts";
import { Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatPercent } from "../../ui/words.ts";
import { busyShare, threadName } from "./status-text.ts";
import styles from "./threads-card.module.css";

const HEIGHT = 16;

/** Activity of each thread within the last minute, to scale. */
export function ThreadsCard({ threads }: { readonly threads: readonly StatusThread[] }): ReactNode {
  return (
    <Card title={texts.threads} aside={texts.last60SBusy} className={styles.card}>
      {threads.length === 0 ? (
        <p className="quiet">{texts.noThreadHasWorked}</p>
      ) : (
        <FigureTable<StatusThread>
          className={styles.threads}
          isHeadHidden
          rows={threads}
          rowKey={threadName}
          columns={[
            { id: "Thread", cell: threadName },
            { id: "Last 60 s", cell: (thread) => <WorkPicture thread={thread} /> },
            { id: "Busy", cell: (thread) => formatPercent(busyShare(thread)) },
          ]}
        />
      )}
    </Card>
  );
}

const WorkPicture = ({ thread: { shares, work } }: { readonly thread: StatusThread }): ReactNode => (
  <svg
    viewBox={`0 0 ${shares.length} ${HEIGHT}`}
    preserveAspectRatio="none"
    data-work={work}
    aria-hidden="true"
  >
    <path d={workPath(shares)} />
  </svg>
);

/** One bar per half second, as wide as the thread's share of work in it. */
function workPath(shares: readonly number[]): string {
  return shares
    .map((share, i) => (share > 0 ? `M${i} 0h${share.toFixed(3)}v${HEIGHT}h-${share.toFixed(3)}z` : ""))
    .join("");
}
