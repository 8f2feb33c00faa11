import type { ReactNode } from "react";
import { stopAfter } from "../../../data/live-client.ts";
import { useCommand } from "../../../data/use-command.ts";
import { Check } from "../../../frame/field.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { attachTexts as texts } from "../../../messages/attach.ts";
import { instantText, UTC } from "../../../ui/zone.ts";
import { controlOf } from "../control.ts";
import { useLiveRun } from "../live-run-context.ts";
import { STOP_MINUTES } from "../run-text.ts";
import styles from "./run-options.module.css";

/** Automatic actions of a run: an alarm, and its end. */
export function RunOptions(): ReactNode {
  const { id, state, clock, alarm, canControl, isRunning } = useLiveRun();
  const stop = useCommand(async (minutes: number | null) => {
    const control = controlOf(id);
    if (control !== null) await stopAfter(id, control, minutes);
  });
  if (!isRunning) return null;
  return (
    <section className={styles.options} aria-label={texts.alarmAndEnd}>
      <h2>{texts.alarmAndEnd}</h2>
      <Check checked={alarm.isOn} onChange={alarm.switchTo}>
        {texts.soundAndNotifyWhen}
      </Check>
      <label>
        {texts.limitMs}
        <input
          type="number"
          min={1}
          max={100_000}
          value={alarm.limitMs}
          onChange={(event) => alarm.setLimitMs(Math.max(1, event.target.valueAsNumber || 1))}
        />
      </label>
      {canControl ? (
        <label>
          {texts.stopAndKeepAutomatically}
          <select
            value={state.stopsAt === null ? "never" : "set"}
            onChange={(event) => stop.run(event.target.value === "never" ? null : Number(event.target.value))}
          >
            <option value="never">{texts.never}</option>
            {state.stopsAt === null ? null : (
              <option value="set">{texts.at(instantText(clock.zone ?? UTC, state.stopsAt))}</option>
            )}
            {STOP_MINUTES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {texts.inMin(minutes)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Problem sentence={stop.error} />
    </section>
  );
}
