import type { ReactNode } from "react";
import { Check } from "../../../frame/field.tsx";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { Button } from "../../../ui/controls.tsx";
import { useEachSecond } from "../../../ui/use-each-second.ts";
import { dayInstantText } from "../../../ui/zone.ts";
import { AmountField, InlineText } from "./amount-field.tsx";
import { cronText } from "./cron-text.ts";
import { FormSection } from "./form-section.tsx";
import { useWatchForm } from "./watch-form-context.ts";
import { MOST_SCHEDULES, newSchedule, nextScheduleOf, type ScheduleForm, type Switch } from "./watch-form.ts";
import styles from "./watch-edit.module.css";

/** Interval of the polls. */
export const PollSection = (): ReactNode => (
  <FormSection position={2} title={texts.poll}>
    <p className={styles.words}>
      <span>{texts.pollEvery(<AmountField name="every" characters={4} />)}</span>
      <span className="quiet">{texts.pollsNeedNoSession}</span>
    </p>
  </FormSection>
);

/** Rules that start a recording. */
export function TriggersSection(): ReactNode {
  const { form, watch } = useWatchForm();
  const { on } = form;
  return (
    <FormSection position={3} title={texts.triggers}>
      <Trigger name="commitDelay" title={texts.commitDelay}>
        {texts.overFor(
          <AmountField name="delayOver" disabled={!on.commitDelay} />,
          <AmountField name="delayFor" disabled={!on.commitDelay} />,
        )}
      </Trigger>
      <Trigger name="timesUsual" title={texts.timesUsual} note={texts.fromSevenDays}>
        {texts.overUsualFor(
          <AmountField name="usualTimes" characters={4} disabled={!on.timesUsual} />,
          <AmountField name="usualFor" disabled={!on.timesUsual} />,
        )}
      </Trigger>
      <Trigger name="queue" title={texts.queue}>
        {texts.overOrRpo(
          <AmountField name="sendQueue" disabled={!on.queue} />,
          <AmountField name="rpo" disabled={!on.queue} />,
        )}
      </Trigger>
      <Trigger name="state" title={texts.state}>
        {texts.stateWords}
      </Trigger>
      <Schedules />
      <Trigger name="http" title={texts.http}>
        {texts.httpWords} <code className="mono">{texts.httpAddress(watch?.id ?? "ID")}</code>
      </Trigger>
    </FormSection>
  );
}

interface TriggerProps {
  readonly name: Switch;
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Trigger({ name, title, note, children }: TriggerProps): ReactNode {
  const { form, change } = useWatchForm();
  const { on } = form;
  return (
    <div className={styles.trigger}>
      <Check checked={on[name]} onChange={(isOn) => change({ on: { ...on, [name]: isOn } })}>
        {title}
      </Check>
      <div className={styles.words} data-off={!on[name]}>
        <span>{children}</span>
        {note === undefined ? null : <span className="quiet text-small">{note}</span>}
      </div>
    </div>
  );
}

/** Cron expressions with their words and next time. */
function Schedules(): ReactNode {
  const { form, change } = useWatchForm();
  const { on, schedules } = form;
  return (
    <Trigger name="schedules" title={texts.schedule}>
      {schedules.map((schedule, i) => (
        <ScheduleRow
          key={schedule.key}
          schedule={schedule}
          position={i + 1}
          isOn={on.schedules}
          onRemove={
            schedules.length === 1
              ? null
              : () => change({ schedules: schedules.filter(({ key }) => key !== schedule.key) })
          }
        />
      ))}
      {on.schedules && schedules.length < MOST_SCHEDULES ? (
        <Button
          kind="quiet"
          onClick={() => change({ schedules: [...schedules, newSchedule("0 6 * * 1-5")] })}
        >
          {texts.addSchedule}
        </Button>
      ) : null}
    </Trigger>
  );
}

interface ScheduleProps {
  readonly schedule: ScheduleForm;
  readonly position: number;
  readonly isOn: boolean;
  readonly onRemove: (() => void) | null;
}

function ScheduleRow({ schedule, position, isOn, onRemove }: ScheduleProps): ReactNode {
  const { form, change, problemAt } = useWatchForm();
  const zone = useReaderZone();
  const now = useEachSecond(isOn);
  const { key, cron, length } = schedule;
  const set = (part: Partial<ScheduleForm>): void =>
    change({ schedules: form.schedules.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  const problem = problemAt(key);
  const next = isOn && problem === null ? nextScheduleOf(schedule, now) : null;
  return (
    <span className={styles.schedule}>
      <InlineText
        label={texts.cron(position)}
        value={cron}
        problem={problem}
        characters={Math.max(11, cron.length + 2)}
        disabled={!isOn}
        onChange={(text) => set({ cron: text })}
      />
      {problem === null ? (
        <span>
          {texts.cronWords(
            cronText(cron),
            <InlineText
              label={texts.amounts.schedule}
              value={length}
              problem={problemAt(`${key}-length`)}
              disabled={!isOn}
              onChange={(text) => set({ length: text })}
            />,
          )}
        </span>
      ) : (
        <span className="bad">{problem}</span>
      )}
      {next === null ? null : (
        <span className="quiet text-small">
          {texts.nextAt(dayInstantText(zone, new Date(next).toISOString()))}
        </span>
      )}
      {onRemove === null ? null : (
        <Button kind="quiet" aria-label={texts.removeSchedule(position)} onClick={onRemove}>
          {texts.removeLabel}
        </Button>
      )}
    </span>
  );
}
