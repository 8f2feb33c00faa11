import { type CSSProperties, type ReactNode, useRef } from "react";
import { useReaderZone } from "../frame/use-reader-zone.ts";
import { NoteIcon } from "../frame/icons.tsx";
import { notesTexts as texts } from "../messages/notes.ts";
import { noteBox, stackNotes } from "./note-boxes.ts";
import { authorOf, placeText, type PlacedNote, writtenText, zonedWrittenText } from "./placed-note.ts";
import { type MovingRange, useNotePlaces } from "./use-note-places.ts";
import styles from "./notes.module.css";

const ROW_PX = 24;

interface PlaceProps {
  readonly notes: readonly PlacedNote[];
  /** Width of the plot, px. */
  readonly width: number;
  readonly viewport: MovingRange;
}

interface RowProps extends PlaceProps {
  /** Range in view once it rests, µs. */
  readonly range: readonly [number, number];
  readonly onOpen: (note: PlacedNote) => void;
  /** Shows the notes without room. */
  readonly onMore: () => void;
}

/** Notes in view above the lanes, on up to two rows: a bracket over a range, a flag at a log block. */
export function NoteRow({ notes, range, width, viewport, onOpen, onMore }: RowProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const zone = useReaderZone();
  useNotePlaces(list, notes, width, viewport);
  const stack = stackNotes(notes, range, width);
  if (stack.rows === 0 || width < 1) return null;
  return (
    <div className={styles.row} style={{ "--rows": stack.rows } as CSSProperties}>
      <b id="notes-in-view">{texts.notes}</b>
      <ul ref={list} aria-labelledby="notes-in-view">
        {stack.notes.map(({ note, row, opensLeft, opensRight }) => (
          <li
            key={note.id}
            data-note={note.id}
            data-block={note.lsn !== null}
            data-opens-left={opensLeft}
            data-opens-right={opensRight}
            style={{ top: ROW_PX * row }}
          >
            <button
              type="button"
              title={texts.writtenByPart(
                note.text,
                placeText(note),
                authorOf(note),
                zonedWrittenText(note.written, zone),
              )}
              onClick={() => onOpen(note)}
            >
              <NoteIcon />
              <span>{note.text}</span>
              <small>{writtenText(note.written, zone)}</small>
            </button>
            <i />
          </li>
        ))}
        {stack.more === 0 ? null : (
          <li className={styles.more}>
            <button type="button" onClick={onMore}>
              {texts.more(stack.more)}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Stems of the flags, down to their blocks' bars. `height` px. */
export function NoteStems({
  notes,
  width,
  viewport,
  height,
}: PlaceProps & { readonly height: number }): ReactNode {
  const stems = useRef<HTMLDivElement>(null);
  useNotePlaces(stems, notes, width, viewport);
  return (
    <div ref={stems} className={styles.stems} style={{ height }} aria-hidden="true">
      {notes
        .filter(({ lsn }) => lsn !== null)
        .map(({ id }) => (
          <div key={id} data-note={id}>
            <i />
          </div>
        ))}
    </div>
  );
}

interface MarksProps {
  readonly notes: readonly PlacedNote[];
  /** Width of the minimap, px. */
  readonly width: number;
  /** Duration of the capture, µs. */
  readonly duration: number;
}

/** Marks of the notes' ranges and log blocks, below the minimap of the entire capture. */
export function NoteMarks({ notes, width, duration }: MarksProps): ReactNode {
  return (
    <div className={styles.marks} aria-hidden="true">
      {notes.map((note) => {
        const { markLeft, markWidth } = noteBox(note, [0, duration], width);
        return (
          <i key={note.id} data-block={note.lsn !== null} style={{ left: markLeft, width: markWidth }} />
        );
      })}
    </div>
  );
}
