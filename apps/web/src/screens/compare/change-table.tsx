import type { ReactNode } from "react";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import { Swatch } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration } from "../../ui/words.ts";
import { stageColor, distributionStageName } from "../capture-view/stage-means.ts";
import type { ComparedSides } from "@aglens/contract";
import { betweenText, changeText } from "./compare-text.ts";
import styles from "./compare.module.css";
import { Term } from "../../ui/term.tsx";

/** Each stage on both sides, the change, and its confidence interval. */
export function ChangeTable({
  comparison: { stages },
  names,
}: {
  readonly comparison: ComparedSides;
  readonly names: ReplicaNames;
}): ReactNode {
  return (
    <FigureTable<(typeof stages)[number]>
      className={styles.changes}
      aria-label={texts.changes}
      rows={stages}
      rowKey={({ stage }) => stage}
      columns={[
        {
          id: "Stage",
          cell: ({ stage }) => (
            <>
              <Swatch color={`var(${stageColor(stage)})`} />
              <Term id={stage}>{distributionStageName(stage, names)}</Term>
            </>
          ),
        },
        { id: "A", cell: ({ a }) => formatDuration(a) },
        { id: "B", cell: ({ b }) => formatDuration(b) },
        {
          id: "Change",
          cell: ({ change, verdict }) => (
            <>
              {changeText(change)}
              {verdict === "alike" ? <span className="sr-only">{texts.withinChance}</span> : null}
            </>
          ),
          cellProps: ({ verdict }) => {
            const isQuiet = verdict === "alike" || verdict === "unknown";
            return { "data-quiet": isQuiet, "data-strong": !isQuiet };
          },
        },
        {
          id: "95 % interval",
          cell: ({ between }) => betweenText(between),
          cellProps: () => ({ "data-quiet": true }),
        },
      ]}
    />
  );
}
