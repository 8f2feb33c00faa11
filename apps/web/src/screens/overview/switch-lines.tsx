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

/** A plate needs so much room, to the edge of the plot or to the next switch, px. */
const PLATE_PX = 120;

/** Who commits on both sides of each switch; a phase with room for one plate has it at its beginning. */
export function SwitchPlates({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale } = useOverview();
  const nameOf = (phase: number): string => summary.replicas[summary.phases[phase]?.primary ?? 0]?.name ?? "";
  const xAt = (us: number): number => xOf({ ...scale, width }, us);
  const switches = roleSwitches(summary);
  return switches.map(({ from, to, before, after }, i) => {
    const [left, right] = [xAt(from), xAt(to)];
    const [previous, next] = [switches[i - 1], switches[i + 1]];
    const begin = previous === undefined ? 0 : Math.max(0, xAt(previous.to));
    const end = next === undefined ? width : Math.min(width, xAt(next.from));
    const plates = begin > 0 ? 2 : 1;
    return (
      <div key={after} className={styles.plates} aria-hidden="true">
        {left - begin < plates * PLATE_PX || left > width ? null : (
          <span style={{ right: width - left + 6 }}>{nameOf(before)} commits</span>
        )}
        {right < 0 || end - right < PLATE_PX ? null : (
          <span style={{ left: right + 6 }}>{nameOf(after)} commits</span>
        )}
      </div>
    );
  });
}
