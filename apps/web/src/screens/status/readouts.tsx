import type { ReactNode } from "react";
import type { ServerFigures } from "@aglens/contract";
import { statusTexts as texts } from "../../messages/status.ts";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { alarmsOf } from "./status-text.ts";
import styles from "./readouts.module.css";

/** The six figures that show problems first. */
export function Readouts({ figures }: { readonly figures: ServerFigures }): ReactNode {
  const { disk, analyses, recognitions, liveRuns, answers, eventLoop, refusals } = figures;
  const alarms = alarmsOf(figures);
  return (
    <dl className={styles.readouts} aria-label={texts.readouts}>
      <Readout
        title={texts.diskFreeOf(formatBytes(disk.total))}
        value={formatBytes(disk.free)}
        alarm={alarms.disk}
      />
      <Readout
        title={texts.analysesRunning}
        value={formatCount(analyses.running)}
        more={[
          texts.waiting(formatCount(analyses.waiting)),
          ...(recognitions.waiting === 0 ? [] : [texts.filesWait(formatCount(recognitions.waiting))]),
        ].join(", ")}
      />
      <Readout title={texts.liveRuns} value={formatCount(liveRuns.running)} more={`of ${liveRuns.most}`} />
      <Readout
        title={texts.answersP95Of5}
        value={answers.p95Ms === null ? "–" : milliseconds(answers.p95Ms)}
        alarm={alarms.answers}
        minutes={answers.minutes}
      />
      <Readout
        title={texts.mainThreadP99}
        value={milliseconds(eventLoop.p99Ms)}
        alarm={alarms.eventLoop}
        minutes={eventLoop.minutes}
      />
      <Readout
        title={texts.refusedOrFailed(refusals.hours)}
        value={formatCount(refusals.refused)}
        more={`of ${formatCount(refusals.requests)}`}
      />
    </dl>
  );
}

const milliseconds = (ms: number): string => `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)}\u2009ms`;

interface Props {
  readonly title: string;
  readonly value: string;
  readonly more?: string;
  /** A word for the problem. */
  readonly alarm?: string | null;
  /** A figure for each minute of the last hour. */
  readonly minutes?: readonly (number | null)[];
}

function Readout({ title, value, more = "", alarm = null, minutes }: Props): ReactNode {
  return (
    <div className={styles.readout}>
      <dt>{title}</dt>
      <dd data-alarm={alarm !== null}>
        <b>{value}</b>
        <span>{alarm ?? more}</span>
        {minutes === undefined ? null : <Sparkline minutes={minutes} />}
      </dd>
    </div>
  );
}

const WIDTH = 96;
const HEIGHT = 22;

/** The last hour from 0 to its largest minute. */
function Sparkline({ minutes }: { readonly minutes: readonly (number | null)[] }): ReactNode {
  const most = Math.max(1, ...minutes.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, minutes.length - 1);
  const path = minutes
    .map((value, i) => {
      if (value === null) return "";
      const isNew = i === 0 || minutes[i - 1] === null;
      return `${isNew ? "M" : "L"}${(i * step).toFixed(1)} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}${isNew ? "h0.1" : ""}`;
    })
    .join("");
  return (
    <svg className={styles.line} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
