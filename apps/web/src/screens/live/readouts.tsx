import type { CSSProperties, ReactNode } from "react";
import type { LivePicture, LiveReadout } from "@aglens/contract";
import { laneFigure } from "@aglens/ag-model/lanes";
import { sparkPath } from "../../charts/live/spark.ts";
import { stageToken } from "../../lanes/palette.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { formatDuration } from "../../ui/words.ts";
import { judgedText } from "./run-text.ts";
import styles from "./readouts.module.css";

const WIDTH = 96;
const HEIGHT = 26;

/** A figure that ends longer before now than this shows its age, µs. */
const AGED_US = 1_500_000;

/** Age of a figure's end; empty for a current figure. */
function ageWords(heardTo: number | null, now: number): string {
  if (heardTo === null) return texts.noEventsReceivedPart;
  const age = now - heardTo;
  return age < AGED_US ? "" : texts.sAgo(Math.round(age / 1e6));
}

/**
 * Figures over the same period as the verdict, each with its last 30 s. A figure ends at the last event of the replicas
 * that it needs.
 */
export function Readouts({
  readouts,
  judged,
  now,
}: {
  readonly readouts: readonly LiveReadout[];
  readonly judged: LivePicture["judged"];
  readonly now: number;
}): ReactNode {
  return (
    <ul className={styles.readouts} aria-label={texts.figuresOfThe(judgedText(judged))}>
      {readouts.map((readout) => {
        const figure = formatDuration(readout.value);
        return (
          <li key={readout.key}>
            <span className={styles.readoutLabel}>
              {readout.label}
              <i>{ageWords(readout.heardTo, now)}</i>
            </span>
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
