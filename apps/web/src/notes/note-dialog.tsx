import { type ReactNode, type RefObject, type SubmitEvent, useId, useRef, useState } from "react";
import { LONGEST_AUTHOR, MOST_NOTE_TEXT } from "@aglens/contract";
import { Field } from "../frame/field.tsx";
import { Modal, ModalBody, ModalFoot } from "../frame/modal.tsx";
import { Problem } from "../frame/problem.tsx";
import { notesTexts as texts } from "../messages/notes.ts";
import { Button } from "../ui/controls.tsx";
import { useAccount } from "../state/account.ts";
import { authorName, rememberAuthorName } from "./author-name.ts";
import { placeText } from "./placed-note.ts";
import type { NoteDraft, NoteWriting } from "./use-notes.ts";
import styles from "./notes.module.css";

/** Writes a note, or changes its text; nothing while no note is being written. */
export function NoteDialog({ writing }: { readonly writing: NoteWriting }): ReactNode {
  const { draft, cancel } = writing;
  const field = useRef<HTMLInputElement>(null);
  return (
    <Modal
      open={draft !== null}
      onOpenChange={(open) => (open ? undefined : cancel())}
      title={draft === null ? "" : draftText(draft)}
      width={520}
      onFocus={() => field.current?.select()}
    >
      {draft === null ? null : <NoteForm draft={draft} writing={writing} field={field} />}
    </Modal>
  );
}

/** `New note on a range, 35.6 s` */
const draftText = ({ place, note }: NoteDraft): string =>
  `${note === null ? texts.newNote : texts.note} ${placeText(place)}`;

interface FormProps {
  readonly draft: NoteDraft;
  readonly writing: NoteWriting;
  readonly field: RefObject<HTMLInputElement | null>;
}

function NoteForm({ draft: { note }, writing: { save, cancel }, field }: FormProps): ReactNode {
  const [text, setText] = useState(note?.text ?? "");
  const [author, setAuthor] = useState(authorName);
  // The server has the name of a signed-in author, and an author does not change.
  const asksAuthor = useAccount() === null && note === null;
  const room = useId();
  const canSave = text.trim() !== "" && !save.isRunning;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!canSave) return;
    if (asksAuthor) rememberAuthorName(author.trim());
    save.run(text, asksAuthor ? author.trim() : "");
  };
  return (
    <form onSubmit={submit}>
      <ModalBody>
        <Field label={texts.text}>
          <input
            ref={field}
            value={text}
            maxLength={MOST_NOTE_TEXT}
            aria-describedby={room}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <p className={styles.room} id={room}>
          {texts.ofCharactersLeftEveryone(MOST_NOTE_TEXT - text.length, MOST_NOTE_TEXT)}
        </p>
        {asksAuthor ? (
          <div className="space-12">
            <Field label={texts.yourName}>
              <input
                value={author}
                maxLength={LONGEST_AUTHOR}
                placeholder={texts.unnamed}
                onChange={(event) => setAuthor(event.target.value)}
              />
            </Field>
          </div>
        ) : null}
        <Problem sentence={save.error} />
      </ModalBody>
      <ModalFoot>
        <Button size="large" onClick={cancel}>
          {texts.cancel}
        </Button>
        <Button type="submit" kind="primary" size="large" aria-disabled={!canSave}>
          {texts.saveNote}
        </Button>
      </ModalFoot>
    </form>
  );
}
