import { expect, test } from "vitest";
import { addNote, deleteNote, restoreNote, rewriteNote, shownNotes, type KeptNote } from "./index.ts";

const note = (id: string, fromTicks: string): KeptNote => ({
  id,
  fromTicks,
  toTicks: fromTicks,
  lsn: null,
  text: id,
  written: "2026-11-22T10:00:00.000Z",
});
const NOON = Date.UTC(2026, 10, 22, 12);
const MINUTE = 60_000;

test("notes are shown in the order of their instants, whatever their number of digits", () => {
  const kept = [note("late", "1000"), note("early", "999"), note("same", "999")];
  expect(shownNotes(kept).map(({ id }) => id)).toEqual(["early", "same", "late"]);
});

test("a deleted note comes back as it was, with what was written before its deletion", () => {
  const { notes: rewritten } = rewriteNote([note("a", "1")], "a", "Backup", NOON);
  const { notes: gone } = deleteNote(rewritten, "a", NOON + 1);
  expect(shownNotes(gone)).toEqual([]);
  const { notes, note: restored } = restoreNote(gone, "a", NOON + MINUTE);
  expect(restored).toEqual({ ...note("a", "1"), text: "Backup", written: "2026-11-22T12:00:00.000Z" });
  expect(notes).toEqual([restored]);
  // Restoring it once more does not change it, even if its text has changed since.
  const { notes: again } = rewriteNote(notes, "a", "Log backup", NOON + MINUTE);
  expect(restoreNote(again, "a", NOON + MINUTE).note.text).toBe("Log backup");
});

test("after a minute it is gone, and leaves the list with the next change", () => {
  const { notes: gone } = deleteNote([note("a", "1"), note("b", "2")], "a", NOON);
  expect(() => restoreNote(gone, "a", NOON + MINUTE + 1)).toThrow("Can't find this note");
  const added = { fromTicks: "3", toTicks: "3", lsn: null, text: "c" };
  expect(addNote(gone, added, "c", NOON + MINUTE).notes.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(addNote(gone, added, "c", NOON + MINUTE + 1).notes.map(({ id }) => id)).toEqual(["b", "c"]);
});

test("a note that is not there is neither rewritten nor deleted nor restored", () => {
  const { notes: gone } = deleteNote([note("a", "1")], "a", NOON);
  for (const change of [
    () => rewriteNote(gone, "a", "Backup", NOON),
    () => deleteNote(gone, "a", NOON),
    () => restoreNote(gone, "b", NOON),
  ])
    expect(change).toThrow("Can't find this note");
});

test("200 notes are the most, also when one comes back", () => {
  const full = Array.from({ length: 200 }, (_, i) => note(`n${i}`, String(i)));
  const wanted = { fromTicks: "1", toTicks: "1", lsn: null, text: "one more" };
  expect(() => addNote(full, wanted, "x", NOON)).toThrow("200 notes");
  const { notes: gone } = deleteNote(full, "n7", NOON);
  const { notes: refilled } = addNote(gone, wanted, "x", NOON);
  expect(() => restoreNote(refilled, "n7", NOON)).toThrow("200 notes");
  expect(restoreNote(gone, "n7", NOON).notes).toHaveLength(200);
  // An existing note needs no room: a second request for one press changes nothing.
  expect(restoreNote(full, "n7", NOON).notes).toEqual(full);
});
