import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type Capture, LONGEST_CAPTURE_NAME, type Summary } from "@aglens/contract";
import { captureAddress, useReadSummaryAgain } from "../../data/capture-address.ts";
import { captureById } from "../../data/captures-client.ts";
import {
  giveNames,
  hasRenames,
  type Named,
  type NameSource,
  type Names,
  namesOf,
  restoreNames,
} from "../../data/names-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Field } from "../../frame/field.tsx";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { helpTexts as texts } from "../../messages/help.ts";
import { Button } from "../../ui/controls.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import styles from "./names.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Longest name of a server or a database: sysname. */
const LONGEST_NAME = 128;

/** Digits of a GUID that distinguish replicas and databases. */
const SHORT_ID = 8;

/** Names of the capture, its availability group, servers and databases, for all users. */
export function NamesDialog({ open, onOpenChange }: Props): ReactNode {
  const { summary } = useCapture();
  const { value: capture, error, retry } = useAnswer(captureById(summary.captureId));
  return (
    <Modal open={open} onOpenChange={onOpenChange} title={texts.names} width={480}>
      <Problem sentence={error} onRetry={retry} />
      {capture === null ? null : (
        <NamesForm capture={capture} summary={summary} onClose={() => onOpenChange(false)} />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly capture: Capture;
  readonly summary: Summary;
  readonly onClose: () => void;
}

function NamesForm({ capture, summary, onClose }: FormProps): ReactNode {
  const { onChanged } = useCapture();
  const before = namesOf(capture, summary);
  const [names, setNames] = useState(before);
  const form = useId();
  const readSummaryAgain = useReadSummaryAgain();
  const change = useCommand(async (work: () => Promise<boolean>) => {
    const isAnalyzedAgain = await work();
    onClose();
    onChanged?.();
    if (!isAnalyzedAgain) readSummaryAgain(captureAddress(capture.id));
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.run(() => giveNames(capture, before, trimmed(names)));
  };
  return (
    <>
      <ModalBody>
        <form id={form} onSubmit={submit} className="stack gap-12">
          <Field label={texts.capture}>
            <input
              required
              value={names.capture}
              maxLength={LONGEST_CAPTURE_NAME}
              onChange={({ target }) => setNames({ ...names, capture: target.value })}
            />
          </Field>
          <Field label={texts.availabilityGroup}>
            <input
              value={names.group}
              maxLength={LONGEST_NAME}
              placeholder={texts.notKnown}
              onChange={({ target }) => setNames({ ...names, group: target.value, groupFrom: undefined })}
            />
            <NameOrigin from={names.groupFrom} />
          </Field>
          <NameFields
            title={texts.servers}
            named={names.servers}
            onNamed={(servers) => setNames({ ...names, servers })}
          />
          <NameFields
            title={texts.databases}
            named={names.databases}
            onNamed={(databases) => setNames({ ...names, databases })}
          />
          <p className="muted text-small">{texts.allUsersWhoOpen}</p>
          <Problem sentence={change.error} />
        </form>
      </ModalBody>
      <ModalFoot>
        {hasRenames(capture) ? (
          <Button disabled={change.isRunning} onClick={() => change.run(() => restoreNames(capture))}>
            {texts.restoreNames}
          </Button>
        ) : null}
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button kind="primary" type="submit" form={form} disabled={change.isRunning}>
          {texts.saveNames}
        </Button>
      </ModalFoot>
    </>
  );
}

const trimmed = ({ capture, group, groupFrom, servers, databases }: Names): Names => ({
  capture: capture.trim(),
  groupFrom,
  group: group.trim(),
  servers: servers.map(withTrimmed),
  databases: databases.map(withTrimmed),
});
const withTrimmed = ({ name, ...named }: Named): Named => ({ ...named, name: name.trim() });

/** Says where a name is from, as long as it is not changed. */
function NameOrigin({ from }: { readonly from: NameSource | undefined }): ReactNode {
  if (from === undefined) return null;
  const { name, title } = texts.origins[from];
  return (
    <small className={styles.origin} title={title}>
      {name}
      <span className="sr-only">. {title}</span>
    </small>
  );
}

/** A field per server or database, with the id that distinguishes it. */
function NameFields({
  title,
  named,
  onNamed,
}: {
  readonly title: string;
  readonly named: readonly Named[];
  readonly onNamed: (named: readonly Named[]) => void;
}): ReactNode {
  return (
    <fieldset className={styles.fields}>
      <legend>{title}</legend>
      {named.map(({ ids, name, from }, i) => (
        <label key={ids[0] ?? i}>
          <input
            required
            aria-label={texts.of(title, i + 1, named.length)}
            value={name}
            maxLength={LONGEST_NAME}
            onChange={({ target }) => onNamed(named.with(i, { ids, name: target.value }))}
          />
          <NameOrigin from={from} />
          <code title={ids.join(", ")}>{(ids[0] ?? "no id").slice(0, SHORT_ID)}</code>
        </label>
      ))}
    </fieldset>
  );
}
