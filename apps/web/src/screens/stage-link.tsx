import type { ReactNode } from "react";
import type { DistributionStage } from "@aglens/contract";
import { useCapture } from "./capture-context.ts";
import styles from "./stage-link.module.css";

interface Props {
  readonly stage: DistributionStage;
  readonly children: ReactNode;
}

/** A stage's name, which leads to how long it takes block by block. */
export function StageLink({ stage, children }: Props): ReactNode {
  const { open } = useCapture();
  return (
    <button
      type="button"
      className={styles.link}
      title="Distribution"
      onClick={() => open("distribution", { stage })}
    >
      {children}
    </button>
  );
}
