import type { ReactNode } from "react";
import { LANE_KINDS } from "../../../charts/evidence/happened-lanes.ts";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import type { Happened } from "./use-happened.ts";
import styles from "./happened-pane.module.css";

/** The lanes of evidence files and of their samples, each with a check mark where it is shown. */
export function LaneChoice({
  happened: { lanes, metrics, chosen, shown },
}: {
  readonly happened: Happened;
}): ReactNode {
  const { setView } = useCapture();
  const kinds = LANE_KINDS.filter((kind) => lanes.some((lane) => lane.kind === kind));
  const options = [
    ...kinds.map((kind) => ({ key: kind as string, name: texts.kindNames[kind], note: "" })),
    ...metrics,
  ];
  const toggle = (key: string): void => {
    const next = chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key];
    setView({ evidence: next.filter((each) => options.some((option) => option.key === each)) }, "replace");
  };
  return (
    <details className={styles.choice}>
      <summary>{texts.lanesShown(shown.length, lanes.length + metrics.length)}</summary>
      <ul>
        {options.map(({ key, name, note }) => (
          <li key={key}>
            <label>
              <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} />
              {name}
              {note === "" ? null : <small>{note}</small>}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
