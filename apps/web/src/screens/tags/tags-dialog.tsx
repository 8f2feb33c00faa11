import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { LONGEST_TAG } from "@aglens/contract";
import { addTag, knownTags, removeTag, tagsOf } from "../../data/tags-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Field } from "../../frame/field.tsx";
import { CloseIcon } from "../../frame/icons.tsx";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { helpTexts as texts } from "../../messages/help.ts";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import styles from "./tags.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Captures of these tags. */
  readonly ids: readonly string[];
  /** Called after each tag that was added or removed. */
  readonly onChanged?: (() => void) | undefined;
}

/** Adds tags to one or several captures, and removes them. Each change is saved at once. */
export function TagsDialog({ open, onOpenChange, ids, onChanged = () => {} }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const title = ids.length === 1 ? texts.tagsOfThisCapture : texts.tagsOfCaptures(formatCount(ids.length));
  return (
    <Modal
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      width={460}
      onFocus={() => field.current?.focus()}
    >
      <ModalBody>
        <Tags ids={ids} field={field} onChanged={onChanged} />
      </ModalBody>
      <ModalFoot>
        <Button size="large" onClick={() => onOpenChange(false)}>
          {texts.done}
        </Button>
      </ModalFoot>
    </Modal>
  );
}

interface TagsProps {
  readonly ids: readonly string[];
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly onChanged: () => void;
}

function Tags({ ids, field, onChanged }: TagsProps): ReactNode {
  const { value, error, retry } = useAnswer(tagsOf(ids));
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState("");
  const change = useCommand(async (tag: string, isWanted: boolean) => {
    try {
      // One after the other, so that a refusal ends the command for the rest.
      for (const id of ids) await (isWanted ? addTag(id, tag) : removeTag(id, tag));
      setDone(isWanted ? texts.wasSet(tag) : texts.wasTakenOff(tag));
      if (isWanted) setTyped("");
    } finally {
      retry();
      onChanged();
    }
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== "") change.run(typed.trim(), true);
  };
  const remove = (tag: string): void => {
    change.run(tag, false);
    // The button disappears with its tag.
    field.current?.focus();
  };
  const tags = tagCounts(value ?? []);
  return (
    <>
      <form className={styles.form} onSubmit={submit}>
        <TagField field={field} typed={typed} onTyped={setTyped} has={tags.map(({ tag }) => tag)} />
        <Button type="submit" disabled={change.isRunning || typed.trim() === ""}>
          {texts.add}
        </Button>
      </form>
      {value !== null && tags.length === 0 ? <p className={styles.none}>{texts.noTagYet}</p> : null}
      <ul className={styles.tags} aria-label={texts.tags}>
        {tags.map(({ tag, captures }) => (
          <li key={tag}>
            <span>{tag}</span>
            {captures < ids.length ? (
              <span className={styles.some}>{texts.onOf(captures, ids.length)}</span>
            ) : null}
            <button
              type="button"
              aria-label={texts.takeOff(tag)}
              disabled={change.isRunning}
              onClick={() => remove(tag)}
            >
              <CloseIcon size={10} />
            </button>
          </li>
        ))}
      </ul>
      <output className="sr-only">{done}</output>
      <Problem sentence={change.error ?? error} {...(change.error === null ? { onRetry: retry } : {})} />
    </>
  );
}

interface FieldProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  /** Tags that are there already. */
  readonly has: readonly string[];
}

/** Field for a new tag, with the tags of other captures as suggestions. */
function TagField({ field, typed, onTyped, has }: FieldProps): ReactNode {
  const list = useId();
  const known = useAnswer(knownTags).value?.facets.tag ?? [];
  return (
    <>
      <Field label={texts.addATag}>
        <input
          ref={field}
          list={list}
          value={typed}
          maxLength={LONGEST_TAG}
          autoComplete="off"
          placeholder={texts.nightlyLoadTestIncident}
          onChange={({ target }) => onTyped(target.value)}
        />
      </Field>
      <datalist id={list}>
        {known
          .filter(({ value }) => !has.includes(value))
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
    </>
  );
}

/** A tag with the number of captures that have it. */
export interface TagCount {
  readonly tag: string;
  readonly captures: number;
}

/** Every tag of some captures, in alphabetical order. @param tags of each of them */
export function tagCounts(tags: readonly (readonly string[])[]): TagCount[] {
  const counts = new Map<string, number>();
  for (const tag of tags.flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, captures]) => ({ tag, captures }))
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
}
