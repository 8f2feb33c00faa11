import type { ReactNode } from "react";
import type { PredictedChange } from "@aglens/contract";
import { whatIfTexts as texts } from "../../messages/what-if.ts";
import { formatDuration } from "../../ui/words.ts";
import { Value } from "../../ui/controls.tsx";
import { betweenText, effectText, isNoChange } from "./what-if-text.ts";
import styles from "./what-if.module.css";

interface Props {
  readonly changes: readonly PredictedChange[];
  /** Measured p95, µs. */
  readonly measured: number;
  readonly chosen: string;
  readonly onChoose: (change: string) => void;
}

/** Every change that the capture allows on one scale: the measured value as an outline, the predicted one filled. */
export function ChangeList({ changes, measured, chosen, onChoose }: Props): ReactNode {
  const longest = Math.max(measured, ...changes.flatMap(({ p95, canTell }) => (canTell ? (p95 ?? 0) : 0)));
  const percentOf = (us: number | null): string => `${Math.min(100, (100 * (us ?? 0)) / (longest || 1))}%`;
  return (
    <ul className={styles.changes} aria-label={texts.changes}>
      {changes.map((change) => {
        const isSame = change.p95 !== null && isNoChange(measured, change.p95);
        const [low, high] = change.between;
        return (
          <li key={change.change}>
            <button
              type="button"
              className={styles.change}
              aria-pressed={change.change === chosen}
              onClick={() => onChoose(change.change)}
            >
              <span className={styles.changeName}>
                {change.name}
                <small>{change.detail}</small>
              </span>
              <span className={styles.changeBar} aria-hidden="true">
                <i className={styles.now} style={{ width: percentOf(measured) }} />
                {change.canTell ? (
                  <i
                    className={isSame ? styles.same : styles.predicted}
                    style={{ width: percentOf(change.p95) }}
                  />
                ) : null}
                {change.canTell && !isSame ? (
                  <i
                    className={styles.whisker}
                    style={{
                      left: percentOf(low),
                      width: `calc(${percentOf(high)} - ${percentOf(low)})`,
                    }}
                  />
                ) : null}
              </span>
              <span className={styles.changeFigure} title={betweenText(change.between)}>
                {change.canTell ? (
                  <Value figure={formatDuration(change.p95)} strong={!isSame} />
                ) : (
                  texts.cantDetermine
                )}
                <small>
                  {change.canTell
                    ? effectText(measured, change.p95)
                    : measured > 0
                      ? texts.ownErrorOver10
                      : texts.noCommitKnown}
                </small>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
