import { type ReactNode, useState } from "react";
import type { Distribution, DistributionStage } from "@aglens/contract";
import { durationAxis } from "../../charts/distribution/histogram.ts";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useRoleNames } from "../capture-view/names.ts";
import { binText, rowFigures } from "./distribution-text.ts";
import { isLogWrite, distributionStageName } from "../capture-view/stage-means.ts";
import { StagePlot } from "./stage-plot.tsx";
import styles from "./distribution.module.css";
import { termProps } from "../../ui/term.tsx";

interface Props {
  readonly value: Distribution;
  readonly chosen: DistributionStage;
}

interface Pointed {
  readonly stage: DistributionStage;
  readonly bin: number;
}

/** One histogram per stage on one scale of durations; the chosen one is taller and has the line of cumulative shares. */
export function StageRows({ value, chosen }: Props): ReactNode {
  const { setView } = useCapture();
  const names = useRoleNames();
  const [plot, { width }] = useSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const axis = durationAxis(value.edges, value.scale, width);
  const of = pointed && value.rows.find(({ stage }) => stage === pointed.stage)?.ranges[0];
  const lastWrite = value.rows.findLast(({ stage }) => isLogWrite(stage))?.stage;
  return (
    <>
      <p className={styles.readout}>
        {pointed === null || !of ? (
          <Legend value={value} />
        ) : (
          `${distributionStageName(pointed.stage, names)}, ${binText(pointed.stage, value.edges, of, pointed.bin)}`
        )}
      </p>
      <ol aria-label={texts.stages}>
        {value.rows.map(({ stage, ranges }, index) => (
          <li key={stage} className={styles.row} data-chosen={stage === chosen}>
            <button
              type="button"
              className={styles.name}
              aria-pressed={stage === chosen}
              {...termProps(stage, index < 9 ? texts.key(index + 1) : undefined)}
              onClick={() => setView({ stage }, "replace")}
            >
              {distributionStageName(stage, names)}
              <small>{rowFigures(ranges[0]!)}</small>
            </button>
            <StagePlot
              stage={stage}
              name={distributionStageName(stage, names)}
              ranges={ranges}
              axis={axis}
              isChosen={stage === chosen}
              isLastWrite={stage === lastWrite}
              onPoint={(bin) => setPointed(bin === null ? null : { stage, bin })}
            />
          </li>
        ))}
      </ol>
      <div className={styles.axisRow} aria-hidden="true">
        <div className={styles.axis} ref={plot}>
          {axis.ticks.map(({ at, label }, i) =>
            label === "" ? null : (
              <span
                key={at}
                style={{ left: axis.x(at) }}
                data-end={i === 0 && axis.x(at) < 8 ? "first" : axis.x(at) > width - 20 ? "last" : undefined}
              >
                {label}
              </span>
            ),
          )}
        </div>
      </div>
    </>
  );
}

function Legend({ value }: { readonly value: Distribution }): ReactNode {
  if (value.other === null) return texts.dragOverBars;
  return texts.filledTheRange;
}
