import type { Sequence } from "@aglens/contract";
import { pictureRange } from "../../charts/sequence/layout.ts";
import type { CaptureSource } from "../../data/capture-source.ts";
import type { Question } from "../../data/use-answer.ts";
import type { NotePlace, PlacedNote } from "../../notes/placed-note.ts";
import { useNotes } from "../../notes/use-notes.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import type { TimelineSelection } from "./timeline-context.ts";
import type { BlockSelection } from "./use-block-selection.ts";
import type { Range } from "./viewport.ts";

/**
 * The capture's notes, the action that opens one on the timeline, and the target of a new one.
 * @param range of the view once it rests, µs
 * @param sequence of the selected block, null until it has been read
 */
export function useTimelineNotes(
  range: Range,
  sequence: Sequence | null,
  selection: BlockSelection,
): Pick<TimelineSelection, "notes" | "openNote" | "beginNote"> {
  const { source, summary, canChange, view } = useCapture();
  const notes = useNotes(source, summary, canChange);
  const { selectedRange } = selection;
  const openNote = (note: PlacedNote): void => {
    if (note.lsn !== null) return selection.selectFound(blockOfNote(source, note.lsn, note.from));
    selection.selectRange([note.from, note.to]);
    selection.reveal(note.from, note.to);
  };
  const beginNote = (): void => {
    const place =
      selectedRange || view.block === null
        ? placeOfPeriod(selectedRange ?? range)
        : placeOfBlock(sequence, view.secondary);
    if (place !== null) notes.writing?.begin({ place, note: null });
  };
  return { notes, openNote, beginNote };
}

const placeOfPeriod = ([from, to]: Range): NotePlace => ({ from, to, lsn: null });

/** From a block's first instant to its last; null while it has not been read. */
function placeOfBlock(sequence: Sequence | null, secondary: number): NotePlace | null {
  if (sequence === null) return null;
  const hop = sequence.hops.find((each) => each.secondary === secondary);
  const [, to] = pictureRange(sequence, hop);
  const { time: from, lsn } = sequence;
  return { from, to: Math.max(from, to), lsn };
}

/** Row of the block of an LSN that begins nearest to an instant, µs: two databases may have the same LSN. */
function blockOfNote(source: CaptureSource, lsn: string, at: number): Question<number | null> {
  const { key, ask } = source.findLsn(lsn);
  const distance = ({ time }: { readonly time: number }): number => Math.abs(time - at);
  return {
    key: `${key} ${at}`,
    ask: async (signal) => {
      const { rows } = await ask(signal);
      return rows.toSorted((a, b) => distance(a) - distance(b))[0]?.row ?? null;
    },
  };
}
