import type { ReactNode } from "react";
import { hasReplicaMatrix } from "@aglens/contract";
import { durationText, formatBytes } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { asynchronousOf, type AsynchronousReplica } from "./replica-candidates.ts";
import { useReplicaRows } from "./use-replica-rows.ts";
import { PLACE_US } from "./figures.ts";
import styles from "../capture-view/answer-band.module.css";
import coming from "./without-replica.module.css";

interface Replica extends Pick<AsynchronousReplica, "name"> {
  /** null until it is known. */
  readonly behind: AsynchronousReplica["behind"] | null;
}

/** Asynchronous replicas of the whole capture, by name; none in a capture with one secondary. */
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

/** Figures that are coming have their place, or all below the verdict would move when they come. */
const comingProps = (isComing: boolean) =>
  isComing ? { className: coming.coming, "aria-hidden": true } : {};

/** Where nothing is to be checked: how far the replicas are behind that no commit waits for. */
export function NobodyWaits({ replicas }: Props): ReactNode {
  const most = Math.max(...replicas.map(({ behind }) => behind?.max ?? 0));
  const bytes = Math.max(...replicas.map(({ behind }) => behind?.bytesMax ?? 0));
  return (
    <div className={styles.checkNext}>
      <h2>Asynchronous, no commit waits</h2>
      <ul {...comingProps(replicas.some(({ behind }) => behind === null))}>
        {replicas.map(({ name, behind }) => (
          <li key={name}>
            <b>{name}</b> {durationText(behind?.p50)} behind at p50, {durationText(behind?.p95)} p95
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
    <li key={name} {...comingProps(behind === null)}>
      {name}, asynchronous, <b>{durationText(behind === null ? PLACE_US : behind.p50)}</b> behind at p50
    </li>
  ));
