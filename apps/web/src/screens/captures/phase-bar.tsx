import type { ReactNode } from "react";
import type { ExpectedTime } from "./expected-time.ts";
import { remainingWords } from "./remaining.ts";
import styles from "./progress-screen.module.css";

/** The phases of an analysis side by side, as wide as they are expected to take; filled as far as they are. */
export function PhaseBar({ time }: { readonly time: ExpectedTime | null }): ReactNode {
  const seconds = (time?.phases ?? []).reduce((sum, phase) => sum + phase.seconds, 0);
  return (
    <>
      <progress className="sr-only" aria-label="Work by time" max={1} value={time?.share ?? 0} />
      <div className={styles.phases} aria-hidden="true">
        {(time?.phases ?? []).map(({ phase, seconds, share }) => (
          <i key={phase} style={{ flexGrow: seconds }}>
            <b style={{ width: `${100 * share}%` }} />
          </i>
        ))}
      </div>
      <p className={styles.scale}>
        {time === null ? "\u00a0" : `Width is expected time, ${remainingWords(seconds)} in all`}
      </p>
    </>
  );
}
