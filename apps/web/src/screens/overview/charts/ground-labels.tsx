import type { ReactNode } from "react";
import { xOf } from "../../../charts/time-scale.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { durationText, formatCount, unbroken } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { uncoveredNames } from "../../capture-view/coverage.ts";
import { gapText, phaseIndex, roleSwitches } from "../../capture-view/phases.ts";
import { episodeLabels, episodeLength } from "./episode-labels.ts";
import { useOverview } from "../overview-context.ts";
import styles from "./charts.module.css";

/** Minimum width of a period for its label, px. */
const LEAST_PX = 72;

type Period = readonly [from: number, to: number];

/** The widest part of a period outside other periods, which have labels of their own. */
function widestBeside(period: Period, others: readonly Period[]): Period {
  const parts = others.reduce<readonly Period[]>(
    (left, [from, to]) =>
      left.flatMap((part): Period[] =>
        from >= part[1] || to <= part[0]
          ? [part]
          : [
              [part[0], Math.max(part[0], from)],
              [Math.min(part[1], to), part[1]],
            ],
      ),
    [period],
  );
  return parts.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));
}

/** Labels of idle and uncovered periods and the names of episodes, where they fit. */
export function GroundLabels({ width }: { readonly width: number }): ReactNode {
  const { summary, view } = useCapture();
  const { scale, ground } = useOverview();
  const clip = (from: number, to: number): { left: number; width: number } => {
    const left = Math.max(0, xOf({ ...scale, width }, from));
    return { left, width: Math.min(width, xOf({ ...scale, width }, to)) - left };
  };
  const switches = roleSwitches(summary);
  // With one phase selected, the idle time outside it belongs to other phases. No commit ends while a server takes
  // over: there the duration matters.
  const idleText = (from: number, to: number): string => {
    if (phaseIndex(summary, view.phase) !== null) return "";
    const change = switches.find((each) => each.from < to && each.to > from);
    return change === undefined ? texts.noLogBlocksFor(unbroken(durationText(to - from))) : gapText(change);
  };
  const idle = ground.idle.map(([from, to]) => ({
    box: clip(from, to),
    words: idleText(from, to),
  }));
  const uncovered = uncoveredNames(summary, ground.uncovered).map(({ from, to, words }) => ({
    box: clip(...widestBeside([from, to], ground.idle)),
    words,
  }));
  return (
    <div className={styles.groundLabels}>
      {[...idle, ...uncovered].map(({ box, words }) =>
        box.width < LEAST_PX ? null : (
          <span key={`${words}${box.left}`} className={styles.groundLabel} style={box}>
            {words}
          </span>
        ),
      )}
      {episodeLabels(ground.episodes, { ...scale, width }).map(({ episode, style }) => (
        <span key={episode.from} className={styles.episodeLabel} style={style}>
          {texts.blocks(
            episode.label,
            durationText(episodeLength(episode, summary.pauses)),
            formatCount(episode.blocks),
          )}
        </span>
      ))}
    </div>
  );
}
