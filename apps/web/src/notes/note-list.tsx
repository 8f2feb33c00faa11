import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "../frame/icon-button.tsx";
import { BinIcon, NoteIcon, PenIcon } from "../frame/icons.tsx";
import { Problem } from "../frame/problem.tsx";
import { useReaderZone } from "../frame/use-reader-zone.ts";
import { notesTexts as texts } from "../messages/notes.ts";
import { Button, Kbd } from "../ui/controls.tsx";
import { authorOf, placeText, type PlacedNote, zonedWrittenText } from "./placed-note.ts";
import type { NotesOfCapture, NoteWriting } from "./use-notes.ts";
import styles from "./notes.module.css";

/** Time in which a deletion can be undone, ms; the server keeps the note a little longer. */
const UNDO_MS = 10_000;

/** Id of the list's heading, for links to it. */
export const NOTE_LIST_ID = "notes";

interface Props {
  readonly notes: NotesOfCapture;
  /** Shows the range or log block of a note. */
  readonly onOpen: (note: PlacedNote) => void;
  /** Writes a note about the selection or the view. */
  readonly onWrite: () => void;
}

/** All notes of the capture, by time; nothing where no note exists and none is being written. */
export function NoteList({ notes: { notes, error, retry, writing }, onOpen, onWrite }: Props): ReactNode {
  if (notes.length === 0 && error === null && writing === null) return null;
  return (
    <section className={styles.list} aria-labelledby={NOTE_LIST_ID}>
      <header>
        <h3 id={NOTE_LIST_ID} tabIndex={-1}>
          {texts.notes}
        </h3>
        {writing === null ? null : (
          <Button onClick={onWrite}>
            {texts.note} <Kbd>e</Kbd>
          </Button>
        )}
      </header>
      <Problem sentence={error} onRetry={retry} />
      <Problem sentence={writing?.remove.error ?? writing?.restore.error ?? null} />
      {writing?.removed.map((note) => (
        <Undo key={note.id} note={note} writing={writing} />
      ))}
      {notes.length === 0 ? null : (
        <ul>
          {notes.map((note) => (
            <NoteLine key={note.id} note={note} writing={writing} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface LineProps {
  readonly note: PlacedNote;
  readonly writing: NoteWriting | null;
  readonly onOpen: (note: PlacedNote) => void;
}

function NoteLine({ note, writing, onOpen }: LineProps): ReactNode {
  const zone = useReaderZone();
  return (
    <li>
      <button type="button" className={styles.open} onClick={() => onOpen(note)}>
        <NoteIcon />
        <span>
          {note.text}
          <small>
            {texts.writtenBy(placeText(note), authorOf(note), zonedWrittenText(note.written, zone))}
          </small>
        </span>
      </button>
      {writing === null || note.mayChange === false ? null : (
        <>
          <IconButton
            label={texts.changeTheNote(note.text)}
            tip={texts.change}
            onClick={() => writing.begin({ place: note, note })}
          >
            <PenIcon />
          </IconButton>
          <IconButton
            label={texts.deleteTheNote(note.text)}
            tip={texts.deleteCanBeUndone}
            onClick={() => writing.remove.run(note)}
          >
            <BinIcon />
          </IconButton>
        </>
      )}
    </li>
  );
}

/** Reports that a note was deleted, and restores it. */
function Undo({ note, writing }: { readonly note: PlacedNote; readonly writing: NoteWriting }): ReactNode {
  const line = useRef<HTMLDivElement>(null);
  const end = useRef(() => writing.forget(note));
  useEffect(() => {
    const box = line.current;
    // The button that deleted the note is gone: without a new focus, keys would have no start.
    box?.querySelector("button")?.focus();
    const timer = setTimeout(() => end.current(), UNDO_MS);
    return () => {
      clearTimeout(timer);
      if (box?.contains(document.activeElement) === true) document.getElementById("content")?.focus();
    };
  }, []);
  return (
    <div className={styles.undo} ref={line}>
      <output>{texts.noteDeleted}</output>
      <Button aria-label={texts.noteDeletedUndo(note.text)} onClick={() => writing.restore.run(note)}>
        {texts.undo}
      </Button>
    </div>
  );
}
