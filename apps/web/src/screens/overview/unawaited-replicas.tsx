import type { ReactNode } from "react";
import { hasReplicaMatrix } from "@aglens/contract";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { asynchronousOf, type AsynchronousReplica } from "./replica-candidates.ts";
import { useReplicaRows } from "./use-replica-rows.ts";
import styles from "../capture-view/answer-band.module.css";

interface Replica extends Pick<AsynchronousReplica, "name"> {
  /** null until it is known. */
  readonly behind: AsynchronousReplica["behind"] | null;
}

/** Asynchronous replicas of the complete capture, by name; empty in a capture with one secondary. */
export function useAsynchronousReplicas(): readonly Replica[] {
  const { summary } = useCapture();
  const { value, error } = useReplicaRows({ from: 0, to: Math.max(1, summary.durationUs) });
  if (value !== null) return asynchronousOf(value, summary);
  if (!hasReplicaMatrix(summary) || error !== null) return [];
  const asynchronous = summary.replicas.slice(1).filter(({ commitMode }) => commitMode === "async");
  return asynchronous
    .map(({ name }) => ({ name, behind: null }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

interface Props {
  readonly replicas: readonly Replica[];
}

/** Shown where there is nothing to check: the lag of the replicas that no commit waits for. */
export function UnawaitedReplicas({ replicas }: Props): ReactNode {
  return (
    <div className={styles.checkNext}>
      <h2>{texts.asynchronousCommitNoCommit}</h2>
      <ul aria-hidden={replicas.some(({ behind }) => behind === null)}>
        {replicas.map(({ name, behind }) => (
          <li key={name}>
            {texts.lagP50P95(<b>{name}</b>, durationText(behind?.p50), durationText(behind?.p95))}
          </li>
        ))}
      </ul>
    </div>
  );
}
