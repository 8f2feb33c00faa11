import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { Watch, Watches } from "@aglens/contract";
import { allWatches } from "../../../data/watch-client.ts";
import { saveWatch } from "../../../data/watch-form-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { useCommand } from "../../../data/use-command.ts";
import { TextLink } from "../../../frame/app-bar.tsx";
import { KeyHint } from "../../../frame/key-hint.tsx";
import { Modal, ModalBody, ModalFoot } from "../../../frame/modal.tsx";
import { PageTitle } from "../../../frame/page-title.tsx";
import { Message, Page } from "../../../frame/page.tsx";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { useAccount } from "../../../state/account.ts";
import { navigate } from "../../../state/navigate.ts";
import { Button } from "../../../ui/controls.tsx";
import { keyName, useKeys } from "../../../ui/keys.ts";
import { watchOf, watchPath } from "../watch-address.ts";
import { MessagesSection } from "./messages-section.tsx";
import { RecordingSection } from "./recording-section.tsx";
import { watchedForms, watchedRights } from "./replica-forms.ts";
import { ReplicasSection } from "./replicas-section.tsx";
import { SidePane } from "./side-pane.tsx";
import { PollSection, TriggersSection } from "./triggers-section.tsx";
import { useRights } from "./use-rights.ts";
import { formOf, isSameForm, newForm, readForm, type WatchForm } from "./watch-form.ts";
import { WatchFormContext } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

/** Creates a watch, or changes one. @param id null for a new watch */
export function WatchEditScreen({ id }: { readonly id: string | null }): ReactNode {
  const { value, error, retry } = useAnswer(allWatches);
  const account = useAccount();
  const title = id === null ? texts.createWatch : texts.editWatch;
  const watch = id === null || value === null ? null : watchOf(value.watches, id);
  const refusal = refusalOf(value, watch, id, account?.person.role === "viewer");
  if (error !== null && value === null) {
    return (
      <Page title={title}>
        <Message title={texts.watchesAreNotPossible} detail={error} onRetry={retry} />
      </Page>
    );
  }
  if (refusal !== null) {
    return (
      <Page title={title}>
        <Message {...refusal}>
          <Button onClick={() => navigate("/watches")}>{texts.allWatches}</Button>
        </Message>
      </Page>
    );
  }
  if (value === null)
    return (
      <Page title={title} isBusy>
        {""}
      </Page>
    );
  return <EditPage key={id} watch={watch} title={title} watches={value} />;
}

interface Refusal {
  readonly title: string;
  readonly detail: string;
}

/** Why there is no form; null where there is one. */
function refusalOf(
  watches: Watches | null,
  watch: Watch | null,
  id: string | null,
  isViewer: boolean,
): Refusal | null {
  if (isViewer) return { title: texts.askAContributor, detail: texts.askAContributorFor };
  if (watches === null) return null;
  if (id !== null && watch === null) return { title: texts.noSuchWatch, detail: texts.itMayBeDeleted };
  if (watch !== null && !watch.mayChange)
    return { title: texts.notYours, detail: texts.onlyItsOwner(watch.owner?.name ?? null) };
  if (watches.logins.length > 0) return null;
  return { title: texts.watchesAreNotPossible, detail: watches.problem ?? texts.noLogin };
}

interface EditProps {
  readonly watch: Watch | null;
  readonly title: string;
  readonly watches: Watches;
}

function EditPage({ watch, title, watches }: EditProps): ReactNode {
  const { logins, receivers } = watches;
  // The form is of the watch as it was opened: later polls change nothing that a person typed.
  const [before] = useState(() =>
    watch === null ? newForm(logins[0] ?? "") : formOf(watch.definition, watchedForms(watch)),
  );
  const [form, setForm] = useState<WatchForm>(before);
  const checks = useRights(watch === null ? {} : watchedRights(watch, before.replicas));
  const [isLeaving, setLeaving] = useState(false);
  const read = readForm(form, watches);
  const change = (part: Partial<WatchForm>): void => setForm((now) => ({ ...now, ...part }));
  const leave = (): void => navigate(watch === null ? "/watches" : watchPath(watch.id));
  const save = useCommand(async () => {
    if (read.definition === null) return;
    const saved = await saveWatch(watch?.id ?? null, read.definition);
    navigate(watchPath(saved.id));
  });
  const onSave = (): void => {
    if (!save.isRunning && read.definition !== null) save.run();
  };
  const onCancel = (): void => {
    if (isSameForm(form, before)) leave();
    else setLeaving(true);
  };
  useKeys({ saveWatch: onSave, back: onCancel });
  return (
    <Page
      title={title}
      what={<PageTitle name={title} {...(form.group === "" ? {} : { note: form.group })} />}
      actions={<TextLink href="/watches">{texts.allWatches}</TextLink>}
      status={<Keys />}
      statusRight={texts.passwordStays}
    >
      <WatchFormContext
        value={{
          watch,
          form,
          read,
          checks,
          change,
          logins,
          receivers,
          problemAt: (field) => read.problems.find((each) => each.field === field)?.sentence ?? null,
        }}
      >
        <div className={styles.page}>
          <h1 className="sr-only">{form.group === "" ? title : texts.titleOf(title, form.group)}</h1>
          <FormKeys onSave={onSave} onCancel={onCancel}>
            <ReplicasSection server={new URLSearchParams(window.location.search).get("server") ?? ""} />
            <PollSection />
            <TriggersSection />
            <RecordingSection />
            <MessagesSection />
          </FormKeys>
          <SidePane isSaving={save.isRunning} error={save.error} onSave={onSave} onCancel={onCancel} />
        </div>
      </WatchFormContext>
      <DiscardDialog open={isLeaving} onOpenChange={setLeaving} onDiscard={leave} />
    </Page>
  );
}

const Keys = (): ReactNode => (
  <>
    <KeyHint keys={["Tab"]}>{texts.nextField}</KeyHint>
    <KeyHint keys={["Ctrl", "Enter"]}>{texts.saveWatchKey}</KeyHint>
    <KeyHint keys={["Esc"]}>{texts.cancelKey}</KeyHint>
  </>
);

interface FormKeysProps {
  readonly onSave: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Keys of the form inside of its fields, where keys of the page are off. */
function FormKeys({ onSave, onCancel, children }: FormKeysProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = { "Ctrl+Enter": onSave, Escape: onCancel }[keyName(event)];
    if (action === undefined || event.defaultPrevented) return;
    event.preventDefault();
    action();
  };
  return (
    // The fields inside have the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.form} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

interface DiscardProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onDiscard: () => void;
}

/** Asks before changes are lost. */
const DiscardDialog = ({ open, onOpenChange, onDiscard }: DiscardProps): ReactNode => (
  <Modal open={open} onOpenChange={onOpenChange} title={texts.discardTitle} width={420}>
    <ModalBody>
      <p>{texts.discardDetail}</p>
    </ModalBody>
    <ModalFoot>
      <Button onClick={() => onOpenChange(false)}>{texts.keepEditing}</Button>
      <Button kind="primary" onClick={onDiscard}>
        {texts.discard}
      </Button>
    </ModalFoot>
  </Modal>
);
