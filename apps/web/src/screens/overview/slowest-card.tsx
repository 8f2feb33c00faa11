import type { ReactNode } from "react";
import { hasReplicaMatrix } from "@aglens/contract";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { SlowestCommits } from "../slowest/slowest-commits.tsx";
import { SlowestTable } from "../slowest/slowest-table.tsx";
import { Segmented } from "../../ui/controls.tsx";
import { useOverview } from "./overview-context.ts";
import styles from "./slowest-kind-choice.module.css";

/** The slowest blocks or the slowest commits of the range in view. */
export function SlowestCard(): ReactNode {
  const { slowest, slowCommits, setPointed } = useOverview();
  const kind = useSlowestKind();
  const tools = <TableTools name={texts.slowest(kind)} />;
  const props = { choice: <SlowestKindChoice />, tools, onPoint: setPointed };
  return kind === "commits" ? (
    <SlowestCommits list={slowCommits} {...props} />
  ) : (
    <SlowestTable list={slowest} {...props} />
  );
}

/** Whether blocks or commits are listed. */
export function SlowestKindChoice(): ReactNode {
  const { setView } = useCapture();
  return (
    <span className={styles.kind}>
      <Segmented
        label={texts.listOfTheSlowest}
        value={useSlowestKind()}
        options={[
          { value: "blocks", label: texts.blocksLabel },
          { value: "commits", label: texts.commitsLabel },
        ]}
        onChange={(list) => setView({ list })}
      />
    </span>
  );
}

/** Commits where several replicas can release them, blocks elsewhere, unless the view specifies it. */
export function useSlowestKind(): "blocks" | "commits" {
  const { summary, view } = useCapture();
  return view.list ?? (hasReplicaMatrix(summary) ? "commits" : "blocks");
}
