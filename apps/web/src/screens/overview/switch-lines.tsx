/** Changes of roles in the plots of the overview. */
import type { ReactNode } from "react";
import { xOf } from "../../charts/time-scale.ts";
import { useCapture } from "../capture-context.ts";
import { roleSwitches } from "../role-switches.ts";
import { useOverview } from "./overview-context.ts";
import styles from "./failover.module.css";

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

/** Nearer to the edge of the plot a plate has no room, px. */
const PLATE_PX = 120;

/** Who commits on both sides of each switch. */
export function SwitchPlates({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale } = useOverview();
  const nameOf = (phase: number): string => summary.replicas[summary.phases[phase]?.primary ?? 0]?.name ?? "";
  return roleSwitches(summary).map(({ from, to, before, after }) => {
    const [left, right] = [xOf({ ...scale, width }, from), xOf({ ...scale, width }, to)];
    return (
      <div key={after} className={styles.plates} aria-hidden="true">
        {left < PLATE_PX || left > width ? null : (
          <span style={{ right: width - left + 6 }}>{nameOf(before)} commits</span>
        )}
        {right < 0 || right > width - PLATE_PX ? null : (
          <span style={{ left: right + 6 }}>{nameOf(after)} commits</span>
        )}
      </div>
    );
  });
}
