import type { CSSProperties, ReactNode } from "react";
import type { LiveReadout } from "@aglens/contract";
import { laneFigure } from "@aglens/ag-model/lanes";
import { sparkPath } from "../../charts/live/spark.ts";
import { stageToken } from "../../lanes/palette.ts";
import { formatDuration } from "../../ui/words.ts";
import styles from "./readouts.module.css";

const WIDTH = 96;
const HEIGHT = 26;

/** Figures over the last 5 s, each with its last 30 s. */
export function Readouts({ readouts }: { readonly readouts: readonly LiveReadout[] }): ReactNode {
  return (
    <ul className={styles.readouts} aria-label="Figures of the last 5 s">
      {readouts.map((readout) => {
        const figure = formatDuration(readout.value);
        return (
          <li key={readout.key}>
            <span className={styles.readoutLabel}>{readout.label}</span>
            <span className={styles.readoutValue}>
              <b>{figure.value}</b>
              {figure.unit === "" ? null : <span className="unit">{`\u2009${figure.unit}`}</span>}
            </span>
            <Spark values={readout.spark} lane={readout.lane} />
          </li>
        );
      })}
    </ul>
  );
}

function Spark({ values, lane }: { values: LiveReadout["spark"]; lane: string }): ReactNode {
  const token = lane === "commit" ? "--ink" : stageToken(laneFigure(lane) ?? "");
  return (
    <svg
      className={styles.spark}
      height={HEIGHT}
      preserveAspectRatio="none"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      style={{ "--spark": `var(${token})` } as CSSProperties}
    >
      <path d={sparkPath(values, WIDTH, HEIGHT)} />
    </svg>
  );
}
