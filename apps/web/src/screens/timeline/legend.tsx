import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import type { Level } from "../../charts/timeline/layout.ts";
import { Swatch } from "../../ui/controls.tsx";

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
export function Legend({
  summary,
  secondary,
  level,
}: {
  summary: Summary;
  secondary: number;
  level: Level;
}): ReactNode {
  const several = summary.replicas.length > 2;
  const p = several ? "Primary" : (summary.replicas[0]?.name ?? "Primary");
  const s = several ? "Secondary" : (summary.replicas[secondary + 1]?.name ?? "Secondary");
  return (
    <div className="tl-legend">
      {LEGEND.map(([token, words]) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {words(p, s)}
        </span>
      ))}
      <span className="tl-forced">Solid: primary; dots: network; diagonal: secondary</span>
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
