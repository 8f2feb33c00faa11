import { type ReactNode, useMemo } from "react";
import { attachTexts as texts } from "../../../messages/attach.ts";
import { type Gauge, gaugesOf } from "../gauges.ts";
import { useLiveRun } from "../live-run-context.ts";
import styles from "./counter-choice.module.css";

/** All counters that can be lanes, each with its newest value; the ticked ones are lanes under the timeline. */
export function CounterChoice(): ReactNode {
  const { state, gaugeChoice, chooseGauge } = useLiveRun();
  const gauges = useMemo(() => gaugesOf(state), [state]);
  const isShown = ({ key, isUsual }: Gauge): boolean => gaugeChoice[key] ?? isUsual;
  if (gauges.length === 0) return null;
  return (
    <details className={styles.choice}>
      <summary>
        {texts.counters}{" "}
        <span className="quiet">{texts.ofAreLanes(gauges.filter(isShown).length, gauges.length)}</span>
      </summary>
      <ul>
        {gauges.map((gauge) => (
          <li key={gauge.key}>
            <label title={gauge.words}>
              <input
                type="checkbox"
                checked={isShown(gauge)}
                onChange={(event) => chooseGauge(gauge.key, event.target.checked)}
              />
              {gauge.label}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
