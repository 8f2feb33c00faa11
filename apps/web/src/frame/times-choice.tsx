import type { ReactNode } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { rememberTime, type TimeChoice, useRememberedTime } from "../state/time-choice.ts";
import { Popover } from "./popover.tsx";
import styles from "./strip.module.css";

interface ShownChoice {
  readonly value: TimeChoice;
  /** `UTC+2, server` */
  readonly label: string;
}

export interface Times {
  readonly choices: readonly ShownChoice[];
  readonly time: TimeChoice;
  readonly choose: (time: TimeChoice) => void;
  /** Chooses the one after this one. */
  readonly next: () => void;
}

/** The choice that applies: the link's, else the last one on this browser; UTC where that isn't offered. */
export function useTimeChoice(
  choices: readonly ShownChoice[],
  inLink: TimeChoice | null,
  setInLink: (time: TimeChoice) => void,
): Times {
  const remembered = useRememberedTime();
  const offered = choices.map(({ value }) => value);
  const wanted = inLink ?? remembered;
  const time = offered.includes(wanted) ? wanted : "utc";
  const choose = (chosen: TimeChoice): void => {
    rememberTime(chosen);
    setInLink(chosen);
  };
  const next = (): void => choose(offered[(offered.indexOf(time) + 1) % offered.length] ?? "utc");
  return { choices, time, choose, next };
}

/** Chooses the clock that times are shown in. @param server the one whose clock is shown where the servers' clocks differ */
export function TimesChoice({
  times: { choices, time, choose },
  server = null,
}: {
  readonly times: Times;
  readonly server?: string | null;
}): ReactNode {
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
