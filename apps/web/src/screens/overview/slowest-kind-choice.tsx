import type { ReactNode } from "react";
import { Segmented } from "../../ui/controls.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { useSlowestKind } from "./slowest-kind.ts";
import styles from "./slowest-kind-choice.module.css";

/** Whether blocks or commits are listed. */
export function SlowestKindChoice(): ReactNode {
  const { setView } = useCapture();
  return (
    <span className={styles.kind}>
      <Segmented
        label="List of the slowest"
        value={useSlowestKind()}
        options={[
          { value: "blocks", label: "Blocks" },
          { value: "commits", label: "Commits" },
        ]}
        onChange={(list) => setView({ list })}
      />
    </span>
  );
}
