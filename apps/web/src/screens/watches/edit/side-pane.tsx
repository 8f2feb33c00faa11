import type { ReactNode } from "react";
import { Notice } from "../../../frame/notice.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { Button } from "../../../ui/controls.tsx";
import { CostTable } from "../cost-table.tsx";
import { inWords } from "./in-words.ts";
import { warningsOf } from "./replica-forms.ts";
import { Rehearsal } from "./rehearsal.tsx";
import { useWatchForm } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

interface Props {
  readonly isSaving: boolean;
  readonly error: string | null;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Meaning of the form, its triggers over kept polls, its cost, and missing rights. */
export const SidePane = (props: Props): ReactNode => (
  <aside className={styles.pane} aria-label={texts.inWords}>
    <Words />
    <Rehearsal />
    <Cost />
    <BeforeSave {...props} />
  </aside>
);

function Words(): ReactNode {
  const { read, form, checks } = useWatchForm();
  const { definition } = read;
  return (
    <>
      <h2>{texts.inWords}</h2>
      <p className={styles.meaning} aria-live="polite">
        {definition === null
          ? texts.fillInFirst
          : inWords(definition, form.replicas, checks.rights).join(" ")}
      </p>
    </>
  );
}

function Cost(): ReactNode {
  const { watch } = useWatchForm();
  return (
    <>
      <h2>{texts.cost}</h2>
      <CostTable replicas={watch?.replicas ?? []} />
    </>
  );
}

/** Problems, and servers without a right. */
function BeforeSave({ isSaving, error, onSave, onCancel }: Props): ReactNode {
  const { read, form, checks } = useWatchForm();
  const { problems } = read;
  const { warnings, isAsked } = warningsOf(form.replicas, checks.rights);
  return (
    <>
      <h2>{texts.beforeYouSave}</h2>
      {problems.map(({ field, sentence }) => (
        <Notice key={field}>{sentence}</Notice>
      ))}
      {problems.length > 0 ? null : warnings.map((sentence) => <Notice key={sentence}>{sentence}</Notice>)}
      {problems.length > 0 ? null : (
        <p className="muted">
          {warnings.length > 0
            ? texts.youCanSave
            : isAsked
              ? texts.nothingIsMissing
              : texts.rightsAreNotAsked}
        </p>
      )}
      <Problem sentence={error} />
      <div className={styles.buttons}>
        <Button kind="primary" size="large" disabled={isSaving || problems.length > 0} onClick={onSave}>
          {isSaving ? texts.saving : texts.saveWatch}
        </Button>
        <Button size="large" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  );
}
