import type { ReactNode } from "react";
import type { StatusThread } from "@aglens/contract";
import { Card } from "../../ui/controls.tsx";
import { formatPercent } from "../../ui/words.ts";
import { busyShare, threadName } from "./status-words.ts";
import styles from "./threads-card.module.css";

const HEIGHT = 16;

/** What each thread did within the last minute, to scale. */
export function ThreadsCard({ threads }: { readonly threads: readonly StatusThread[] }): ReactNode {
  return (
    <Card title="Threads" aside="last 60 s; busy is the time at work of it" className={styles.card}>
      {threads.length === 0 ? (
        <p className="quiet">No thread has worked yet.</p>
      ) : (
        <table className={styles.threads}>
          <thead className="sr-only">
            <tr>
              <th scope="col">Thread</th>
              <th scope="col">Last 60 s</th>
              <th scope="col">Busy</th>
            </tr>
          </thead>
          <tbody>
            {threads.map((thread) => (
              <tr key={threadName(thread)}>
                <th scope="row">{threadName(thread)}</th>
                <td>
                  <svg
                    viewBox={`0 0 ${thread.shares.length} ${HEIGHT}`}
                    preserveAspectRatio="none"
                    data-work={thread.work}
                    aria-hidden="true"
                  >
                    <path d={workPath(thread.shares)} />
                  </svg>
                </td>
                <td>{formatPercent(busyShare(thread))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** One bar per half second, as wide as its part that was at work. */
function workPath(shares: readonly number[]): string {
  return shares
    .map((share, i) => (share > 0 ? `M${i} 0h${share.toFixed(3)}v${HEIGHT}h-${share.toFixed(3)}z` : ""))
    .join("");
}
