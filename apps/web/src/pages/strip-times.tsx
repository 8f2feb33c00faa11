import type { ReactNode } from "react";
import { Popover } from "../frame/popover.tsx";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { serverZone, timeChoices } from "../screens/capture-view/zones.ts";
import { rememberTime, type TimeChoice, useRememberedTime } from "../state/time-choice.ts";
import styles from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";

interface Times {
  readonly time: TimeChoice;
  readonly choose: (time: TimeChoice) => void;
  /** Chooses the next format. */
  readonly next: () => void;
}

/** Format of the times of the open capture: the link's choice, otherwise the last one on this browser. */
export function useTimes(): Times {
  const { summary, view, setView } = useCapture();
  const remembered = useRememberedTime();
  const wanted = view.time ?? remembered;
  const choices = timeChoices(summary).map(({ value }) => value);
  const time = choices.includes(wanted) ? wanted : "utc";
  const choose = (chosen: TimeChoice): void => {
    rememberTime(chosen);
    setView({ time: chosen }, "replace");
  };
  return { time, choose, next: () => choose(choices[(choices.indexOf(time) + 1) % choices.length] ?? "utc") };
}

/** Chooses the clock that times are shown in, or offsets from the start of the capture. */
export function TimesChoice(): ReactNode {
  const { summary } = useCapture();
  const { time, choose } = useTimes();
  const choices = timeChoices(summary);
  const server = serverZone(summary)?.name ?? null;
  return (
    <div className={styles.times} title={texts.clockThatTimes}>
      <Popover
        className={styles.timesButton}
        label={texts.times(choices.find(({ value }) => value === time)?.label)}
      >
        <fieldset className={styles.timesChoices}>
          <legend className="sr-only">{texts.timesLabel}</legend>
          {choices.map(({ value, label }) => (
            <label key={value} className="row gap-8 clickable">
              <input type="radio" name="times" checked={value === time} onChange={() => choose(value)} />
              {label}
            </label>
          ))}
        </fieldset>
        {server === null ? null : <p>{texts.serversClocksDiffer(server)}</p>}
      </Popover>
    </div>
  );
}
