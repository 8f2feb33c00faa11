import type { ReactNode } from "react";
import { isWritePart, partsOf, writePart } from "@aglens/ag-model/replication";
import type { Distribution, DistributionStage, Sequence } from "@aglens/contract";
import { durationAxis } from "../../charts/distribution/histogram.ts";
import { HistogramRow } from "../../charts/distribution/histogram-row.tsx";
import { SplitPicture } from "../../charts/sequence/split-picture.tsx";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { Card } from "../../ui/controls.tsx";
import { Term } from "../../ui/term.tsx";
import { useSize } from "../../ui/use-size.ts";
import { durationText, formatCount, formatRange } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useReplicaNames } from "../capture-view/names.ts";
import { shownRange } from "../capture-view/shown-range.ts";
import { stageColor } from "../capture-view/stage-means.ts";
import { rowOf, useServerOf, WriteSplitPane } from "../capture-view/write-split.tsx";
import styles from "./split-box.module.css";

const ROW_HEIGHT = 86;
/** Width of a label of the axis. */
const LABEL_PX = 44;

/** The log writes of a block and of the range in view, split into their parts. */
export function SplitBox({
  sequence,
  value,
}: {
  readonly sequence: Sequence;
  readonly value: Distribution | null;
}): ReactNode {
  const { view } = useCapture();
  const names = useReplicaNames();
  const [box, { width }] = useSize<HTMLDivElement>();
  return (
    <>
      <div ref={box} className={styles.box}>
        {width === 0 ? null : (
          <SplitPicture sequence={sequence} secondary={view.secondary} names={names} width={width} />
        )}
      </div>
      {value === null ? null : (
        <div className={styles.cards}>
          {value.splits.map((split) => (
            <SplitRows key={split.stage} value={value} split={split} />
          ))}
          <Card className={styles.pane}>
            <WriteSplitPane value={value} />
          </Card>
        </div>
      )}
    </>
  );
}

/** The distributions of the range in view, with those of the parts of log writes; null until they are read, and while nothing is split. */
export function useSplit(isShown: boolean): {
  readonly value: Distribution | null;
  readonly problem: ReactNode;
} {
  const { source, summary, view } = useCapture();
  const [from, to] = shownRange(view, summary);
  const { value, error, retry } = useAnswer(
    isShown
      ? source.distribution({
          range: { from, to },
          other: null,
          secondary: view.secondary,
          axis: "log",
          stage: "secondaryFlush",
        })
      : null,
  );
  return { value, problem: <Problem sentence={error} onRetry={retry} /> };
}

/** Histograms of a log write, its queue and its device on one scale. */
function SplitRows({
  value,
  split,
}: {
  readonly value: Distribution;
  readonly split: Distribution["splits"][number];
}): ReactNode {
  const { summary } = useCapture();
  const server = useServerOf()(split);
  const [plot, { width }] = useSize<HTMLDivElement>();
  const axis = durationAxis(value.edges, value.scale, width);
  const labels = axis.ticks.filter(({ label, at }) => label !== "" && axis.x(at) <= width - 20);
  const every = Math.ceil((LABEL_PX * labels.length) / Math.max(1, width));
  const [queue, device] = partsOf(split.stage);
  const shown: readonly DistributionStage[] = [split.stage, queue!, device!];
  return (
    <Card
      title={texts.logWriteSplit(server)}
      aside={texts.scaleAndRange(formatRange(summary, value.from, value.to))}
    >
      <ol className={styles.rows}>
        {shown.map((stage) => (
          <PartRow key={stage} value={value} stage={stage} axis={axis} />
        ))}
      </ol>
      <div className={styles.axisRow} aria-hidden="true">
        <div className={styles.axis} ref={plot}>
          {labels.map(({ at, label }, i) =>
            i % every > 0 ? null : (
              <span key={at} style={{ left: axis.x(at) }}>
                {label}
              </span>
            ),
          )}
        </div>
      </div>
    </Card>
  );
}

function PartRow({
  value,
  stage,
  axis,
}: {
  readonly value: Distribution;
  readonly stage: DistributionStage;
  readonly axis: ReturnType<typeof durationAxis>;
}): ReactNode {
  const range = rowOf(value, stage);
  if (range === undefined) return null;
  return (
    <li className={styles.row}>
      <span>
        <Term id={stage}>{isWritePart(stage) ? texts.partOf(writePart(stage).label) : texts.logWrite}</Term>
        <small>{texts.countAndMedian(formatCount(range.n), durationText(range.p50))}</small>
      </span>
      {axis.width === 0 ? (
        <div style={{ height: ROW_HEIGHT }} />
      ) : (
        <HistogramRow
          axis={axis}
          ranges={[{ ...range, classes: null }]}
          color={stageColor(stage)}
          limitUs={Number.NaN}
          height={ROW_HEIGHT}
          cumulative={0}
          withPercentiles={false}
        />
      )}
    </li>
  );
}
