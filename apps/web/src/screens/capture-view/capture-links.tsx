import type { ReactNode } from "react";
import type { DistributionStage, SlowBlock } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { termProps } from "../../ui/term.tsx";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "./capture-context.ts";
import styles from "./capture-links.module.css";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { databaseName } from "./databases.ts";

/** Links to blocks of other databases that a block's LSN also names, with their distance in time. */
export function EqualLsns({
  block: { lsn, time, equalLsns },
}: {
  readonly block: Pick<SlowBlock, "lsn" | "time" | "equalLsns">;
}): ReactNode {
  const { summary, view, open } = useCapture();
  const [first, ...others] = equalLsns;
  if (first === undefined) return null;
  const name = databaseName(summary, first.database) ?? texts.anotherDatabase;
  const rest = others.length === 0 ? "" : texts.andMore(others.length);
  return (
    <button
      type="button"
      className={styles.chip}
      title={texts.lsnNamesABlock(lsn)}
      onClick={(event) => {
        event.stopPropagation();
        // A filter on one database would hide the block in the other database.
        open("sequence", { block: first.row, ...(view.database === null ? {} : { database: null }) });
      }}
    >
      {texts.alsoIn(name)}
      <span className={styles.distance}>
        , {first.time < time ? "\u2212" : "+"}
        {durationText(Math.abs(first.time - time))}
      </span>
      {rest}
    </button>
  );
}

interface Props {
  readonly stage: DistributionStage;
  readonly children: string;
}

/** A stage's name as a link to its distribution over all blocks. */
export function StageLink({ stage, children }: Props): ReactNode {
  const { open } = useCapture();
  return (
    <button
      type="button"
      className={styles.link}
      {...termProps(stage)}
      onClick={() => open("distribution", { stage })}
    >
      <MiddleEllipsis text={children} />
    </button>
  );
}
