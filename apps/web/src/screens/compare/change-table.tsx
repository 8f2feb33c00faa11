import type { ReactNode } from "react";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { formatDuration } from "../../ui/words.ts";
import { stageColour, stageName } from "../distribution-stages.ts";
import type { Comparison } from "./compare-sides.ts";
import { betweenText, changeText } from "./compare-words.ts";
import styles from "./compare.module.css";

/** Each stage on both sides, the change, and where chance leaves it. */
export function ChangeTable({
  comparison: { stages },
  names,
}: {
  readonly comparison: Comparison;
  readonly names: ReplicaNames;
}): ReactNode {
  return (
    <table className={`${styles.changes} figure-table`} aria-label="Changes">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">Change</th>
          <th scope="col">95 % interval</th>
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stage, a, b, change, between, verdict }) => (
          <tr key={stage} data-verdict={verdict}>
            <th scope="row">
              <Swatch color={`var(${stageColour(stage)})`} /> {stageName(stage, names)}
            </th>
            <td>
              <Value figure={formatDuration(a)} />
            </td>
            <td>
              <Value figure={formatDuration(b)} />
            </td>
            <td className={styles.change}>
              {changeText(change)}
              {verdict === "alike" ? <span className="sr-only">, within chance</span> : null}
            </td>
            <td className={styles.between}>{betweenText(between)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
