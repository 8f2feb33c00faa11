import type { ReactNode } from "react";
import { Check } from "../../../frame/field.tsx";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { AmountField } from "./amount-field.tsx";
import { FormSection } from "./form-section.tsx";
import { useWatchForm } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

/** Length of a recording, and how many there may be. */
export function RecordingSection(): ReactNode {
  const { form, change } = useWatchForm();
  const { on } = form;
  return (
    <FormSection position={4} title={texts.recording}>
      <p className={styles.words}>
        <span>{texts.untilQuiet(<AmountField name="quiet" />, <AmountField name="most" />)}</span>
        <span className={styles.switch}>
          <input
            type="checkbox"
            aria-label={texts.keepTheTimeBefore}
            checked={on.ring}
            onChange={({ target }) => change({ on: { ...on, ring: target.checked } })}
          />
          <span>{texts.keepBefore(<AmountField name="ring" disabled={!on.ring} />)}</span>
        </span>
      </p>
      <p className={`${styles.under} quiet text-small`}>{texts.ringCost}</p>
      <p className={styles.words}>
        <span>
          {texts.atMost(
            <AmountField name="perDay" characters={3} />,
            <AmountField name="perWeek" characters={3} />,
            <AmountField name="bytes" />,
          )}
        </span>
        <span>{texts.holdOff(<AmountField name="holdOff" />)}</span>
        <span>{texts.keepFor(<AmountField name="keep" />)}</span>
      </p>
      <Check checked={on.commits} onChange={(commits) => change({ on: { ...on, commits } })}>
        {texts.withCommits}
      </Check>
    </FormSection>
  );
}
