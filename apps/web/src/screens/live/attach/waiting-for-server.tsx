import type { CSSProperties, ReactNode } from "react";
import { attachTexts as texts } from "../../../messages/attach.ts";
import type { Waiting } from "./attach.ts";
import styles from "./server-card.module.css";

const SHOWN_S = 60;

/** A server that is not ready: the reason, and the time of the next try, on a bar of the first minute. */
export function WaitingForServer({
  state,
  now,
}: {
  readonly state: Waiting;
  readonly now: number;
}): ReactNode {
  const { sentence, tries, nextAt } = state;
  const first = tries[0] ?? now;
  const seconds = (instant: number): number => Math.max(0, Math.round((instant - first) / 1000));
  const percent = (instant: number): CSSProperties => ({
    left: `${Math.min(100, (100 * (instant - first)) / (1000 * SHOWN_S))}%`,
  });
  const count = tries.length === 1 ? "1 try" : texts.triesInS(tries.length, seconds(tries.at(-1) ?? first));
  return (
    <div className="text space-8">
      <p>
        {sentence} <span className="quiet">{texts.nextAtS(count, seconds(nextAt))}</span>
      </p>
      <div className={styles.tries} aria-hidden="true">
        {tries.map((instant) => (
          <i key={instant} style={percent(instant)} />
        ))}
        <i data-next="true" style={percent(nextAt)} />
      </div>
      <p className="flex-box spread muted" aria-hidden="true">
        <span>{texts.firstTry}</span>
        <span>{texts.sThenOnce(SHOWN_S)}</span>
      </p>
    </div>
  );
}
