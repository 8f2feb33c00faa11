/** Writes notes of a capture; they are read together with the capture's other answers (`CaptureSource.notes`). */
import { type NewNote, Note } from "@aglens/contract";
import { jsonBody, readJson, send } from "./request.ts";

const notesPath = (captureId: string): string => `/captures/${encodeURIComponent(captureId)}/notes`;
const notePath = (captureId: string, noteId: string): string =>
  `${notesPath(captureId)}/${encodeURIComponent(noteId)}`;

export function writeNote(captureId: string, note: NewNote): Promise<Note> {
  return readJson(Note, notesPath(captureId), jsonBody("POST", note));
}

/** Changes the text of a note, and its time of writing. */
export function rewriteNote(captureId: string, noteId: string, text: string): Promise<Note> {
  return readJson(Note, notePath(captureId, noteId), jsonBody("PATCH", { text }));
}

/** Deletes a note; it can be restored for a minute. */
export async function deleteNote(captureId: string, noteId: string): Promise<void> {
  await send(notePath(captureId, noteId), { method: "DELETE" });
}

export function restoreNote(captureId: string, noteId: string): Promise<Note> {
  return readJson(Note, `${notePath(captureId, noteId)}/restore`, { method: "POST" });
}
