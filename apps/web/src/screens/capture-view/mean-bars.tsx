import type { ReactNode } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { BlockBar } from "../../charts/block-bar.tsx";
import type { BarStages, PausedStages } from "../../charts/block-pieces.ts";
import { Value } from "../../ui/controls.tsx";
import { durationText, formatDuration } from "../../ui/words.ts";
import { meansOf, pathMean } from "./stage-means.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./mean-bars.module.css";

/** A mean of the remote path, shown next to other means. */
export interface MeanBar {
  readonly name: string;
  readonly title?: string;
  /** Length of the bar, µs; null where it is not known. */
  readonly us: number | null;
  readonly stages: BarStages;
  /** Part of each stage in which a server was unresponsive. */
  readonly paused: PausedStages;
  /** Subject of the mean, for screen readers; without it the bar is decoration. */
  readonly label?: string;
}

/** The mean path to a secondary, without the local log write. */
export function pathBar(name: string, { stages, paused }: RangeStatistics, secondary: number): MeanBar {
  const means = meansOf(stages[secondary]);
  return {
    name,
    us: pathMean(means),
    stages: { ...means, localFlush: null },
    paused: paused[secondary] ?? null,
  };
}

interface Props {
  readonly bars: readonly MeanBar[];
  /** Place of names: before their bars, or above them. */
  readonly names: "before" | "above";
}

/** Means on one scale, each as a bar of its stages. */
export function MeanBars({ bars, names }: Props): ReactNode {
  const scaleUs = Math.max(1, ...bars.map(({ us }) => us ?? 0));
  return (
    <div className={styles.bars} data-names={names}>
      {bars.map(({ name, title = name, us, stages, paused, label }) => (
        <div key={name} className={styles.bar}>
          <MiddleEllipsis text={name} title={title} />
          <div className={styles.track}>
            <div style={{ width: `${((us ?? 0) / scaleUs) * 100}%` }}>
              <BlockBar
                stages={stages}
                paused={paused}
                scaleUs={us ?? 1}
                height={names === "before" ? 14 : 12}
                {...(label === undefined ? {} : { label: `${label} ${durationText(us)}` })}
              />
            </div>
            <Value figure={formatDuration(us)} strong />
          </div>
        </div>
      ))}
    </div>
  );
}
