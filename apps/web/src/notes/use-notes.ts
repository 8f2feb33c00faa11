import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Summary } from "@aglens/contract";
import type { CaptureSource } from "../data/capture-source.ts";
import { deleteNote, restoreNote, rewriteNote, writeNote } from "../data/notes-client.ts";
import { type Answer, useAnswer } from "../data/use-answer.ts";
import { type Command, useCommand } from "../data/use-command.ts";
import { type NotePlace, placedNote, type PlacedNote, ticksOfPlace } from "./placed-note.ts";

/** A note that is being written: a new one on a place, or another text of an existing note. */
export interface NoteDraft {
  readonly place: NotePlace;
  readonly note: PlacedNote | null;
}

/** Writing notes; null for visitors who may only read. */
export interface NoteWriting {
  readonly draft: NoteDraft | null;
  readonly begin: (draft: NoteDraft) => void;
  readonly cancel: () => void;
  /** @param author empty for a signed-in user, and where no name was entered */
  readonly save: Command<[text: string, author: string]>;
  readonly remove: Command<[note: PlacedNote]>;
  readonly restore: Command<[note: PlacedNote]>;
  /** Deleted a moment ago: the deletion can be undone. */
  readonly removed: readonly PlacedNote[];
  /** Makes a deletion final. */
  readonly forget: (note: PlacedNote) => void;
}

export interface NotesOfCapture extends Pick<Answer<unknown>, "error" | "retry"> {
  /** In the order of their first instants. */
  readonly notes: readonly PlacedNote[];
  readonly writing: NoteWriting | null;
}

const NONE: readonly PlacedNote[] = [];

/** The notes of a capture, and the ways to change them. */
export function useNotes(
  source: CaptureSource,
  { originTicks }: Pick<Summary, "originTicks">,
  canChange: boolean,
): NotesOfCapture {
  const question = source.notes();
  const { value, error, retry } = useAnswer(question);
  const notes = useMemo(
    () => value?.notes.map((note) => placedNote(note, originTicks)) ?? NONE,
    [value, originTicks],
  );
  const writing = useWriting(source.id, originTicks, question.key);
  return { notes, error, retry, writing: canChange ? writing : null };
}

function useWriting(captureId: string, originTicks: string, key: string): NoteWriting {
  const answers = useQueryClient();
  const [draft, setDraft] = useState<NoteDraft | null>(null);
  const [removed, setRemoved] = useState<readonly PlacedNote[]>(NONE);
  const askAgain = (): Promise<void> => answers.invalidateQueries({ queryKey: [key] });
  const forget = (note: PlacedNote): void => setRemoved((all) => all.filter(({ id }) => id !== note.id));
  const save = useCommand(async (text: string, author: string) => {
    if (draft === null) return;
    const { place, note } = draft;
    if (note === null) {
      const by = author === "" ? {} : { author };
      await writeNote(captureId, { ...ticksOfPlace(place, originTicks), text, ...by });
    } else await rewriteNote(captureId, note.id, text);
    await askAgain();
    setDraft(null);
  });
  const remove = useCommand(async (note: PlacedNote) => {
    await deleteNote(captureId, note.id);
    setRemoved((all) => [...all, note]);
    await askAgain();
  });
  const restore = useCommand(async (note: PlacedNote) => {
    await restoreNote(captureId, note.id);
    forget(note);
    await askAgain();
  });
  return {
    draft,
    begin: setDraft,
    cancel: () => setDraft(null),
    save,
    remove,
    restore,
    removed,
    forget,
  };
}
