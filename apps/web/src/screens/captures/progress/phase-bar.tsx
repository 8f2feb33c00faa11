import type { ReactNode } from "react";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { durationText } from "../../../ui/words.ts";
import { phaseName } from "./analysis-steps.tsx";
import type { ExpectedTime } from "./expected-time.ts";
import { remainingText } from "./remaining.ts";
import styles from "./progress-screen.module.css";

/** Narrower phases have no space for their name; the rows below show it. */
const LEAST_SHARE_NAMED = 0.13;

interface Props {
  readonly time: ExpectedTime | null;
  /** Since the analysis began, ms; null where that is not known. */
  readonly elapsedMs: number | null;
}

/** The phases of an analysis side by side, as wide as they are expected to take; filled as far as they are. */
export function PhaseBar({ time, elapsedMs }: Props): ReactNode {
  const phases = time?.phases ?? [];
  const whole = phases.reduce((sum, phase) => sum + phase.seconds, 0);
  return (
    <>
      <progress className="sr-only" aria-label={texts.workByTime} max={1} value={time?.share ?? 0} />
      <div className={styles.phases} aria-hidden="true">
        {phases.map(({ phase, seconds, share, state }) => (
          <div key={phase} style={{ flexGrow: seconds }} data-state={state}>
            <i>
              <b style={{ width: `${100 * share}%` }} />
            </i>
            <span>{seconds >= LEAST_SHARE_NAMED * whole ? phaseName(phase) : "\u00a0"}</span>
          </div>
        ))}
      </div>
      <p className={styles.scale}>
        <span>{elapsedMs === null ? "" : texts.beganAgo(durationText(1000 * elapsedMs))}</span>
        <span>{time === null ? "\u00a0" : texts.widthIsExpectedTime(remainingText(whole))}</span>
      </p>
    </>
  );
}
