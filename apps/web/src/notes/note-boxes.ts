/** Places of notes above the lanes: their boxes on up to two rows, and their marks. */
import type { PlacedNote } from "./placed-note.ts";

/** Px from the left edge of the plot. */
export interface NoteBox {
  readonly left: number;
  readonly width: number;
  /** The visible part of the note's range or log block. */
  readonly markLeft: number;
  readonly markWidth: number;
  /** The range continues outside the view. */
  readonly opensLeft: boolean;
  readonly opensRight: boolean;
}

interface StackedNote extends NoteBox {
  readonly note: PlacedNote;
  readonly row: number;
}

interface NoteStack {
  readonly notes: readonly StackedNote[];
  /** Rows that are needed; 0 where no note is in view. */
  readonly rows: number;
  /** Number of notes in view without room. */
  readonly more: number;
}

const MOST_ROWS = 2;
/** Between boxes of one row, px. */
const GAP_PX = 4;
/** Sign, day and time of writing, margins; and one letter. */
const FRAME_PX = 112;
const LETTER_PX = 6.4;
const MOST_LABEL_PX = 420;
const LEAST_MARK_PX = 2;
/** Width of "+ 12 more" at the right end of the last row, px. */
const MORE_PX = 78;

type Range = readonly [number, number];

/** Whether a part of the note's range or log block is in view. */
export const isInView = ({ from, to }: PlacedNote, [first, last]: Range): boolean =>
  from < last && to >= first;

/**
 * The box of a note in a plot of `width` px over `range`, µs: as long as the note's range, and long enough for its
 * text.
 */
export function noteBox(note: PlacedNote, [first, last]: Range, width: number): NoteBox {
  const xInPlot = (at: number): number =>
    Math.min(width, Math.max(0, ((at - first) / (last - first)) * width));
  const markLeft = xInPlot(note.from);
  const markWidth = xInPlot(note.to) - markLeft;
  const label = Math.min(width, MOST_LABEL_PX, FRAME_PX + note.text.length * LETTER_PX);
  const length = note.lsn === null ? Math.max(markWidth, label) : label;
  return {
    left: Math.min(markLeft, width - length),
    width: length,
    markLeft,
    markWidth: Math.max(LEAST_MARK_PX, markWidth),
    opensLeft: note.from < first,
    opensRight: note.to > last,
  };
}

/** Notes that cover the entire view share a row, each with at least this width, px. */
const LEAST_SHARE_PX = 180;

/** @param pxUs µs of a pixel: a note that was written about an entire view may be shorter by this */
const covers = ({ from, to, lsn }: PlacedNote, [first, last]: Range, pxUs: number): boolean =>
  lsn === null && from <= first + pxUs && to >= last - pxUs;

/** The boxes of the notes in view by their ids. */
export function noteBoxes(
  notes: readonly PlacedNote[],
  range: Range,
  width: number,
): ReadonlyMap<string, NoteBox> {
  const shown = notes.filter((note) => isInView(note, range));
  const covering = shown.filter((note) => covers(note, range, (range[1] - range[0]) / width));
  const share = Math.max(width / Math.max(1, covering.length), LEAST_SHARE_PX);
  return new Map(
    shown.map((note) => {
      const box = noteBox(note, range, width);
      const index = covering.length < 2 ? -1 : covering.indexOf(note);
      return [note.id, index < 0 ? box : { ...box, left: index * share, width: share - GAP_PX }] as const;
    }),
  );
}

/** The notes in view, each on the first row that has room for it. `notes` in the order of their first instants. */
export function stackNotes(notes: readonly PlacedNote[], range: Range, width: number): NoteStack {
  const shown = notes.filter((note) => isInView(note, range));
  const whole = fillRows(shown, range, width, width);
  // The count needs room only where boxes remain.
  return whole.more === 0 ? whole : fillRows(shown, range, width, width - MORE_PX);
}

function fillRows(
  shown: readonly PlacedNote[],
  range: Range,
  width: number,
  lastRowWidth: number,
): NoteStack {
  const ends: number[] = [];
  const boxes = noteBoxes(shown, range, width);
  const notes = shown.flatMap((note): StackedNote[] => {
    const box = boxes.get(note.id) ?? noteBox(note, range, width);
    for (let row = 0; row < MOST_ROWS; row++) {
      const limit = row === MOST_ROWS - 1 ? lastRowWidth : width;
      if (box.left < (ends[row] ?? -GAP_PX) + GAP_PX || box.left + box.width > limit) continue;
      ends[row] = box.left + box.width;
      return [{ ...box, note, row }];
    }
    return [];
  });
  const more = shown.length - notes.length;
  return { notes, rows: more > 0 ? MOST_ROWS : ends.length, more };
}
