import type { ReactNode } from "react";
import { Swatch } from "../../ui/controls.tsx";
import { namesOfSlots, primaryMoved } from "../phase.ts";
import { useCapture } from "../capture-context.ts";
import { useTimeline } from "./timeline-context.ts";
import styles from "./legend.module.css";

const LEGEND: readonly [string, (p: string, s: string) => string][] = [
  ["--p-disk", (p) => `${p} log write`],
  ["--p-work", (p) => `${p} handling`],
  ["--n-out", () => "Network out"],
  ["--n-back", () => "Network back"],
  ["--s-disk", (_, s) => `${s} log write`],
  ["--s-work", (_, s) => `${s} handling`],
  ["--wait", () => "Session waiting"],
];

/** What the lanes' colours and heights mean. */
export function Legend(): ReactNode {
  const { summary, view } = useCapture();
  const { level } = useTimeline();
  const byRole = summary.replicas.length > 2 || primaryMoved(summary);
  const names = namesOfSlots(summary);
  const p = byRole ? "Primary" : (names[0] ?? "Primary");
  const s = byRole ? "Secondary" : (names[view.secondary + 1] ?? "Secondary");
  return (
    <div className={styles.legend}>
      {LEGEND.map(([token, words]) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {words(p, s)}
        </span>
      ))}
      <span className={styles.forced}>Solid: primary; dots: network; diagonal: secondary</span>
      <em>
        {level >= 2
          ? "soft edge: clock uncertainty"
          : level === 1
            ? "log height; cap: over its limit"
            : "line p50, strokes maximum"}
      </em>
    </div>
  );
}
