import type { ReactNode } from "react";
import { durationText, formatBytes } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { asynchronousOf, type AsynchronousReplica } from "./replica-candidates.ts";
import { useReplicaRows } from "./use-replica-rows.ts";
import styles from "../answer-band.module.css";

/** Asynchronous replicas of the whole capture; none before they are answered, and in a capture with one secondary. */
export function useAsynchronousReplicas(): readonly AsynchronousReplica[] {
  const { summary } = useCapture();
  const { value } = useReplicaRows({ from: 0, to: Math.max(1, summary.durationUs) });
  return value === null ? [] : asynchronousOf(value, summary);
}

interface Props {
  readonly replicas: readonly AsynchronousReplica[];
}

/** Where nothing is to be checked: how far the replicas are behind that no commit waits for. */
export function NobodyWaits({ replicas }: Props): ReactNode {
  const most = Math.max(...replicas.map(({ behind }) => behind.max ?? 0));
  const bytes = Math.max(...replicas.map(({ behind }) => behind.bytesMax ?? 0));
  return (
    <div className={styles.checkNext}>
      <h2>Asynchronous, no commit waits</h2>
      <ul>
        {replicas.map(({ name, behind }) => (
          <li key={name}>
            <b>{name}</b> {durationText(behind.p50)} behind at p50, {durationText(behind.p95)} p95
          </li>
        ))}
        <li>
          most {durationText(most)} and {formatBytes(bytes)} unacknowledged
        </li>
      </ul>
    </div>
  );
}

/** The same as evidence, where the column has advice. */
export const BehindEvidence = ({ replicas }: Props): ReactNode =>
  replicas.map(({ name, behind }) => (
    <li key={name}>
      {name}, asynchronous, <b>{durationText(behind.p50)}</b> behind at p50
    </li>
  ));
