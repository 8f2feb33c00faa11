/** Changes of roles in the plots of the overview. */
import type { ReactNode } from "react";
import { xOf } from "../../../charts/time-scale.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { roleSwitches, roomForPlates } from "../../capture-view/phases.ts";
import { episodeLabels } from "./episode-labels.ts";
import { useOverview } from "../overview-context.ts";
import styles from "../failover.module.css";

/** The two lines of each switch through a plot. */
export function SwitchLines({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale } = useOverview();
  return roleSwitches(summary).flatMap(({ from, to, after }) =>
    [from, to]
      .filter((at) => at > scale.from && at < scale.to)
      .map((at) => (
        <div key={`${after} ${at}`} className={styles.line} style={{ left: xOf({ ...scale, width }, at) }} />
      )),
  );
}

/** Width that a plate needs, px. */
const PLATE_PX = 120;

const plateText = (name: string, hasCommits: boolean): string =>
  hasCommits ? texts.commits(name) : texts.primaryPart(name);

/** The committing server on both sides of each switch, below the name of an episode. */
export function SwitchPlates({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale, ground } = useOverview();
  const named = episodeLabels(ground.episodes, { ...scale, width }).map(({ span }) => span);
  const isUnderName = (left: number): boolean =>
    named.some(([from, to]) => left < to && left + PLATE_PX > from);
  const nameOf = (phase: number): string => summary.replicas[summary.phases[phase]?.primary ?? 0]?.name ?? "";
  const switches = roleSwitches(summary);
  const xAt = (us: number): number => xOf({ ...scale, width }, us);
  const places = switches.map(({ from, to }) => [xAt(from), xAt(to)] as const);
  return switches.map(({ before, after, known }, i) => {
    const [left, right] = places[i] ?? [0, 0];
    const room = roomForPlates(places, i, width, PLATE_PX);
    return (
      <div key={after} className={styles.plates} aria-hidden="true">
        {room.before && (
          <span style={{ right: width - left + 6 }} data-below={isUnderName(left - 6 - PLATE_PX)}>
            {plateText(nameOf(before), known.before)}
          </span>
        )}
        {room.after && (
          <span style={{ left: right + 6 }} data-below={isUnderName(right + 6)}>
            {plateText(nameOf(after), known.after)}
          </span>
        )}
      </div>
    );
  });
}
