import type { ReactNode } from "react";
import { COLOUR_WORDS } from "../../lanes/palette.ts";
import { Swatch } from "../../ui/controls.tsx";
import { namesOfSlots, phaseIndex, primaryMoved } from "../phase.ts";
import { useCapture } from "../capture-context.ts";
import { useTimeline } from "./timeline-context.ts";
import styles from "./legend.module.css";

/** What the lanes' colours and heights mean. */
export function Legend(): ReactNode {
  const { summary, view } = useCapture();
  const { level, hitBuffer } = useTimeline();
  const phase = phaseIndex(summary, view.phase);
  const byRole = summary.replicas.length > 2 || primaryMoved(summary, phase);
  const names = namesOfSlots(summary, phase);
  const primary = byRole ? "Primary" : (names[0] ?? "Primary");
  const secondary = byRole ? "Secondary" : (names[view.secondary + 1] ?? "Secondary");
  return (
    <div className={styles.legend}>
      {COLOUR_WORDS.map(({ token, words }) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {words({ primary, secondary })}
        </span>
      ))}
      <span className={styles.forced}>Solid: primary; dots: network; diagonal: secondary</span>
      <em>
        {hitBuffer !== null
          ? "others at 20\u2009%; figures at the left: hits only"
          : level >= 2
            ? "soft edge: clock uncertainty"
            : level === 1
              ? "log height; cap: over its limit"
              : "line p50, strokes maximum"}
      </em>
    </div>
  );
}
