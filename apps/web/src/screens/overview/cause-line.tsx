import type { ReactNode } from "react";
import { happenedTexts as texts } from "../../messages/happened.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { failoverText, rangeOfFailover, useEvidence } from "../capture-view/use-evidence.ts";
import styles from "../capture-view/answer-band.module.css";

/** Cause of the first failover that evidence files report, with a link to it on the timeline; nothing without one. */
export function CauseLine(): ReactNode {
  const { summary, open } = useCapture();
  const evidence = useEvidence();
  const failovers = evidence?.failovers ?? [];
  const inCapture = failovers.filter(({ at }) => at >= 0 && at <= summary.durationUs);
  const failover = inCapture[0] ?? failovers[0];
  if (failover === undefined) return null;
  return (
    <p className={styles.cause}>
      {failoverText(summary, failover)}{" "}
      {failovers.length === 1 ? null : `${texts.moreFailovers(failovers.length - 1)} `}
      <button
        type="button"
        className={styles.link}
        onClick={() => open("timeline", { range: rangeOfFailover(summary, failover), block: null, kept: [] })}
      >
        {texts.whatHappened}
      </button>
    </p>
  );
}
