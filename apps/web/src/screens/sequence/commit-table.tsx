import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { Swatch, Value } from "../../ui/controls.tsx";
import { formatDuration, formatCount, formatUtc, rankText } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { knownCommits } from "../known-commits.ts";
import styles from "./sequence.module.css";

function releasedBy(gate: number, summary: Summary): ReactNode {
  if (gate === 0) return "not known";
  if (gate === 1)
    return (
      <>
        <Swatch color="var(--p-disk)" /> local log write
      </>
    );
  return (
    <>
      <Swatch color="var(--s-disk)" /> {summary.replicas[gate - 1]?.name} ack
    </>
  );
}

/** The commits that this block carried, and what let each of them go. */
export function CommitTable({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const ack = sequence.hops.find((hop) => hop.secondary === view.secondary)?.anchors.ackProcessed;
  const flushed = sequence.local.localFlushEnd;
  const since = (instant: number | null | undefined, start: number): number | null =>
    instant == null ? null : instant - start;
  return (
    <table className={`${styles.commitTable} system-colours`} aria-label="Commits that waited">
      <thead>
        <tr>
          <th scope="col">
            Commits that waited, {formatCount(knownCommits(summary, sequence.commits.length))}
          </th>
          {["Queued", "Waited", "Rank", "Local write done", "Ack processed", "Woken after"].map((name) => (
            <th key={name} scope="col" className={styles.number}>
              {name}
            </th>
          ))}
          <th scope="col">Released by</th>
        </tr>
      </thead>
      <tbody>
        {sequence.commits.map((commit) => (
          <tr key={commit.start + commit.end / 1e6}>
            <td>{formatUtc(summary, commit.start, 6)}</td>
            <td className={styles.number}>
              <Value figure={formatDuration(commit.queued)} />
            </td>
            <td className={styles.number}>
              <Value figure={formatDuration(commit.end - commit.start)} strong />
            </td>
            <td className={styles.number}>{rankText(commit.rank)}</td>
            <td className={`${styles.number} ${styles.muted}`}>
              <Value figure={formatDuration(since(flushed, commit.start))} />
            </td>
            <td className={`${styles.number} ${styles.muted}`}>
              <Value figure={formatDuration(since(ack, commit.start))} />
            </td>
            <td className={styles.number}>
              <Value figure={formatDuration(commit.wokenAfter)} />
            </td>
            <td>{releasedBy(commit.gate, summary)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
