import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import type { Level } from "../../../charts/timeline/layout.ts";
import { colorName, PATH_COLORS, type StageToken, termOfColor } from "../../../lanes/palette.ts";
import type { TermId } from "../../../messages/terms.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { Swatch } from "../../../ui/controls.tsx";
import { StatesOfTime } from "../../lane-view/states-of-time.tsx";
import { uncoveredPeriods } from "../../capture-view/coverage.ts";
import { namesOfSlots, phaseIndex, primaryMoved } from "../../capture-view/phases.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { toggledLanes } from "../../capture-view/capture-lanes.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import styles from "./legend.module.css";
import { termProps } from "../../../ui/term.tsx";

/** Meaning of the lanes' colors and heights. */
export function Legend(): ReactNode {
  const { summary, view } = useCapture();
  const { hitBuffer, isolated } = useTimelineData();
  const { level } = useTimelineView();
  const phase = phaseIndex(summary, view.phase);
  const byRole = summary.replicas.length > 2 || primaryMoved(summary, phase);
  const names = namesOfSlots(summary, phase);
  const primary = byRole ? "Primary" : (names[0] ?? "Primary");
  const secondary = byRole ? "Secondary" : (names[view.secondary + 1] ?? "Secondary");
  return (
    <div className={styles.legend}>
      {([...PATH_COLORS, "--wait"] as const).map((token) => (
        <LegendEntry key={token} token={token} words={colorName(token, { primary, secondary })} />
      ))}
      <StatesOfTime states={statesOf(summary)} />
      <span className={styles.forced}>{texts.solidPrimaryDotsNetwork}</span>
      <em data-longest={longestLevelText(summary)}>
        {isolated.length > 0
          ? texts.inCommitsWhen
          : hitBuffer !== null
            ? texts.othersAt20Figures
            : levelText(level, summary)}
      </em>
    </div>
  );
}

/** States of time without bars that the capture has; every capture may be idle. */
function statesOf(summary: Summary): readonly TermId[] {
  const found = new Set<TermId>(uncoveredPeriods(summary).map(([, , , state]) => state));
  if (summary.lost.length > 0) found.add("lost");
  if (summary.underWay.length > 0) found.add("notArrived");
  return ["idle", ...found];
}

const LEVELS: readonly Level[] = [0, 1, 2, 3];

function levelText(level: Level | null, summary: Summary): string {
  if (level === null) return "";
  if (level === 0) return texts.lineP50StrokesMaximum;
  return level === 1 ? texts.logHeightCapOver : uncertaintyText(summary);
}

/**
 * Reserves its space from the start: text that appears with the blocks would take another line, and lanes would move.
 */
const longestLevelText = (summary: Summary): string =>
  LEVELS.map((level) => levelText(level, summary)).reduce((longest, words) =>
    words.length > longest.length ? words : longest,
  );

/** Only an aligned clock has a known uncertainty for its bars. */
const uncertaintyText = ({ clocks }: Summary): string =>
  clocks.every(({ status }) => status === "cannotAlign")
    ? texts.oneBarPerBlock
    : texts.softEdgeClockUncertainty;

/** A color and its meaning; a press isolates the lanes of that color, a second press ends that. */
function LegendEntry({ token, words }: { readonly token: StageToken; readonly words: string }): ReactNode {
  const { view, setView } = useCapture();
  const { lanes, isolated } = useTimelineData();
  const keys = lanes.all
    .filter(({ color, whenFolded }) => color === token && !whenFolded)
    .map(({ key }) => key);
  const isPressed = keys.length > 0 && keys.every((key) => isolated.includes(key));
  if (keys.length === 0 || token === "--wait")
    return (
      <span {...termProps(termOfColor(token))}>
        <Swatch color={`var(${token})`} /> {words}
      </span>
    );
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      {...termProps(termOfColor(token), isPressed ? texts.allStages : texts.aloneTheOthersSet(words))}
      onClick={() => setView({ isolated: toggledLanes(view.isolated, keys) })}
    >
      <Swatch color={`var(${token})`} /> {words}
    </button>
  );
}
